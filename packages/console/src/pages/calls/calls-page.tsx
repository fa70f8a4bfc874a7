/** The live list of calls. */
import type { CallView } from "@titian/control/types";
import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "../../api/call.ts";
import { useLiveCalls, type CallFilter } from "../../api/calls.ts";
import { useControl } from "../../api/resource.ts";
import { Button, Checkbox, SelectField } from "../../design/inputs.tsx";
import { Page, Panel } from "../../design/page.tsx";
import { Empty, Failure, Skeleton } from "../../design/states.tsx";
import { setQuery } from "../../routing/router.ts";
import { calls as callTexts } from "../../texts/calls.ts";
import { shell } from "../../texts/shell.ts";
import { CallsTable } from "./calls-table.tsx";

export function CallsPage({ query }: { readonly query: URLSearchParams }) {
  const texts = callTexts();
  const [isPaused, setPaused] = useState(false);
  const filter: CallFilter = {
    partnerId: query.get("partner") ?? "",
    operation: query.get("operation") ?? "",
    isRefused: query.get("refused") === "true",
  };
  const { calls, error, held, skipped } = useLiveCalls(filter, isPaused);
  const isFiltered = Boolean(filter.partnerId || filter.operation || filter.isRefused);
  return (
    <Page
      title={shell().calls}
      lead={texts.lead}
      actions={
        <>
          {isPaused && held > 0 && <span class="muted">{texts.waiting(held)}</span>}
          <Button onClick={() => setPaused(!isPaused)}>
            <span class={`dot ${isPaused ? "warn" : "good"}`} />
            {isPaused ? texts.resume : texts.pause}
          </Button>
        </>
      }
    >
      <Filter filter={filter} />
      <Announcer calls={calls} />
      {skipped > 0 && <p class="muted small">{texts.skipped(skipped)}</p>}
      <Panel isFlush>
        {!calls && error && <Failure error={error} />}
        {!calls && !error && (
          <div class="panel-body first">
            <Skeleton lines={8} />
          </div>
        )}
        {calls?.length === 0 && (
          <Empty title={isFiltered ? texts.noneFiltered : texts.none}>{!isFiltered && texts.noneText}</Empty>
        )}
        {calls && calls.length > 0 && <CallsTable calls={calls} />}
      </Panel>
    </Page>
  );
}

function Filter({ filter }: { readonly filter: CallFilter }) {
  const texts = callTexts();
  const { data: partners } = useControl(call("GET /partners"));
  const { data: operations } = useControl(call("GET /operations"));
  return (
    <div class="row-end filter">
      <SelectField
        label={texts.partner}
        value={filter.partnerId ?? ""}
        onChange={(partner) => setQuery({ partner })}
        options={[
          { value: "", label: texts.allPartners },
          ...(partners?.partners ?? []).map(({ partnerId }) => ({ value: partnerId, label: partnerId })),
        ]}
      />
      <SelectField
        label={texts.operation}
        value={filter.operation ?? ""}
        onChange={(operation) => setQuery({ operation })}
        options={[
          { value: "", label: texts.allOperations },
          ...(operations?.operations ?? []).map(({ name, code }) => ({ value: name, label: `${code} ${name}` })),
        ]}
      />
      <Checkbox
        label={texts.refusedOnly}
        isChecked={filter.isRefused ?? false}
        onChange={(isRefused) => setQuery({ refused: isRefused ? "true" : "" })}
      />
    </div>
  );
}

const announceMs = 5_000;

/** Tells a screen reader how many calls came, at most once in five seconds. */
function Announcer({ calls }: { readonly calls: readonly CallView[] | undefined }) {
  const [text, setText] = useState("");
  const newest = useRef<{ calls: readonly CallView[]; told: string | undefined }>({ calls: [], told: undefined });
  newest.current.calls = calls ?? [];
  useEffect(() => {
    const timer = setInterval(() => {
      const { calls: all, told } = newest.current;
      const position = all.findIndex(({ id }) => id === told);
      const fresh = all.slice(0, position === -1 ? all.length : position);
      newest.current.told = all[0]?.id;
      if (fresh.length === 0 || told === undefined) return;
      setText(callTexts().announce(fresh.length, fresh.filter(({ isRefused }) => isRefused).length));
    }, announceMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <div class="hidden" aria-live="polite">
      {text}
    </div>
  );
}

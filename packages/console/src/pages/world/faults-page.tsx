/** Faults on purpose: what a partner's next calls meet. */
import type { FaultView } from "@titian/sandbox/types";
import { useState } from "preact/hooks";
import { useAction } from "../../api/action.ts";
import { call } from "../../api/call.ts";
import { act } from "../../api/control.ts";
import { useControl } from "../../api/resource.ts";
import { useConfirm } from "../../design/confirm.tsx";
import { Button, SelectField, TextField } from "../../design/inputs.tsx";
import { Page, Panel } from "../../design/page.tsx";
import { errorText, Failure, Notice, Skeleton } from "../../design/states.tsx";
import { List, type Column } from "../../design/table.tsx";
import { faultName, faultNames, faults, type FaultName } from "../../texts/faults.ts";
import { shell } from "../../texts/shell.ts";

const everyMs = 4_000;

export function FaultsPage() {
  const { data, error, reload } = useControl(call("GET /partners"));
  const [chosen, setChosen] = useState<string>();
  const partnerId = chosen ?? data?.partners[0]?.partnerId;
  return (
    <Page title={shell().faults} lead={faults().lead}>
      {error && !data && <Failure error={error} onRetry={reload} />}
      {!error && !data && <Skeleton lines={5} />}
      {data && partnerId !== undefined && (
        <FaultForm
          partnerId={partnerId}
          partnerIds={data.partners.map((partner) => partner.partnerId)}
          onChoose={setChosen}
        />
      )}
    </Page>
  );
}

interface FaultFormProps {
  readonly partnerId: string;
  readonly partnerIds: readonly string[];
  readonly onChoose: (partnerId: string) => void;
}

interface Wanted {
  readonly fault: FaultName;
  readonly next: string;
  readonly delayMs: string;
  readonly operation: string;
}

function FaultForm({ partnerId, partnerIds, onChoose }: FaultFormProps) {
  const texts = faults();
  const [wanted, setWanted] = useState<Wanted>({ fault: "loseAnswer", next: "1", delayMs: "3000", operation: "" });
  const { run, isRunning, error, result } = useAction(async ({ fault, next, delayMs, operation }: Wanted) => {
    const more = { ...(fault === "delay" && { delayMs: Number(delayMs) }), ...(operation !== "" && { operation }) };
    const body = { fault, next: Number(next), ...more };
    await act(call("POST /partners/{partnerId}/faults", { params: { partnerId }, body }));
    return true;
  });
  const submit = (event: Event): void => {
    event.preventDefault();
    run(wanted);
  };
  return (
    <>
      <Panel>
        <form class="stack-tight" onSubmit={submit}>
          <div class="columns">
            <SelectField
              label={texts.partner}
              value={partnerId}
              onChange={onChoose}
              options={partnerIds.map((id) => ({ value: id, label: id }))}
            />
            <FaultFields wanted={wanted} onChange={setWanted} />
          </div>
          <div>
            <Button type="submit" kind="primary" isBusy={isRunning}>
              {texts.set}
            </Button>
          </div>
          {error && <Notice tone="bad">{errorText(error)}</Notice>}
          {result && <Notice tone="good">{texts.setDone}</Notice>}
        </form>
      </Panel>
      <SetFaults key={partnerId} partnerId={partnerId} />
    </>
  );
}

interface FaultFieldsProps {
  readonly wanted: Wanted;
  readonly onChange: (wanted: Wanted) => void;
}

function FaultFields({ wanted, onChange }: FaultFieldsProps) {
  const texts = faults();
  const { data, error } = useControl(call("GET /operations"));
  const set = (change: Partial<Wanted>): void => onChange({ ...wanted, ...change });
  const operations = (data?.operations ?? []).map(({ name, code, title }) => ({
    value: name,
    label: `${code} ${title}`,
  }));
  return (
    <>
      <SelectField
        label={texts.fault}
        hint={texts.meanings[wanted.fault]}
        value={wanted.fault}
        onChange={(fault) => set({ fault })}
        options={faultNames.map((name) => ({ value: name, label: texts.names[name] }))}
      />
      <TextField
        label={texts.next}
        type="number"
        min={1}
        value={wanted.next}
        onInput={(next) => set({ next })}
        isRequired
      />
      {wanted.fault === "delay" && (
        <TextField
          label={texts.delay}
          type="number"
          min={1}
          value={wanted.delayMs}
          onInput={(delayMs) => set({ delayMs })}
          isRequired
        />
      )}
      <SelectField
        label={texts.operation}
        value={wanted.operation}
        onChange={(operation) => set({ operation })}
        options={[{ value: "", label: texts.anyOperation }, ...operations]}
      />
      {error && !data && <Notice tone="bad">{errorText(error)}</Notice>}
    </>
  );
}

/** Faults that the partner's next calls will meet, and taking them back. */
function SetFaults({ partnerId }: { readonly partnerId: string }) {
  const texts = faults();
  const params = { partnerId };
  const { data, error, reload } = useControl(call("GET /partners/{partnerId}/faults", { params }), everyMs);
  const removal = useAction(() => act(call("DELETE /partners/{partnerId}/faults", { params })));
  const { ask, dialog } = useConfirm();
  const askToRemove = (): void =>
    ask({
      title: `${texts.clear}: ${partnerId}`,
      text: texts.clearText(data?.faults.length ?? 0, partnerId),
      action: texts.clear,
      onConfirm: removal.run,
    });
  const columns: readonly Column<FaultView>[] = [
    { head: texts.fault, cell: ({ fault }) => faultName(fault) },
    { head: texts.operation, cell: ({ operation }) => operation ?? texts.anyOperation },
    { head: texts.left, isNumber: true, cell: ({ next }) => next },
    { head: texts.delay, isNumber: true, cell: ({ delayMs }) => delayMs ?? "–" },
  ];
  const hasSome = data !== undefined && data.faults.length > 0;
  return (
    <Panel
      title={texts.current}
      actions={
        hasSome && (
          <Button onClick={askToRemove} isBusy={removal.isRunning}>
            {texts.clear}
          </Button>
        )
      }
      isFlush
    >
      {removal.error && <Notice tone="bad">{errorText(removal.error)}</Notice>}
      <List
        caption={texts.current}
        columns={columns}
        rows={data?.faults}
        error={error}
        onRetry={reload}
        keyOf={(_, position) => position}
        empty={{ title: texts.none }}
      />
      {dialog}
    </Panel>
  );
}

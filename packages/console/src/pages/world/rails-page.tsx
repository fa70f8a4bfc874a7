/** The simulated rails: their modes, hours, and what waits on them. */
import type { RailMode, RailView } from "@titian/control/types";
import { useAction } from "../../api/action.ts";
import { call } from "../../api/call.ts";
import { act } from "../../api/control.ts";
import { useControl } from "../../api/resource.ts";
import { Badge } from "../../design/badge.tsx";
import { useConfirm } from "../../design/confirm.tsx";
import { Facts } from "../../design/facts.tsx";
import { Button, Segmented } from "../../design/inputs.tsx";
import { Amount, moneyText } from "../../design/money.tsx";
import { Page, Panel } from "../../design/page.tsx";
import { errorText, Failure, Notice, Skeleton } from "../../design/states.tsx";
import { When } from "../../design/time.tsx";
import { shell } from "../../texts/shell.ts";
import { world } from "../../texts/world.ts";
import { word } from "../../texts/words.ts";

const everyMs = 5_000;
const modes: readonly RailMode[] = ["normal", "slow", "limbo", "down"];

export function RailsPage() {
  const { data, error, reload } = useControl(call("GET /rails"), everyMs);
  return (
    <Page title={shell().rails} lead={world().railsLead}>
      {error && !data && <Failure error={error} onRetry={reload} />}
      {!error && !data && <Skeleton lines={6} />}
      {data?.rails.map((rail) => (
        <RailPanel key={rail.rail} rail={rail} />
      ))}
    </Page>
  );
}

function RailPanel({ rail: view }: { readonly rail: RailView }) {
  const texts = world();
  const { rail, mode, isOpen } = view;
  const params = { rail };
  const setMode = useAction((wanted: RailMode) =>
    act(call("POST /rails/{rail}/mode", { params, body: { mode: wanted } })),
  );
  const settle = useAction(() => act(call("POST /rails/{rail}/settle", { params })));
  const { ask, dialog } = useConfirm();
  const askToSettle = (): void =>
    ask({
      title: `${texts.settle}: ${word("rails", rail)}`,
      text: texts.settleText(view.pending, moneyText(view.suspense, view.currency)),
      action: texts.settle,
      onConfirm: settle.run,
    });
  const error = setMode.error ?? settle.error;
  return (
    <Panel
      title={word("rails", rail)}
      actions={<Badge tone={isOpen ? "good" : "plain"}>{isOpen ? texts.openNow : texts.closedNow}</Badge>}
    >
      <div class="stack">
        {mode === null ? (
          <Notice>{texts.notSimulated}</Notice>
        ) : (
          <div class="row">
            <Segmented
              label={`${texts.mode} ${word("rails", rail)}`}
              value={mode}
              onChange={setMode.run}
              options={modes.map((name) => ({ value: name, label: texts.modeNames[name] }))}
            />
            <span class="muted">{texts.modeMeanings[mode]}</span>
          </div>
        )}
        <Facts facts={factsOf(view)} />
        {mode !== null && (
          <div class="row">
            <Button onClick={askToSettle} isBusy={settle.isRunning} label={`${texts.settle}: ${word("rails", rail)}`}>
              {texts.settle}
            </Button>
            {settle.result && <Notice tone="good">{texts.settled(settle.result.settled)}</Notice>}
          </div>
        )}
        {error && <Notice tone="bad">{errorText(error)}</Notice>}
        {dialog}
      </div>
    </Panel>
  );
}

function factsOf({
  serviceCodes,
  hours,
  closesAt,
  opensAt,
  nextSettlementAt,
  fee,
  minimum,
  maximum,
  ...rail
}: RailView) {
  const texts = world();
  const most = maximum === undefined ? texts.noMaximum : moneyText(maximum, rail.currency);
  return [
    [texts.waiting, rail.pending],
    [texts.onSuspense, <Amount value={rail.suspense} currency={rail.currency} />],
    [texts.hours, hours ? `${hours.from}–${hours.to} WIB` : texts.aroundTheClock],
    [texts.closesAt, closesAt && <When at={closesAt} kind="minute" />],
    [texts.opensAt, opensAt && <When at={opensAt} kind="minute" />],
    [texts.settlesAt, nextSettlementAt && <When at={nextSettlementAt} kind="minute" />],
    [texts.fee, <Amount value={fee} currency={rail.currency} />],
    [texts.limits, `${moneyText(minimum, rail.currency)} – ${most}`],
    [texts.service, serviceCodes.join(", ")],
  ] as const;
}

/** Rails, services and the intake: open or closed, by whom and why; in a sandbox also how a simulated rail behaves. */
import type { RailMode, RailView, SwitchView } from "@titian/control/types";
import { ActForms } from "../../acts/act-forms.tsx";
import { switchForm, switchName } from "../../acts/switch-forms.ts";
import { useAction } from "../../api/action.ts";
import { call } from "../../api/call.ts";
import { act } from "../../api/control.ts";
import { isProduction } from "../../api/host.ts";
import { useControl } from "../../api/resource.ts";
import { Badge } from "../../design/badge.tsx";
import { useConfirm } from "../../design/confirm.tsx";
import { Facts } from "../../design/facts.tsx";
import { Button, Segmented } from "../../design/inputs.tsx";
import { Amount, moneyText } from "../../design/money.tsx";
import { Page, Panel } from "../../design/page.tsx";
import { errorText, Failure, Notice, Skeleton } from "../../design/states.tsx";
import { Table } from "../../design/table.tsx";
import { When } from "../../design/time.tsx";
import { forms } from "../../texts/operations/forms.ts";
import { shell } from "../../texts/shell.ts";
import { switches } from "../../texts/operations/switches.ts";
import { world } from "../../texts/world.ts";
import { word } from "../../texts/words.ts";
import { CellsPanel } from "./cells-panel.tsx";
import { ClosedNotice } from "./closed-notice.tsx";

const everyMs = 5_000;
const modes: readonly RailMode[] = ["normal", "slow", "limbo", "down"];

export function RailsPage() {
  const { data, error, reload } = useControl(call("GET /rails"), everyMs);
  const { data: found } = useControl(call("GET /switches"), everyMs);
  const all = found?.switches ?? [];
  const intake = all.find(({ name }) => name === "intake");
  const services = all.filter(({ name }) => name.startsWith("service:"));
  return (
    <Page
      title={isProduction() ? shell().switches : shell().rails}
      lead={isProduction() ? switches().lead : world().railsLead}
    >
      {error && !data && <Failure error={error} onRetry={reload} />}
      {!error && !data && <Skeleton lines={6} />}
      {data?.rails.map((rail) => (
        <RailPanel key={rail.rail} rail={rail} view={all.find(({ name }) => name === `rail:${rail.rail}`)} />
      ))}
      {intake && (
        <Panel title={forms().intake} lead={switches().intakeLead} actions={<SwitchBadge view={intake} />}>
          <SwitchParts view={intake} />
        </Panel>
      )}
      {services.length > 0 && <Services services={services} />}
      <CellsPanel everyMs={everyMs} />
    </Page>
  );
}

const isClosed = ({ closed }: SwitchView): boolean => closed !== null && closed !== undefined;

function SwitchBadge({ view }: { readonly view: SwitchView }) {
  return isClosed(view) ? (
    <Badge tone="bad">{forms().closedByOperator}</Badge>
  ) : (
    <Badge tone="good">{world().openNow}</Badge>
  );
}

/** The operator who closed it, and the form that closes it or opens it again. */
function SwitchParts({ view }: { readonly view: SwitchView }) {
  return (
    <div class="stack-tight">
      {view.closed && <ClosedNotice name={view.name} closed={view.closed} />}
      <ActForms forms={[switchForm(view)]} isToldBeside />
    </div>
  );
}

function Services({ services }: { readonly services: readonly SwitchView[] }) {
  return (
    <Panel title={switches().services} lead={switches().servicesLead} isFlush>
      <Table
        caption={switches().services}
        rows={services}
        keyOf={({ name }) => name}
        columns={[
          { head: world().service, cell: (row) => switchName(row) },
          { head: world().status, cell: (row) => <SwitchBadge view={row} /> },
          { head: switches().act, cell: (row) => <SwitchParts view={row} /> },
        ]}
      />
    </Panel>
  );
}

interface RailPanelProps {
  readonly rail: RailView;
  /** Undefined: not read yet. */
  readonly view: SwitchView | undefined;
}

function RailPanel({ rail, view }: RailPanelProps) {
  const texts = world();
  const isShut = view !== undefined && isClosed(view);
  return (
    <Panel
      title={word("rails", rail.rail)}
      actions={
        <>
          {isShut && <Badge tone="bad">{forms().closedByOperator}</Badge>}
          {(!isShut || !rail.isOpen) && (
            <Badge tone={rail.isOpen ? "good" : "plain"}>{rail.isOpen ? texts.openNow : switches().outsideHours}</Badge>
          )}
        </>
      }
    >
      <div class="stack">
        {rail.mode !== null && rail.mode !== undefined && <Simulation rail={rail} mode={rail.mode} />}
        {rail.mode === null && !isProduction() && <Notice>{texts.notSimulated}</Notice>}
        <Facts facts={factsOf(rail)} />
        {view && <SwitchParts view={view} />}
      </div>
    </Panel>
  );
}

/** Behaviour of a simulated rail, and what settles at once. */
function Simulation({ rail: view, mode }: { readonly rail: RailView; readonly mode: RailMode }) {
  const texts = world();
  const { rail } = view;
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
    <>
      <div class="row">
        <Segmented
          label={`${texts.mode} ${word("rails", rail)}`}
          value={mode}
          onChange={setMode.run}
          options={modes.map((name) => ({ value: name, label: texts.modeNames[name] }))}
        />
        <span class="muted">{texts.modeMeanings[mode]}</span>
      </div>
      <div class="row">
        <Button onClick={askToSettle} isBusy={settle.isRunning} label={`${texts.settle}: ${word("rails", rail)}`}>
          {texts.settle}
        </Button>
        {settle.result && <Notice tone="good">{texts.settled(settle.result.settled)}</Notice>}
      </div>
      {error && <Notice tone="bad">{errorText(error)}</Notice>}
      {dialog}
    </>
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

/** The world at a glance: what happened in the last hour, minute by minute. */
import type { MinuteView } from "@titian/control/types";
import { useMemo } from "preact/hooks";
import { call } from "../../api/call.ts";
import { useControl } from "../../api/resource.ts";
import { language } from "../../preferences.ts";
import { Chart, type Series } from "../../charts/chart.tsx";
import { Amount } from "../../design/money.tsx";
import { Page, Panel } from "../../design/page.tsx";
import { Empty, Failure, Skeleton } from "../../design/states.tsx";
import { Table, type Column } from "../../design/table.tsx";
import { durationText, When } from "../../design/time.tsx";
import { overview } from "../../texts/overview.ts";
import { shell } from "../../texts/shell.ts";
import { world } from "../../texts/world.ts";
import { WorldTiles } from "./world-tiles.tsx";

const everyMs = 5_000;

export function OverviewPage() {
  const { data, error, reload } = useControl(call("GET /calls/minutes"), everyMs);
  return (
    <Page title={shell().world} lead={world().overviewLead}>
      <WorldTiles label={shell().world} />
      {error && !data && (
        <Panel>
          <Failure error={error} onRetry={reload} />
        </Panel>
      )}
      {!error && !data && <Skeleton lines={8} />}
      {data && <Charts minutes={data.minutes} />}
    </Page>
  );
}

/** The unit of an axis with large numbers. */
const short = (value: number): string =>
  new Intl.NumberFormat(language.value, { notation: "compact", maximumFractionDigits: 1 }).format(value);

function Charts({ minutes }: { readonly minutes: readonly MinuteView[] }) {
  const texts = overview();
  const shown = useMemo(() => seriesOf(minutes), [minutes, language.value]);
  const busy = minutes.filter(({ calls }) => calls > 0).toReversed();
  if (busy.length === 0) {
    return (
      <Panel title={texts.calls}>
        <Empty title={texts.empty}>{texts.emptyText}</Empty>
      </Panel>
    );
  }
  const minute: Column<MinuteView> = { head: texts.minute, cell: (row) => <When at={row.minute} kind="hour" /> };
  const count = (head: string, valueOf: (row: MinuteView) => number): Column<MinuteView> => ({
    head,
    isNumber: true,
    cell: (row) => <span class="amount">{valueOf(row)}</span>,
  });
  const ms = (head: string, valueOf: (row: MinuteView) => number | null): Column<MinuteView> => ({
    head,
    isNumber: true,
    cell: (row) => <span class="amount">{durationText(valueOf(row))}</span>,
  });
  const chart = { times: shown.times, rows: busy };
  return (
    <>
      <ChartPanel
        {...chart}
        title={texts.calls}
        lead={texts.callsLead}
        series={shown.calls}
        kind="bars"
        format={short}
        columns={[
          minute,
          count(texts.accepted, acceptedOf),
          count(texts.rejected, (row) => row.rejected),
          count(texts.refused, (row) => row.refused),
        ]}
      />
      <ChartPanel
        {...chart}
        title={texts.latency}
        lead={texts.latencyLead}
        series={shown.latency}
        kind="line"
        format={durationText}
        columns={[minute, ms(texts.median, (row) => row.p50Ms), ms(texts.p99, (row) => row.p99Ms)]}
      />
      <ChartPanel
        {...chart}
        title={texts.money}
        lead={texts.moneyLead}
        series={shown.money}
        kind="bars"
        format={short}
        columns={[
          minute,
          {
            head: texts.amount,
            isNumber: true,
            cell: ({ amounts }) => <Amount value={amounts["IDR"] ?? "0.00"} currency="IDR" />,
          },
        ]}
      />
    </>
  );
}

const acceptedOf = ({ calls, refused, rejected }: MinuteView): number => calls - refused - rejected;

/** Points of a picture: an amount is drawn, not counted with. */
const heightOf = (decimal: string | undefined): number => Number.parseFloat(decimal ?? "0");

function seriesOf(minutes: readonly MinuteView[]) {
  const texts = overview();
  const line = (label: string, color: string, valueOf: (minute: MinuteView) => number | null): Series => ({
    label,
    color,
    values: minutes.map(valueOf),
  });
  return {
    times: minutes.map(({ minute }) => new Date(minute).getTime() / 1_000),
    // Bars stand before each other: all of a minute, then the part of it that failed, then that of the checks.
    calls: [
      line(texts.accepted, "--accent", ({ calls }) => calls),
      line(texts.rejected, "--warn", ({ refused, rejected }) => refused + rejected),
      line(texts.refused, "--bad", ({ refused }) => refused),
    ],
    latency: [line(texts.median, "--accent", ({ p50Ms }) => p50Ms), line(texts.p99, "--warn", ({ p99Ms }) => p99Ms)],
    money: [line(texts.amount, "--good", ({ amounts }) => heightOf(amounts["IDR"]))],
  };
}

interface ChartPanelProps {
  readonly title: string;
  readonly lead: string;
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly kind: "bars" | "line";
  readonly format: (value: number) => string;
  readonly columns: readonly Column<MinuteView>[];
  readonly rows: readonly MinuteView[];
}

function ChartPanel({ title, lead, times, columns, rows, ...picture }: ChartPanelProps) {
  return (
    <Panel title={title} lead={lead} isFlush>
      <div class="chart-and-table">
        <Chart {...picture} label={overview().chartOf(title, rows.length)} times={times} />
        <div class="chart-table">
          <Table caption={title} columns={columns} rows={rows} keyOf={({ minute }) => minute} layout="table" />
        </div>
      </div>
    </Panel>
  );
}

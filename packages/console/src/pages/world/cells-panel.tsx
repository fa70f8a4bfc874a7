/** Cells, and how far payments from one to another are; nothing where there is home alone. */
import { call } from "../../api/call.ts";
import { useControl } from "../../api/resource.ts";
import { Badge } from "../../design/badge.tsx";
import { Panel } from "../../design/page.tsx";
import { Table } from "../../design/table.tsx";
import { cells as textsOf } from "../../texts/operations/cells.ts";

export function CellsPanel({ everyMs }: { readonly everyMs: number }) {
  const { data } = useControl(call("GET /cells"), everyMs);
  if (!data || data.cells.length < 2) return null;
  const texts = textsOf();
  return (
    <>
      <Panel title={texts.title} lead={texts.lead} isFlush>
        <Table
          caption={texts.title}
          rows={data.cells}
          keyOf={({ number }) => String(number)}
          columns={[
            { head: texts.number, cell: ({ number }) => (number === 0 ? texts.home : number) },
            { head: texts.ranges, cell: ({ ranges }) => ranges ?? texts.others },
            { head: texts.state, cell: ({ isReachable }) => <AnswerBadge isReachable={isReachable === true} /> },
          ]}
        />
      </Panel>
      <Panel title={texts.streams} lead={texts.streamsLead} isFlush>
        <Table
          caption={texts.streams}
          rows={data.streams}
          keyOf={({ from, to }) => `${from} ${to}`}
          columns={[
            { head: texts.from, cell: ({ from }) => from },
            { head: texts.to, cell: ({ to }) => to },
            { head: texts.behind, cell: (row) => <Progress {...row} /> },
            { head: texts.oldest, cell: ({ seconds }) => Math.round(seconds) },
          ]}
        />
      </Panel>
    </>
  );
}

function AnswerBadge({ isReachable }: { readonly isReachable: boolean }) {
  const texts = textsOf();
  return <Badge tone={isReachable ? "good" : "bad"}>{isReachable ? texts.answers : texts.silent}</Badge>;
}

interface StreamProgress {
  readonly entries: number;
  readonly stopped: readonly string[];
}

function Progress({ entries, stopped }: StreamProgress) {
  const texts = textsOf();
  if (stopped.length > 0) return <Badge tone="bad">{texts.stopped(stopped.join(", "))}</Badge>;
  return entries === 0 ? <Badge tone="good">{texts.level}</Badge> : <>{entries}</>;
}

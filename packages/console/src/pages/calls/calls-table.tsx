/** Calls, newest first. */
import type { CallView } from "@titian/control/types";
import { useDiagnosis } from "../../api/diagnosis.ts";
import { Table, type Column } from "../../design/table.tsx";
import { durationText, When } from "../../design/time.tsx";
import { ResponseBadge } from "../../design/word-badge.tsx";
import { hrefOf } from "../../routing/router.ts";
import { calls as callTexts } from "../../texts/calls.ts";
import { sentenceOf } from "../../texts/sentence.ts";

interface CallsTableProps {
  readonly calls: readonly CallView[];
}

export function CallsTable({ calls }: CallsTableProps) {
  const texts = callTexts();
  const columns: readonly Column<CallView>[] = [
    { head: texts.time, isNarrow: true, cell: ({ at }) => <When at={at} kind="clock" /> },
    { head: texts.partner, isNarrow: true, cell: ({ partnerId }) => partnerId ?? <span class="muted">–</span> },
    {
      head: texts.call,
      isNarrow: true,
      cell: (call) => (
        <a class="call-link" href={hrefOf(["calls", call.id])}>
          <CallName call={call} />
        </a>
      ),
    },
    {
      head: texts.response,
      isNarrow: true,
      cell: ({ responseCode, status }) => (
        <ResponseBadge code={responseCode || (status === 0 ? undefined : String(status))} />
      ),
    },
    { head: texts.why, cell: (call) => <Why call={call} /> },
    {
      head: texts.duration,
      isNumber: true,
      isNarrow: true,
      cell: ({ durationMs }) => <span class="amount muted">{durationText(durationMs)}</span>,
    },
  ];
  return <Table caption={texts.title} columns={columns} rows={calls} keyOf={({ id }) => id} layout="feed" />;
}

function CallName({ call: { serviceCode, operation, path } }: { readonly call: CallView }) {
  if (operation === undefined) return <span class="number">{path}</span>;
  return (
    <>
      {serviceCode} {operation}
    </>
  );
}

/** Reason why a call was rejected, as far as it is known; else its response. */
function Why({ call }: { readonly call: CallView }) {
  const diagnosis = useDiagnosis(call.id, call.isRefused);
  const isGood = call.responseCode.startsWith("2");
  if (diagnosis) return <span class="small">{sentenceOf(diagnosis)}</span>;
  return <span class="small muted">{isGood ? "" : call.responseMessage}</span>;
}

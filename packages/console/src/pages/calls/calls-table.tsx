/** Calls, newest first. */
import type { CallView } from "../../api/types.ts";
import { language } from "../../app/preferences.ts";
import { Table, type Column } from "../../design/table.tsx";
import { When } from "../../design/time.tsx";
import { ResponseBadge } from "../../design/word-badge.tsx";
import { hrefOf } from "../../routing/router.ts";
import { calls as callTexts } from "../../texts/calls.ts";

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
      cell: (call) => (
        <a class="call-link" href={hrefOf(["calls", call.id])}>
          <CallName call={call} />
        </a>
      ),
    },
    { head: texts.response, isNarrow: true, cell: ({ responseCode, status }) => <ResponseBadge code={responseCode || String(status)} /> },
    { head: texts.why, cell: (call) => <span class="small">{whyOf(call)}</span> },
    {
      head: texts.duration,
      isNumber: true,
      isNarrow: true,
      cell: ({ durationMs }) => <span class="amount muted">{texts.ms(Math.round(durationMs))}</span>,
    },
  ];
  return <Table caption={texts.title} columns={columns} rows={calls} keyOf={({ id }) => id} />;
}

function CallName({ call: { serviceCode, operation, path } }: { readonly call: CallView }) {
  if (operation === undefined) return <span class="number">{path}</span>;
  return (
    <>
      {serviceCode} {operation}
    </>
  );
}

/** Why a call was refused, in the language of the page. */
export function whyOf({ sentence, sentenceId, responseMessage, responseCode }: CallView): string {
  const diagnosis = language.value === "id" ? (sentenceId ?? sentence) : sentence;
  if (diagnosis !== undefined) return diagnosis;
  return responseCode.startsWith("2") ? "" : (responseMessage ?? "");
}

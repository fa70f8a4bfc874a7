/** Calls that touched the record, each with what was sent where that is known, and a way to send it again. */
import { type Answer, call } from "../../api/call.ts";
import { isProduction } from "../../api/host.ts";
import { useControl } from "../../api/resource.ts";
import { Badge } from "../../design/badge.tsx";
import { Code, prettyJson } from "../../design/code.tsx";
import { Panel } from "../../design/page.tsx";
import { Notice } from "../../design/states.tsx";
import { type Column, List } from "../../design/table.tsx";
import { When } from "../../design/time.tsx";
import { ResponseWords } from "../../design/word-badge.tsx";
import { hrefOf, tryAgainHref } from "../../routing/router.ts";
import { recordCalls } from "../../texts/record-calls.ts";
import type { Tone } from "../../texts/words.ts";

const everyMs = 4_000;

type RecordCall = Answer<"GET /timeline/{referenceNo}/calls">["calls"][number];

const tones: Readonly<Record<RecordCall["outcome"], Tone>> = {
  accepted: "good",
  repeat: "plain",
  rejected: "bad",
  inquiry: "plain",
};

interface RecordCallsProps {
  readonly referenceNo: string;
  readonly partnerId: string;
}

export function RecordCalls({ referenceNo, partnerId }: RecordCallsProps) {
  const texts = recordCalls();
  const asked = call("GET /timeline/{referenceNo}/calls", { params: { referenceNo } });
  const { data, error, reload } = useControl(asked, everyMs);
  const columns: readonly Column<RecordCall>[] = [
    { head: texts.at, cell: ({ at }) => <When at={at} /> },
    { head: texts.operation, cell: (row) => <Name row={row} /> },
    { head: texts.answer, cell: (row) => <Outcome row={row} /> },
    { head: texts.body, cell: (row) => <Body row={row} partnerId={partnerId} /> },
  ];
  return (
    <Panel title={texts.title} lead={texts.lead} isFlush>
      {data?.hasMore && (
        <div class="panel-body">
          <Notice>{texts.hasMore}</Notice>
        </div>
      )}
      <List
        caption={texts.title}
        columns={columns}
        rows={data?.calls}
        keyOf={({ correlationId }, position) => correlationId ?? position}
        error={error}
        onRetry={reload}
        empty={{ title: texts.empty }}
      />
    </Panel>
  );
}

function Name({ row: { operation, serviceCode, correlationId, isRecorded } }: { readonly row: RecordCall }) {
  const id = correlationId ?? recordCalls().notKept;
  return (
    <span>
      {`${serviceCode} ${operation}`}
      <br />
      {(isRecorded || isProduction()) && correlationId !== undefined ? (
        <a class="number" href={hrefOf(["calls", correlationId])}>
          {id}
        </a>
      ) : (
        <span class="number muted">{id}</span>
      )}
    </span>
  );
}

function Outcome({ row: { outcome, responseCode, responseMessage, count } }: { readonly row: RecordCall }) {
  const texts = recordCalls();
  return (
    <span class="row">
      <Badge tone={tones[outcome]}>{texts.outcomes[outcome]}</Badge>
      {responseCode !== undefined && <ResponseWords code={responseCode} message={responseMessage} />}
      {count !== undefined && <span class="muted small">{texts.count(count)}</span>}
    </span>
  );
}

function Body({ row, partnerId }: RecordCallProps) {
  const texts = recordCalls();
  const { operation, outcome, body, canBeSentAgain, withoutBody } = row;
  if (body === undefined) return withoutBody && <span class="muted small">{texts.withoutBody[withoutBody]}</span>;
  return (
    <details>
      <summary>{texts.body}</summary>
      <Code text={prettyJson(body)} label={texts.body} isWrapped />
      {canBeSentAgain && !isProduction() ? (
        <a class="button" href={tryAgainHref(operation, partnerId, body)}>
          {outcome === "accepted" ? texts.againSameNumber : texts.again}
        </a>
      ) : (
        !canBeSentAgain && <span class="muted small">{texts.cut}</span>
      )}
    </details>
  );
}

interface RecordCallProps {
  readonly row: RecordCall;
  readonly partnerId: string;
}

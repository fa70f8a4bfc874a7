/** One call: request, answer, and why it was refused. */
import type { CallDetails } from "@titian/control/types";
import { call as controlCall } from "../../api/call.ts";
import { useControl } from "../../api/resource.ts";
import { Code, prettyJson } from "../../design/code.tsx";
import { Facts } from "../../design/facts.tsx";
import { Page, Panel } from "../../design/page.tsx";
import { Notice, Skeleton } from "../../design/states.tsx";
import { durationText, When } from "../../design/time.tsx";
import { ResponseBadge } from "../../design/word-badge.tsx";
import { hrefOf } from "../../routing/router.ts";
import { calls as callTexts } from "../../texts/calls.ts";
import { common } from "../../texts/common.ts";
import { faultName } from "../../texts/faults.ts";
import { sentenceOf } from "../../texts/sentence.ts";
import { shell } from "../../texts/shell.ts";
import { KeptCall } from "./kept-call.tsx";
import { ExplanationPanel } from "./explanation-panel.tsx";

/** Page of a call in production, where no node is asked for what it remembers. */
export function KeptCallPage({ id }: { readonly id: string }) {
  return (
    <Page title={callTexts().title} back={{ href: hrefOf([]), label: shell().home }}>
      <KeptCall id={id} />
    </Page>
  );
}

export function CallPage({ id }: { readonly id: string }) {
  const texts = callTexts();
  const { data, error, reload } = useControl(controlCall("GET /calls/{id}", { params: { id } }));
  const back = { href: hrefOf(["calls"]), label: texts.back };
  if (!data) {
    return (
      <Page title={texts.title} back={back}>
        {error ? (
          <KeptCall id={id} error={error} onRetry={reload} />
        ) : (
          <Panel>
            <Skeleton lines={8} />
          </Panel>
        )}
      </Page>
    );
  }
  const { serviceCode, operation, responseCode, responseMessage, warnings } = data;
  return (
    <Page
      title={operation === undefined ? texts.unknownPath : `${serviceCode} ${operation}`}
      back={back}
      lead={responseMessage}
      actions={<ResponseBadge code={responseCode} />}
    >
      <ExplanationPanel call={data} />
      {warnings.length > 0 && (
        <Panel title={texts.warnings}>
          <ul class="stack-tight">
            {warnings.map((warning) => (
              <li key={warning.sentenceId}>
                <Notice tone="warn">{sentenceOf(warning)}</Notice>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <CallFacts call={data} />
      <div class="call-bodies">
        <RequestPanel call={data} />
        <AnswerPanel call={data} />
      </div>
    </Page>
  );
}

function CallFacts({ call }: { readonly call: CallDetails }) {
  const texts = callTexts();
  return (
    <Panel title={texts.facts}>
      <Facts
        facts={[
          [common().time, <When at={call.at} />],
          [texts.businessTime, call.ourClock && <When at={call.ourClock} />],
          [texts.partner, call.partnerId],
          [texts.duration, durationText(call.durationMs)],
          [texts.address, call.address],
          ["X-CORRELATION-ID", <span class="number">{call.id}</span>],
          [texts.fault, call.fault && faultName(call.fault)],
          [texts.toRecord, recordLinkOf(call)],
        ]}
      />
    </Panel>
  );
}

/** The number that the answer gave, where it gave one. */
function recordLinkOf({ response }: CallDetails) {
  const number = /"(?:referenceNo|bulkId|originalReferenceNo)":"([0-9A-HJKMNP-TV-Z]{26})"/.exec(response)?.[1];
  if (number === undefined) return undefined;
  return (
    <a class="number" href={hrefOf(["record", number])}>
      {number}
    </a>
  );
}

function RequestPanel({ call: { method, request } }: { readonly call: CallDetails }) {
  const texts = callTexts();
  const head = [`${method} ${request.path}`, ...request.headers.map(({ name, value }) => `${name}: ${value}`)].join(
    "\n",
  );
  return (
    <Panel title={texts.request}>
      <div class="stack-tight">
        <Code text={head} label={texts.headers} isWrapped />
        {request.body === undefined || request.body === "" ? (
          <p class="muted">{request.body === undefined ? texts.notRead : texts.noBody}</p>
        ) : (
          <Code text={request.isBodyCut ? request.body : prettyJson(request.body)} label={texts.body} />
        )}
        {request.isBodyCut && <Notice>{texts.cut}</Notice>}
      </div>
    </Panel>
  );
}

function AnswerPanel({ call: { response, isResponseCut } }: { readonly call: CallDetails }) {
  const texts = callTexts();
  return (
    <Panel title={texts.answer}>
      <div class="stack-tight">
        {response === "" ? (
          <p class="muted">{texts.noBody}</p>
        ) : (
          <Code text={isResponseCut ? response : prettyJson(response)} label={texts.answer} />
        )}
        {isResponseCut && <Notice>{texts.cut}</Notice>}
      </div>
    </Panel>
  );
}

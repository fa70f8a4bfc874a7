/** Response of the service, and where to look further. */
import { useEffect, useRef } from "preact/hooks";
import { Code, prettyJson } from "../../design/code.tsx";
import { Panel } from "../../design/page.tsx";
import { Empty, Notice } from "../../design/states.tsx";
import { durationText } from "../../design/time.tsx";
import { ResponseBadge } from "../../design/word-badge.tsx";
import { hrefOf } from "../../routing/router.ts";
import { tryIt } from "../../texts/try.ts";
import type { ServiceAnswer } from "./send.ts";

export function ResponsePanel({ answer }: { readonly answer: ServiceAnswer | undefined }) {
  const texts = tryIt();
  const place = useRef<HTMLDivElement>(null);
  // On a phone it is below the form.
  useEffect(() => {
    if (answer) place.current?.scrollIntoView({ block: "nearest" });
  }, [answer]);
  if (!answer) {
    return (
      <Panel title={texts.response}>
        <Empty title={texts.noResponse} />
      </Panel>
    );
  }
  const { status, body, callId, durationMs } = answer;
  const { responseCode, responseMessage, recordNo } = readAnswer(body);
  return (
    <div ref={place} class="response">
      <Panel
        title={texts.response}
        actions={
          <>
            {status !== 0 && <ResponseBadge code={responseCode ?? String(status)} />}
            <span class="muted small">{durationText(durationMs)}</span>
          </>
        }
      >
        <div class="stack-tight">
          <div role="status" class="stack-tight">
            {status === 0 && <Notice tone="bad">{texts.lost}</Notice>}
            {responseMessage !== undefined && <strong>{responseMessage}</strong>}
          </div>
          <div class="row">
            {callId !== undefined && (
              <a class="button" href={hrefOf(["calls", callId])}>
                {texts.openCall}
              </a>
            )}
            {recordNo !== undefined && (
              <a class="button" href={hrefOf(["record", recordNo])}>
                {texts.openRecord}
              </a>
            )}
          </div>
          {body !== "" && <Code text={prettyJson(body)} label={texts.response} />}
        </div>
      </Panel>
    </div>
  );
}

interface ReadAnswer {
  readonly responseCode?: string;
  readonly responseMessage?: string;
  /** Our number of what the call made or was about. */
  readonly recordNo?: string;
}

function readAnswer(body: string): ReadAnswer {
  const answer = parseObject(body);
  const text = (name: string): string | undefined => {
    const value = answer[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const responseCode = text("responseCode");
  const responseMessage = text("responseMessage");
  const recordNo = text("referenceNo") ?? text("bulkId") ?? text("originalReferenceNo");
  return {
    ...(responseCode !== undefined && { responseCode }),
    ...(responseMessage !== undefined && { responseMessage }),
    ...(recordNo !== undefined && { recordNo }),
  };
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

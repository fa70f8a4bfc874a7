/** The last test of a partner's receiver, and a button that tests it now. */
import type { ReceiverTestView } from "@titian/control/types";
import { useAction } from "../../api/action.ts";
import { call } from "../../api/call.ts";
import { act } from "../../api/control.ts";
import { useControl } from "../../api/resource.ts";
import { Button } from "../../design/inputs.tsx";
import { Panel } from "../../design/page.tsx";
import { errorText, Failure, Notice, Skeleton } from "../../design/states.tsx";
import { When } from "../../design/time.tsx";
import { receiver } from "../../texts/receiver.ts";
import { sentenceOf } from "../../texts/sentence.ts";

interface ReceiverTestProps {
  readonly partnerId: string;
  /** Notification to test it with; absent: 76. */
  readonly serviceCode?: string | undefined;
}

export function ReceiverTest({ partnerId, serviceCode }: ReceiverTestProps) {
  const texts = receiver();
  const params = { partnerId };
  const kept = useControl(call("GET /partners/{partnerId}/receiver-test", { params }));
  const { run, isRunning, error } = useAction(() =>
    act(call("POST /partners/{partnerId}/receiver-test", { params, body: { serviceCode } })),
  );
  return (
    <Panel
      title={texts.title(partnerId)}
      lead={texts.lead}
      actions={
        <Button isBusy={isRunning} onClick={() => run()}>
          {texts.test}
        </Button>
      }
    >
      <div class="stack-tight">
        {error && <Notice tone="bad">{errorText(error)}</Notice>}
        {kept.data && (kept.data.test === null ? <p class="muted">{texts.never}</p> : <Result test={kept.data.test} />)}
        {!kept.data && (kept.error ? <Failure error={kept.error} onRetry={kept.reload} /> : <Skeleton lines={2} />)}
      </div>
    </Panel>
  );
}

function Result({ test }: { readonly test: ReceiverTestView }) {
  const texts = receiver();
  const { at, serviceCode, url, httpStatus, failure, reply, durationMs, explanation } = test;
  const outcome = [
    serviceCode,
    httpStatus !== undefined && `HTTP ${httpStatus}`,
    failure ?? texts.accepted,
    `${Math.round(durationMs)} ms`,
  ];
  return (
    <>
      {explanation && <Notice tone={failure === undefined ? "good" : "warn"}>{sentenceOf(explanation)}</Notice>}
      <p class="muted small">
        {texts.last}: <When at={at} /> · {outcome.filter(Boolean).join(" · ")}
      </p>
      <p class="number muted">{url}</p>
      {reply !== undefined && reply !== "" && <p class="number small">{reply}</p>}
    </>
  );
}

/** What an operator or the payer may do with it now. */
import { useState } from "preact/hooks";
import { useAction } from "../../api/action.ts";
import { act } from "../../api/control.ts";
import type { Timeline, TimelineAction } from "../../api/types.ts";
import { Button, TextField } from "../../design/inputs.tsx";
import { Panel } from "../../design/page.tsx";
import { errorText, Notice } from "../../design/states.tsx";
import { record } from "../../texts/record.ts";

interface Request {
  readonly path: string;
  readonly body?: unknown;
}

function requestOf(action: TimelineAction, referenceNo: string, amount: string): Request {
  const id = encodeURIComponent(referenceNo);
  switch (action) {
    case "resolveSettled":
      return { path: `/transfers/${id}/resolve`, body: { result: "settled" } };
    case "resolveRefused":
      return { path: `/transfers/${id}/resolve`, body: { result: "refused" } };
    case "return":
      return { path: `/transfers/${id}/return` };
    case "approve":
      return { path: `/payment-requests/${id}/approve`, ...(amount !== "" && { body: { amount } }) };
    case "decline":
      return { path: `/payment-requests/${id}/decline` };
  }
}

export function Actions({ timeline }: { readonly timeline: Timeline }) {
  const texts = record();
  const [amount, setAmount] = useState("");
  const { run, isRunning, error, result } = useAction(async (action: TimelineAction) => {
    const { path, body } = requestOf(action, timeline.referenceNo, amount.trim());
    await act(path, body === undefined ? {} : { body });
    return true;
  });
  const isOpenAmount = timeline.actions.includes("approve") && timeline.amount === undefined;
  if (timeline.actions.length === 0 && !result && !error) return null;
  return (
    <Panel title={texts.actions}>
      <div class="stack-tight">
        <div class="row-end">
          {isOpenAmount && <TextField label={texts.approveAmount} value={amount} onInput={setAmount} isCode />}
          {timeline.actions.map((action) => (
            <Button
              key={action}
              isBusy={isRunning}
              {...(action === "resolveRefused" || action === "decline" ? { kind: "danger" } : {})}
              onClick={() => run(action)}
            >
              {texts.actionNames[action]}
            </Button>
          ))}
        </div>
        {error && <Notice tone="bad">{errorText(error)}</Notice>}
        {result && <Notice tone="good">{texts.actionDone}</Notice>}
      </div>
    </Panel>
  );
}

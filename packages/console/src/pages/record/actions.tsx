/** Actions that an operator or the payer may take with it now. */
import type { Side, Timeline, TimelineAction } from "@titian/control/types";
import { useState } from "preact/hooks";
import { useAction } from "../../api/action.ts";
import { type Call, call } from "../../api/call.ts";
import { act } from "../../api/control.ts";
import { Button, TextField } from "../../design/inputs.tsx";
import { type Question, useConfirm } from "../../design/confirm.tsx";
import { moneyText } from "../../design/money.tsx";
import { Panel } from "../../design/page.tsx";
import { errorText, Notice } from "../../design/states.tsx";
import { record } from "../../texts/record.ts";

function callOf(action: TimelineAction, referenceNo: string, amount: string): Call<unknown> {
  const params = { referenceNo };
  switch (action) {
    case "resolveSettled":
      return call("POST /transfers/{referenceNo}/resolve", { params, body: { result: "settled" } });
    case "resolveRefused":
      return call("POST /transfers/{referenceNo}/resolve", { params, body: { result: "refused" } });
    case "return":
      return call("POST /transfers/{referenceNo}/return", { params });
    case "approve":
      return call("POST /payment-requests/{referenceNo}/approve", { params, body: amount === "" ? {} : { amount } });
    case "decline":
      return call("POST /payment-requests/{referenceNo}/decline", { params });
  }
}

export function Actions({ timeline }: { readonly timeline: Timeline }) {
  const texts = record();
  const [amount, setAmount] = useState("");
  const { run, isRunning, error, result } = useAction(async (action: TimelineAction) => {
    await act(callOf(action, timeline.referenceNo, amount.trim()));
    return true;
  });
  const { ask, dialog } = useConfirm();
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
              onClick={() => ask(questionOf(action, timeline, amount.trim(), () => run(action)))}
            >
              {texts.actionNames[action]}
            </Button>
          ))}
        </div>
        {error && <Notice tone="bad">{errorText(error)}</Notice>}
        {result && <Notice tone="good">{texts.actionDone}</Notice>}
      </div>
      {dialog}
    </Panel>
  );
}

function questionOf(action: TimelineAction, timeline: Timeline, given: string, onConfirm: () => void): Question {
  const texts = record();
  const { amount = given, currency, sides, referenceNo } = timeline;
  const nameOf = (role: Side["role"]): string => {
    const side = sides.find((one) => one.role === role);
    return side?.name ?? side?.account?.name ?? side?.accountNo ?? "";
  };
  const money = amount === "" ? texts.itsAmount : moneyText(amount, currency);
  return {
    title: `${texts.actionNames[action]}: ${referenceNo}`,
    text: texts.actionMeans[action](money, { payer: nameOf("payer"), beneficiary: nameOf("beneficiary") }),
    action: texts.actionNames[action],
    onConfirm,
  };
}

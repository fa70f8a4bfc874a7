/** Actions that an operator or the payer may take with it now. */
import type { Side, Timeline, TimelineAction } from "@titian/control/types";
import { useState } from "preact/hooks";
import { useAction } from "../../api/action.ts";
import { type Call, call } from "../../api/call.ts";
import { act } from "../../api/control.ts";
import { isProduction } from "../../api/host.ts";
import { Button, TextField } from "../../design/inputs.tsx";
import { type Question, useConfirm } from "../../design/confirm.tsx";
import { moneyText } from "../../design/money.tsx";
import { Panel } from "../../design/page.tsx";
import { ErrorNotice, Notice } from "../../design/states.tsx";
import { acts } from "../../texts/acts.ts";
import { record } from "../../texts/record.ts";

interface Given {
  readonly amount: string;
  readonly reason: string;
}

function callOf(action: TimelineAction, referenceNo: string, { amount, reason }: Given): Call<unknown> {
  const params = { referenceNo };
  const why = reason === "" ? {} : { reason };
  switch (action) {
    case "resolveSettled":
      return call("POST /transfers/{referenceNo}/resolve", { params, body: { result: "settled", ...why } });
    case "resolveRefused":
      return call("POST /transfers/{referenceNo}/resolve", { params, body: { result: "refused", ...why } });
    case "return":
      return call("POST /transfers/{referenceNo}/return", { params, body: why });
    case "approve":
      return call("POST /payment-requests/{referenceNo}/approve", { params, body: amount === "" ? {} : { amount } });
    case "decline":
      return call("POST /payment-requests/{referenceNo}/decline", { params });
  }
}

/** The payer's answer is not an operator's to give. */
const isServed = (action: TimelineAction): boolean => !isProduction() || (action !== "approve" && action !== "decline");

export function Actions({ timeline }: { readonly timeline: Timeline }) {
  const texts = record();
  const [amount, setAmount] = useState("");
  const { run, isRunning, error, result } = useAction(async (action: TimelineAction, reason: string) => {
    await act(callOf(action, timeline.referenceNo, { amount: amount.trim(), reason }));
    return true;
  });
  const { ask, dialog } = useConfirm();
  // An open act is decided on before anything else is proposed.
  const actions = timeline.openAct ? [] : timeline.actions.filter(isServed);
  const isOpenAmount = actions.includes("approve") && timeline.amount === undefined;
  if (actions.length === 0 && !result && !error) return null;
  return (
    <Panel title={texts.actions}>
      <div class="stack-tight">
        <div class="row-end">
          {isOpenAmount && <TextField label={texts.approveAmount} value={amount} onInput={setAmount} isCode />}
          {actions.map((action) => (
            <Button
              key={action}
              isBusy={isRunning}
              {...(action === "resolveRefused" || action === "decline" ? { kind: "danger" } : {})}
              onClick={() => ask(questionOf(action, timeline, amount.trim(), (reason) => run(action, reason)))}
            >
              {texts.actionNames[action]}
            </Button>
          ))}
        </div>
        {error && <ErrorNotice error={error} />}
        {result && <Notice tone="good">{texts.actionDone}</Notice>}
      </div>
      {dialog}
    </Panel>
  );
}

function questionOf(
  action: TimelineAction,
  timeline: Timeline,
  given: string,
  onConfirm: Question["onConfirm"],
): Question {
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
    // The payer's answer is no operator's act.
    ...(action !== "approve" && action !== "decline" && { reason: { label: acts().whyOptional } }),
    onConfirm,
  };
}

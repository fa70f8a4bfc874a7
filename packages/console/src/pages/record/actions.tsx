/** Actions that an operator or the payer may take with it now. */
import type { Timeline, TimelineAction } from "@titian/control/types";
import { useState } from "preact/hooks";
import { ActForms } from "../../acts/act-forms.tsx";
import { isOfOperator, partyName, transferForms } from "../../acts/transfer-forms.ts";
import { useAction } from "../../api/action.ts";
import { call } from "../../api/call.ts";
import { act } from "../../api/control.ts";
import { isProduction } from "../../api/host.ts";
import { Button, TextField } from "../../design/inputs.tsx";
import { type Question, useConfirm } from "../../design/confirm.tsx";
import { moneyText } from "../../design/money.tsx";
import { Panel } from "../../design/page.tsx";
import { ErrorNotice, Notice } from "../../design/states.tsx";
import { record } from "../../texts/record.ts";

type PayersAnswer = Extract<TimelineAction, "approve" | "decline">;

const isPayers = (action: TimelineAction): action is PayersAnswer => !isOfOperator(action);

export function Actions({ timeline }: { readonly timeline: Timeline }) {
  // The payer's answer is not an operator's to give.
  const answers = isProduction() ? [] : timeline.actions.filter(isPayers);
  return (
    <>
      <ActForms title={record().actions} forms={transferForms(timeline)} />
      <PayersAnswers timeline={timeline} answers={answers} />
    </>
  );
}

interface AnswersProps {
  readonly timeline: Timeline;
  readonly answers: readonly PayersAnswer[];
}

function PayersAnswers({ timeline, answers }: AnswersProps) {
  const texts = record();
  const [amount, setAmount] = useState("");
  const { run, isRunning, error, result } = useAction(async (answer: PayersAnswer) => {
    const params = { referenceNo: timeline.referenceNo };
    const given = amount.trim();
    await act(
      answer === "decline"
        ? call("POST /payment-requests/{referenceNo}/decline", { params })
        : call("POST /payment-requests/{referenceNo}/approve", { params, body: given === "" ? {} : { amount: given } }),
    );
    return true;
  });
  const { ask, dialog } = useConfirm();
  const isOpenAmount = answers.includes("approve") && timeline.amount === undefined;
  if (answers.length === 0 && !result && !error) return null;
  return (
    <Panel title={texts.actions}>
      <div class="stack-tight">
        <div class="row-end">
          {isOpenAmount && <TextField label={texts.approveAmount} value={amount} onInput={setAmount} isCode />}
          {answers.map((answer) => (
            <Button
              key={answer}
              isBusy={isRunning}
              {...(answer === "decline" ? { kind: "danger" } : {})}
              onClick={() => ask(questionOf(answer, timeline, amount.trim(), () => run(answer)))}
            >
              {texts.actionNames[answer]}
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

function questionOf(answer: PayersAnswer, timeline: Timeline, given: string, onConfirm: () => void): Question {
  const texts = record();
  const { amount = given, currency, referenceNo } = timeline;
  const money = amount === "" ? texts.itsAmount : moneyText(amount, currency);
  const parties = { payer: partyName(timeline, "payer"), beneficiary: partyName(timeline, "beneficiary") };
  return {
    title: `${texts.actionNames[answer]}: ${referenceNo}`,
    text: texts.actionMeans[answer](money, parties),
    action: texts.actionNames[answer],
    onConfirm,
  };
}

/** Forms of acts on a transfer: its result, and its return. */
import type { Side, Timeline, TimelineAction } from "@titian/control/types";
import { call } from "../api/call.ts";
import { moneyText } from "../design/money.tsx";
import { common } from "../texts/common.ts";
import { record } from "../texts/record.ts";
import { word } from "../texts/words.ts";
import type { ActForm } from "./form.ts";

type ActOfTransfer = Exclude<TimelineAction, "approve" | "decline">;

const states = { resolveSettled: "settled", resolveRefused: "rejected", return: "returned" } as const;

export const isOfOperator = (action: TimelineAction): action is ActOfTransfer => Object.hasOwn(states, action);

/** Name of a party, as the record has it. */
export function partyName({ sides }: Timeline, role: Side["role"]): string {
  const side = sides.find((one) => one.role === role);
  return side?.name ?? side?.account?.name ?? side?.accountNo ?? "";
}

/** Forms of what is possible now. An open act is decided on before anything else is proposed. */
export function transferForms(timeline: Timeline): readonly ActForm[] {
  if (timeline.openAct) return [];
  return timeline.actions.filter(isOfOperator).map((action) => formOf(action, timeline));
}

function formOf(action: ActOfTransfer, timeline: Timeline): ActForm {
  const texts = record();
  const { referenceNo, amount = "", currency, state } = timeline;
  const parties = { payer: partyName(timeline, "payer"), beneficiary: partyName(timeline, "beneficiary") };
  const params = { referenceNo };
  return {
    route: action === "return" ? "POST /transfers/{referenceNo}/return" : "POST /transfers/{referenceNo}/resolve",
    action: texts.actionNames[action],
    title: `${texts.actionNames[action]}: ${referenceNo}`,
    means: texts.actionMeans[action](moneyText(amount, currency), parties),
    isGrave: action !== "resolveSettled",
    fields: [],
    changes: () => [{ name: common().state, before: word("states", state), after: word("states", states[action]) }],
    callOf: (_, words) => {
      if (action === "return") return call("POST /transfers/{referenceNo}/return", { params, body: words });
      const result = action === "resolveSettled" ? "settled" : "refused";
      return call("POST /transfers/{referenceNo}/resolve", { params, body: { result, ...words } });
    },
  };
}

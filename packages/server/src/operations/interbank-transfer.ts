/** 18: to another bank, online. The caller waits for the rail, but not for ever: then it is told 202 (decision D11). */
import { operations } from "@titian/contract";
import type { Handler } from "../call.ts";
import { isUndone } from "../ledger/rail-transfer.ts";
import { acceptOver, echoOf, type RailDeps, type RailFacts, toAccepted } from "./rail-transfer.ts";
import { type Conclusion, write } from "./write.ts";

const rail = "interbank";

export function handleInterbankTransfer(deps: RailDeps): Handler {
  const { sender, reads } = deps;
  const settled = (facts: RailFacts, id: string, traceNo: string | undefined) =>
    ({ case: "success", fields: { ...echoOf(facts, id), traceNo } }) as const;
  const open = (facts: RailFacts, id: string) => ({ case: "requestInProgress", fields: echoOf(facts, id) }) as const;

  return write<"interbankTransfer", RailFacts>(operations.interbankTransfer, {
    ...acceptOver("interbankTransfer"),
    answer: (facts, { id }) => echoOf(facts, id),
    conclude: async ({ id, facts, undo }): Promise<Conclusion> => {
      const result = await sender.sendWithin(toAccepted(id, rail, facts), undo);
      switch (result.kind) {
        case "settled":
          return settled(facts, id, result.traceNo);
        case "refused":
          return { refusal: { kind: result.refusal } };
        case "open":
          return open(facts, id);
        case "unknown":
          return "unknown";
      }
    },
    recall: async (facts, { id }) => {
      const transfer = await reads.findTransfer(id);
      const wasSettled = transfer?.withinCall === true && !isUndone(transfer);
      return wasSettled ? settled(facts, id, transfer.traceNo) : open(facts, id);
    },
  })(deps);
}

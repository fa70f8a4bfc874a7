/** 22: large amounts, settled one by one. The answer says that it was accepted; its result is told by a notification (decisions D11, D14). */
import { operations } from "@titian/contract";
import type { Handler } from "../call.ts";
import { acceptOver, echoOf, type RailDeps, type RailFacts, statusFields, toAccepted } from "./rail-transfer.ts";
import { write } from "./write.ts";

const rail = "rtgs";

export function handleRtgsTransfer(deps: RailDeps): Handler {
  const answer = (facts: RailFacts, { id }: { readonly id: string }) => ({
    ...echoOf(facts, id),
    ...statusFields("03"),
  });
  return write<"rtgsTransfer", RailFacts>(operations.rtgsTransfer, {
    ...acceptOver("rtgsTransfer"),
    answer,
    conclude: async ({ id, facts }) => {
      deps.sender.send(toAccepted(id, rail, facts));
      return { case: "success", fields: answer(facts, { id }) };
    },
  })(deps);
}

/** 22 and 23 answer that they were accepted; the result is told by a notification (decisions D11, D14). */
import { type OperationRow, operations } from "@titian/contract";
import type { Handler } from "../call.ts";
import {
  acceptOver,
  echoOf,
  type RailDeps,
  type RailFacts,
  railOf,
  statusFields,
  toAccepted,
} from "./rail-transfer.ts";
import { write } from "./write.ts";

type Name = "rtgsTransfer" | "sknTransfer";

export function tellLater(name: Name): (deps: RailDeps) => Handler {
  const operation: OperationRow & { readonly name: Name } = operations[name];
  const answer = (facts: RailFacts, { id }: { readonly id: string }) => ({
    ...echoOf(facts, id),
    ...statusFields("03"),
  });
  return (deps) =>
    write<Name, RailFacts>(operation, {
      ...acceptOver(name),
      answer,
      conclude: async (accepted) => {
        const { id, facts } = accepted;
        await deps.sender.send(toAccepted(railOf[name], accepted));
        return { case: "success", fields: answer(facts, { id }) };
      },
    })(deps);
}

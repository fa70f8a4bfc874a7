/** RTGS (22) and SKNBI (23) transfers: the response says that they were accepted, a notification has the result (spec D11, D14). */
import { type OperationRow, operations } from "@titian/contract";
import type { Handler } from "../../interfaces/call.ts";
import {
  acceptOver,
  echoRequest,
  type RailDeps,
  type RailPayload,
  statusFields,
  toSubmission,
} from "./rail-transfer.ts";
import { write } from "../write.ts";

type Name = "rtgsTransfer" | "sknTransfer";

export const handleRtgsTransfer = acceptAsync("rtgsTransfer");
export const handleSknTransfer = acceptAsync("sknTransfer");

function acceptAsync(name: Name): (deps: RailDeps) => Handler {
  const operation: OperationRow & { readonly name: Name } = operations[name];
  const response = (payload: RailPayload, { id }: { readonly id: string }) => ({
    ...echoRequest(payload, id),
    ...statusFields("03"),
  });
  return (deps) =>
    write<Name, RailPayload>(operation, {
      ...acceptOver(name),
      response,
      awaitResult: async (accepted) => {
        const { id, payload } = accepted;
        await deps.sender.send(toSubmission(name, accepted));
        return { case: "success", fields: response(payload, { id }) };
      },
    })(deps);
}

/** Interbank transfer (18), online: the caller waits for the rail, up to a limit; then the response is 202 (spec D11). */
import { operations } from "@titian/contract";
import type { Handler } from "../../interfaces/call.ts";
import { firstResult, type KnownResult } from "../../ledger/transfers/first-result.ts";
import {
  acceptOver,
  echoRequest,
  findRailTransfer,
  type RailDeps,
  type RailPayload,
  toSubmission,
} from "./rail-transfer.ts";
import { rejectionReply } from "../rejection-cases.ts";
import { type FirstResponse, write } from "../write.ts";

export function handleInterbankTransfer(deps: RailDeps): Handler {
  const { sender, reads } = deps;
  return write<"interbankTransfer", RailPayload>(operations.interbankTransfer, {
    ...acceptOver("interbankTransfer"),
    response: (payload, { id }) => echoRequest(payload, id),
    awaitResult: async (accepted) => {
      const { id, payload } = accepted;
      const result = await sender.sendWithin(toSubmission("interbankTransfer", accepted));
      return result.kind === "unknown" ? "unknown" : responseTo(result, payload, id);
    },
    firstResponse: async (payload, { id }) => responseTo(firstResult(await findRailTransfer(id, reads)), payload, id),
  })(deps);
}

/** A rejection has no number of ours (spec D8), though it was accepted first. */
function responseTo(result: KnownResult, payload: RailPayload, id: string): FirstResponse {
  switch (result.kind) {
    case "settled":
      return { case: "success", fields: { ...echoRequest(payload, id), traceNo: result.traceNo } };
    case "rejected":
      return { ...rejectionReply({ kind: result.rejection }), fields: { ...payload.request } };
    case "open":
      return { case: "requestInProgress", fields: echoRequest(payload, id) };
  }
}

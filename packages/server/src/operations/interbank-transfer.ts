/** 18: to another bank, online. The caller waits for the rail, but not for ever: then it is told 202 (decision D11). */
import { operations } from "@titian/contract";
import type { Handler } from "../call.ts";
import { firstResult, type KnownResult } from "../ledger/transfer-result.ts";
import { acceptOver, echoOf, findRailTransfer, type RailDeps, type RailFacts, toAccepted } from "./rail-transfer.ts";
import { refusalReply } from "./refusal-cases.ts";
import { type FirstAnswer, write } from "./write.ts";

const rail = "interbank";

export function handleInterbankTransfer(deps: RailDeps): Handler {
  const { sender, reads } = deps;
  return write<"interbankTransfer", RailFacts>(operations.interbankTransfer, {
    ...acceptOver("interbankTransfer"),
    answer: (facts, { id }) => echoOf(facts, id),
    conclude: async (accepted) => {
      const { id, facts } = accepted;
      const result = await sender.sendWithin(toAccepted(rail, accepted));
      return result.kind === "unknown" ? "unknown" : answerTo(result, facts, id);
    },
    firstAnswer: async (facts, { id }) => answerTo(firstResult(await findRailTransfer(id, reads)), facts, id),
  })(deps);
}

/** A refusal has no number of ours (decision D8), though it was accepted first. */
function answerTo(result: KnownResult, facts: RailFacts, id: string): FirstAnswer {
  switch (result.kind) {
    case "settled":
      return { case: "success", fields: { ...echoOf(facts, id), traceNo: result.traceNo } };
    case "refused":
      return { ...refusalReply({ kind: result.refusal }), fields: { ...facts.request } };
    case "open":
      return { case: "requestInProgress", fields: echoOf(facts, id) };
  }
}

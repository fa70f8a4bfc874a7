/** A rail in a process of its own, forked by `fork-rail.ts`, to be killed. */
import type { Rail } from "../../../packages/server/src/rails/rail.ts";
import { serveParent } from "../../support/child-node.ts";
import { confirmed } from "../../support/confirmed-commit.ts";
import type { RailAnswer, RailCall } from "./fork-rail.ts";
import { openRail, type RailPlan } from "./open-rail.ts";

serveParent<RailPlan, RailCall, RailAnswer>(async (plan) => {
  const rail = await openRail(plan);
  return {
    answer: (call) =>
      carryOut(rail, call).then(
        (value) => ({ kind: "answered", value }),
        (error: Error) => ({ kind: "unanswered", error: error.name }),
      ),
    close: () => rail.close(),
  };
});

async function carryOut(rail: Rail, call: RailCall): Promise<unknown> {
  switch (call.kind) {
    case "submit":
      return rail.submit(call.instruction, AbortSignal.timeout(30_000), confirmed);
    case "results":
      return rail.results(call.most);
    case "acknowledge":
      return rail.acknowledge(call.results);
  }
}

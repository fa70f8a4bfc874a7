/** A rail in a process of its own, to be killed: calls come and go as messages of `fork-rail.ts`. */
import { openRail, type RailPlan } from "./open-rail.ts";
import type { FromRail, ToRail } from "./fork-rail.ts";
import { confirmed } from "../../support/confirmed-commit.ts";

const plan: RailPlan = JSON.parse(process.argv[2] ?? "");
// Its end tells the one that started it.
const rail = await openRail(plan).catch(() => process.exit(1));
const say = (message: FromRail) => void process.send?.(message);

async function answer({ call }: ToRail): Promise<unknown> {
  switch (call.kind) {
    case "submit":
      return rail.submit(call.instruction, AbortSignal.timeout(30_000), confirmed);
    case "results":
      return rail.results(call.most);
    case "acknowledge":
      return rail.acknowledge(call.results);
  }
}

process.on("message", (message: ToRail) => {
  answer(message).then(
    (value) => say({ seq: message.seq, isAnswered: true, value }),
    (error: Error) => say({ seq: message.seq, isAnswered: false, error: error.name }),
  );
});
say({ seq: 0, isAnswered: true });

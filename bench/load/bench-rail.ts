/** A rail in the process under test that settles every instruction after a set time: what is left is our own cost. */
import { setTimeout as sleep } from "node:timers/promises";
import type { RailName } from "../../packages/server/src/ledger/rails/terms.ts";
import type { Rail } from "../../packages/server/src/rails/rail.ts";

export interface BenchRail extends Rail {
  /** Sets the delay of calls from now on; 0: at once, without a timer. */
  answerAfter(ms: number): void;
}

export function createBenchRail(name: RailName): BenchRail {
  let delayMs = 0;
  return {
    name,
    answerAfter: (ms) => {
      delayMs = ms;
    },
    submit: async () => {
      if (delayMs > 0) await sleep(delayMs);
      return { kind: "settled" };
    },
    inquire: async () => undefined,
    inquireBeneficiary: async () => ({ kind: "unknown" }),
    results: async () => [],
    acknowledge: async () => undefined,
    waiting: async () => 0,
    close: async () => undefined,
  };
}

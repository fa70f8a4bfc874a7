/** Network between nodes and rails: calls take their time, get lost, or find nobody. */
import { setTimeout as sleep } from "node:timers/promises";
import type { RailName } from "../../packages/server/src/ledger/rails/terms.ts";
import { type Rail, RailDown } from "../../packages/server/src/rails/rail.ts";
import type { Rails } from "./nodes/fork-node.ts";

/** shaky: some calls are lost on their way, some answers, and some find nobody · limbo: what arrives is not answered. */
export type NetworkState = "fair" | "shaky" | "limbo" | "down";
export const networkStates: readonly NetworkState[] = ["fair", "shaky", "limbo", "down"];

export interface NetworkFaults {
  /** The rails as they are met through it. */
  readonly rails: Rails;
  set(rail: RailName, kind: NetworkState): void;
}

const longestMs = 80;

export function createNetworkFaults(rails: Rails, random: () => number): NetworkFaults {
  const kinds = new Map<RailName, NetworkState>();
  const through = async <Value>(name: RailName, call: () => Promise<Value>): Promise<Value> => {
    await sleep(random() * longestMs);
    const kind = kinds.get(name) ?? "fair";
    const chance = random();
    if (kind === "down" || (kind === "shaky" && chance < 0.1)) throw new RailDown("nobody there");
    if (kind !== "fair" && chance < 0.25) throw new Error("lost on its way");
    const answer = await call();
    if (kind === "limbo" || (kind === "shaky" && chance > 0.8)) throw new Error("the answer is lost");
    return answer;
  };
  const met = (name: RailName): Rail => {
    const rail = rails[name];
    return {
      ...rail,
      submit: (...args) => through(name, () => rail.submit(...args)),
      inquire: (...args) => through(name, () => rail.inquire(...args)),
      results: (...args) => through(name, () => rail.results(...args)),
      acknowledge: (...args) => through(name, () => rail.acknowledge(...args)),
    };
  };
  return {
    rails: { interbank: met("interbank"), rtgs: met("rtgs"), skn: met("skn") },
    set: (rail, kind) => void kinds.set(rail, kind),
  };
}

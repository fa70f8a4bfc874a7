/**
 * Memory of what unauthenticated callers send. Each read takes up to 64 KiB outside V8's heap, which V8 counts too little
 * to collect them before there are hundreds of MiB. Few are in use at a time: what is young is collected at every 8 MiB.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type CollectGarbage = (options: { readonly type: "minor" }) => void;

export interface Reclaim {
  /** So many bytes were read. */
  read(bytes: number): void;
}

const collectEach = 8_388_608;

export function createReclaim(): Reclaim {
  // Node has no other access to the collector.
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as CollectGarbage;
  let uncollected = 0;
  return {
    read(bytes) {
      uncollected += bytes;
      if (uncollected < collectEach) return;
      uncollected = 0;
      collect({ type: "minor" });
    },
  };
}

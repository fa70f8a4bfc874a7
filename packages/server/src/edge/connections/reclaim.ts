/**
 * Memory of what unauthenticated callers send. Each read takes up to 64 KiB outside V8's heap, which V8 counts too little
 * to collect them before there are hundreds of MiB. Few are in use at a time: what is young is collected at every 8 MiB.
 * What waits through two collections counts as old from then on: all of it is collected when it has grown by 128 MiB.
 */
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export interface Reclaim {
  /** So many bytes were read. */
  read(bytes: number): void;
}

/** V8's collector. */
export interface Heap {
  collect(type: "minor" | "major"): void;
  /** Outside the heap itself. */
  externalBytes(): number;
}

const collectEach = 8_388_608;
const growthMax = 134_217_728;

export function createReclaim(heap: Heap = heapOfV8()): Reclaim {
  let uncollected = 0;
  let leastBytes = Number.POSITIVE_INFINITY;
  return {
    read(bytes) {
      uncollected += bytes;
      if (uncollected < collectEach) return;
      uncollected = 0;
      heap.collect("minor");
      const bytesNow = heap.externalBytes();
      // V8 may have collected what is old itself.
      leastBytes = Math.min(leastBytes, bytesNow);
      if (bytesNow - leastBytes < growthMax) return;
      heap.collect("major");
      leastBytes = heap.externalBytes();
    },
  };
}

function heapOfV8(): Heap {
  // Node has no other access to the collector.
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (options: { readonly type: "minor" | "major" }) => void;
  return { collect: (type) => collect({ type }), externalBytes: () => getHeapStatistics().external_memory };
}

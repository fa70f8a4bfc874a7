/** The most that waited in a service during a window, from looks at it every few milliseconds, and what memory it took. */
import { performance } from "node:perf_hooks";
import type { Service } from "../../packages/server/src/compose/start-service.ts";
import type { MemoryUse, NodePeaks, Peaks } from "../subject.ts";

export interface LoadWatch {
  /** The peaks since the last time, which start anew. `collects`: garbage is collected between the two. */
  take(options: { readonly collects: boolean }): NodePeaks;
}

const lookEveryMs = 2;
/** Looks between two at memory. */
const memoryEvery = 10;
const none: Peaks = { callers: 0, jobs: 0, transfers: 0 };

/** Looks as long as the process lives. */
export function watchLoad(service: Service): LoadWatch {
  let peaks = none;
  let longestBlockMs = 0;
  let lookedAt = performance.now();
  let memory = watchMemory();
  let looks = 0;
  setInterval(() => {
    const now = performance.now();
    longestBlockMs = Math.max(longestBlockMs, now - lookedAt - lookEveryMs);
    lookedAt = now;
    const { requests, jobs, transfersInFlight } = service.load();
    peaks = {
      callers: Math.max(peaks.callers, requests),
      jobs: Math.max(peaks.jobs, jobs),
      transfers: Math.max(peaks.transfers, transfersInFlight),
    };
    looks += 1;
    if (looks % memoryEvery === 0) memory.look();
  }, lookEveryMs).unref();
  return {
    take: ({ collects }) => {
      if (collects) globalThis.gc?.();
      const taken = { ...peaks, longestBlockMs, ...memory.take() };
      peaks = none;
      longestBlockMs = 0;
      memory = watchMemory();
      lookedAt = performance.now();
      return taken;
    },
  };
}

interface MemoryWatch {
  look(): void;
  take(): { readonly rss: MemoryUse; readonly heap: MemoryUse };
}

/** From now on. */
function watchMemory(): MemoryWatch {
  const before = readMemory();
  let most = before;
  const look = () => {
    const now = readMemory();
    most = { rss: Math.max(most.rss, now.rss), heap: Math.max(most.heap, now.heap) };
    return now;
  };
  return {
    look,
    take: () => {
      const after = look();
      const use = (name: keyof typeof most) => ({ before: before[name], most: most[name], after: after[name] });
      return { rss: use("rss"), heap: use("heap") };
    },
  };
}

/** MiB. */
function readMemory(): { readonly rss: number; readonly heap: number } {
  const { rss, heapUsed } = process.memoryUsage();
  return { rss: rss / 1_048_576, heap: heapUsed / 1_048_576 };
}

/** Garbage of a service's process: bytes allocated, by the file of the function that allocated them, and collections. */
import { Session } from "node:inspector/promises";
import { constants, type PerformanceEntry, PerformanceObserver } from "node:perf_hooks";

export interface Allocations {
  /** On the heap, by the URL of the function or of the next one above it that has one; estimated from samples. */
  readonly bytesByUrl: Readonly<Record<string, number>>;
  /** Collections of the young generation. */
  readonly scavenges: number;
  /** All others; of an incremental one, each step. */
  readonly otherCollections: number;
  /** The main thread waited for them. */
  readonly collectingMs: number;
}

/** A sample in so many bytes on average: several thousand in a window of a busy service. */
const samplingInterval = 65_536;

interface AllocationNode {
  readonly callFrame: { readonly url: string };
  readonly selfSize: number;
  readonly children: readonly AllocationNode[];
}

/** Samples from now on; what it resolves to ends that. */
export async function sampleAllocations(): Promise<() => Promise<Allocations>> {
  const entries: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((list) => void entries.push(...list.getEntries()));
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.startSampling", {
    samplingInterval,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  observer.observe({ entryTypes: ["gc"] });
  return async () => {
    entries.push(...observer.takeRecords());
    observer.disconnect();
    const { profile } = await session.post("HeapProfiler.stopSampling");
    session.disconnect();
    const scavenges = entries.filter(isScavenge).length;
    return {
      bytesByUrl: sumByUrl(profile.head),
      scavenges,
      otherCollections: entries.length - scavenges,
      collectingMs: entries.reduce((sum, { duration }) => sum + duration, 0),
    };
  };
}

/** An entry of "gc". */
type Collection = PerformanceEntry & { readonly detail: { readonly kind: number } };

function isScavenge(entry: PerformanceEntry): boolean {
  return (entry as Collection).detail.kind === constants.NODE_PERFORMANCE_GC_MINOR;
}

function sumByUrl(head: AllocationNode): Readonly<Record<string, number>> {
  const bytes: Record<string, number> = {};
  const add = ({ callFrame, selfSize, children }: AllocationNode, caller: string) => {
    const url = callFrame.url || caller;
    bytes[url] = (bytes[url] ?? 0) + selfSize;
    for (const child of children) add(child, url);
  };
  add(head, "");
  return bytes;
}

/** Comparison of arrivals with records: nothing lost, nothing changed, each transfer's result before its return. */
import type { Arrival } from "./endpoint-kinds.ts";
import type { RecordedEvent } from "./record-events.ts";

const attemptsMax = 10;

type ById = ReadonlyMap<string, readonly Arrival[]>;

/**
 * A sentence for each kind of fault, with how many there are and an example; empty when all is well.
 * `attempts`: of each event by its id; not all of them arrive.
 */
export function findFaults(
  events: readonly RecordedEvent[],
  arrivals: readonly Arrival[],
  attempts: ReadonlyMap<string, number>,
): readonly string[] {
  const byId = Map.groupBy(arrivals, ({ externalId }) => externalId);
  const known = new Set(events.map(({ externalId }) => externalId));
  const faults = [
    ...events.flatMap((event) => findFaultsOf(event, byId.get(event.externalId) ?? [])),
    ...findDisorder(events, byId, attempts),
    ...[...byId.keys()].flatMap((id) => (known.has(id) ? [] : [["arrived without being recorded", id] as const])),
  ];
  const byFault = Map.groupBy(faults, ([fault]) => fault);
  return [...byFault].map(([fault, found]) => `${fault}: ${found.length}, such as ${found[0]?.[1]}`);
}

type Fault = readonly [fault: string, externalId: string];

function findFaultsOf(event: RecordedEvent, arrivals: readonly Arrival[]): readonly Fault[] {
  const { externalId, content, endpoint } = event;
  const faults: string[] = [];
  if (!arrivals.some(({ acceptedAt }) => acceptedAt !== undefined)) faults.push("never accepted");
  if (arrivals.some((arrival) => arrival.content !== content)) faults.push("arrived with another content");
  if (arrivals.some((arrival) => arrival.endpoint !== endpoint)) faults.push("arrived at another partner");
  return faults.map((fault) => [fault, externalId]);
}

function findDisorder(
  events: readonly RecordedEvent[],
  byId: ById,
  attempts: ReadonlyMap<string, number>,
): readonly Fault[] {
  const results = new Map(events.filter(({ status }) => status === "00").map((event) => [event.subject, event]));
  return events.flatMap((event): readonly Fault[] => {
    if (event.status !== "04") return [];
    const result = results.get(event.subject);
    const before = byId.get(result?.externalId ?? "") ?? [];
    const [first] = byId.get(event.externalId) ?? [];
    if (!first || firstAccepted(before) <= first.at) return [];
    const neverArrived = Math.max(0, (attempts.get(result?.id ?? "") ?? 0) - before.length);
    const made = before.filter(({ at }) => at <= first.at).length + neverArrived;
    if (made >= attemptsMax) return [];
    return [["return that arrived before its result was accepted or given up", event.externalId]];
  });
}

export function firstAccepted(arrivals: readonly Arrival[]): number {
  return Math.min(...arrivals.map(({ acceptedAt = Number.POSITIVE_INFINITY }) => acceptedAt));
}

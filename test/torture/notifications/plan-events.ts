/** Plan of the transfers' results: a steady pace, the same number for each endpoint. */
import { endpointKinds } from "./endpoint-kinds.ts";

export interface PlannedEvent {
  /** Since the beginning (ms). */
  readonly atMs: number;
  /** Index of the endpoint of the partner whose transfer it is. */
  readonly endpoint: number;
  /** Number of the transfer within the plan, from 0. */
  readonly transfer: number;
  /** 04: a return, of a transfer with an earlier 00. */
  readonly status: "00" | "04";
}

export interface PlanOptions {
  /** Events, over all endpoints. */
  readonly count: number;
  /** A second. */
  readonly rate: number;
  /** Numbers in [0, 1). */
  random(): number;
}

const returnedShare = 0.15;
/** After the result: while that is being sent, or long after it was accepted. */
const returnsAfterMs = [0, 2_000];

interface Returning {
  readonly transfer: number;
  readonly fromMs: number;
}

export function planEvents({ count, rate, random }: PlanOptions): readonly PlannedEvent[] {
  const returning = endpointKinds.map((): Returning[] => []);
  const planned: PlannedEvent[] = [];
  let order: readonly number[] = [];
  let transfers = 0;
  for (let i = 0; i < count; i += 1) {
    if (i % endpointKinds.length === 0) order = shuffle([...endpointKinds.keys()], random);
    const endpoint = order[i % endpointKinds.length] ?? 0;
    const atMs = (i * 1_000) / rate;
    const open = returning[endpoint] ?? [];
    const due = open.findIndex(({ fromMs }) => fromMs <= atMs);
    if (due >= 0) {
      const [{ transfer } = { transfer: 0 }] = open.splice(due, 1);
      planned.push({ atMs, endpoint, transfer, status: "04" });
      continue;
    }
    planned.push({ atMs, endpoint, transfer: transfers, status: "00" });
    if (random() < returnedShare) {
      const afterMs = returnsAfterMs[Math.floor(random() * returnsAfterMs.length)] ?? 0;
      open.push({ transfer: transfers, fromMs: atMs + afterMs });
    }
    transfers += 1;
  }
  return planned;
}

function shuffle(values: readonly number[], random: () => number): readonly number[] {
  return values
    .map((value) => [random(), value] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, value]) => value);
}

/**
 * Results of one part of a rail that arrive together are recorded together, by one command. One that arrives while no other is
 * being recorded is recorded at once; the others wait until one is, or 5 ms.
 */
import type { Clock } from "../../basics/clock.ts";
import type { ConfirmedCommit } from "../../engine/command.ts";
import type { Engine } from "../../engine/engine.ts";
import type { RailTransfer } from "../../ledger/transfers/transfer.ts";
import { partOf, type Settlement, settlementCommand } from "../commands/settlement-command.ts";
import type { DispatchEvents } from "../dispatch-events.ts";

/** nothing: recorded before, or the event changes nothing · failed: not known. */
export type Recorded =
  | { readonly kind: "recorded"; readonly transfer: RailTransfer; readonly commit: ConfirmedCommit }
  | { readonly kind: "nothing" }
  | { readonly kind: "failed" };

/** Records one result as if it had come alone, which begins no later than after so long (ms). */
type RecordAlone = (forMs: number) => Promise<Recorded>;

export interface SettleTogether {
  /** Settles a transfer, with those that arrive meanwhile; alone where it cannot be settled with them. */
  record(settlement: Settlement, alone: RecordAlone): Promise<Recorded>;
}

interface SettleDeps {
  readonly engine: Pick<Engine, "submit">;
  readonly clock: Pick<Clock, "real">;
  readonly events: Pick<DispatchEvents, "recorded">;
}

interface Waiting {
  readonly settlement: Settlement;
  readonly alone: RecordAlone;
  readonly resolve: (recorded: Recorded | Promise<Recorded>) => void;
}

const settledMax = 64;
const waitMs = 5;
/** Time for which the ledger is retried to record one result; after that a later inquiry does it. */
export const recordMaxMs = 10_000;

export function createSettleTogether(deps: SettleDeps): SettleTogether {
  const queues = new Map<string, (waiting: Waiting) => void>();
  return {
    record: (settlement, alone) => {
      const part = partOf(settlement.known);
      if (part === undefined) return alone(recordMaxMs);
      const queue = queues.get(part) ?? createQueue(deps);
      queues.set(part, queue);
      return new Promise((resolve) => queue({ settlement, alone, resolve }));
    },
  };
}

/** The queue of one part. */
function createQueue(deps: SettleDeps): (one: Waiting) => void {
  let waiting = new Map<string, Waiting>();
  let underWay = 0;
  let timer: NodeJS.Timeout | undefined;
  const send = () => {
    clearTimeout(timer);
    timer = undefined;
    const [first, ...others] = waiting.values();
    if (!first) return;
    waiting = new Map();
    underWay += 1;
    void settle(deps, [first, ...others]).finally(() => {
      underWay -= 1;
      send();
    });
  };
  return (one) => {
    const { id } = one.settlement.known;
    // Reported twice: the second report is one of a settled transfer.
    if (waiting.has(id)) send();
    waiting.set(id, one);
    if (underWay === 0 || waiting.size === settledMax) send();
    else timer ??= setTimeout(send, waitMs);
  };
}

/** Ends once they were recorded together, or the one was alone; what is left is recorded alone meanwhile. */
async function settle(deps: SettleDeps, waiting: readonly [Waiting, ...Waiting[]]): Promise<void> {
  const [first, ...others] = waiting;
  if (others.length === 0) {
    const recorded = first.alone(recordMaxMs);
    first.resolve(recorded);
    return void (await recorded.catch(() => undefined));
  }
  const { engine, clock, events } = deps;
  const startedAt = clock.real();
  const settlements = [first.settlement, ...others.map(({ settlement }) => settlement)] as const;
  const outcome = await engine.submit(settlementCommand(settlements, startedAt));
  const settled = new Map(outcome.kind === "effect" ? outcome.payload.map((transfer) => [transfer.id, transfer]) : []);
  const leftMs = recordMaxMs - (clock.real() - startedAt);
  for (const { settlement, alone, resolve } of waiting) {
    const transfer = settled.get(settlement.known.id);
    if (transfer && outcome.kind === "effect") {
      events.recorded(transfer.rail, "settle");
      resolve({ kind: "recorded", transfer, commit: outcome.commit });
    } else resolve(leftMs > 0 ? alone(leftMs) : { kind: "failed" });
  }
}

/**
 * Sends the items of bulks (20) to the rail: partners take turns, and the items of a bulk are sent in the order of its
 * request. An item without a response is reconciled like every transfer.
 */
import type { Clock, Moment } from "../clock.ts";
import type { DueJob } from "../jobs/job.ts";
import { bulkRail } from "../ledger/bulks/bulk.ts";
import type { RailName } from "../ledger/rails/terms.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import { type DueTransfer, releaseTransfers } from "../store/tables/due-transfers.ts";
import { claimItems, countUnsubmitted, findWaitingBulks } from "../store/tables/unsubmitted-items.ts";
import { type ClaimedWork, createClaimedWork } from "./claimed-work.ts";
import { readKept } from "./instruction.ts";
import { type DispatchDeps, recordRailEvent, recordResponse } from "./record-result.ts";
import { submit } from "./submit.ts";

export interface SendItemsDeps extends DispatchDeps {
  /** For plain statements that claim items. */
  readonly database: StatementPool;
}

export interface SendBulkItems extends DueJob, ClaimedWork {
  readonly rail: RailName;
  /** The rail responds again. */
  wake(): void;
}

interface ClaimedItem extends DueTransfer {
  /** When its submission begins, as its claim records it. */
  readonly sentAt: Moment;
}

/** Items that a node sends at a time: enough to fill batches, and few beside the transfers that callers wait for. */
const concurrencyMax = 128;
/** Items of one bulk before it is another's turn. */
const turn = 32;
const bulksMax = 256;
const everyMs = 250;
/** How long nothing is claimed while the rail is down; then one item probes whether it is back. */
const downPauseMs = 3_000;

export function createSendBulkItems(deps: SendItemsDeps): SendBulkItems {
  const { clock, database, reads, calls, events } = deps;
  const rail = bulkRail;
  const down = createDownPause(clock);
  const claimInTurns = createTurns(deps);
  const claimed = createClaimedWork<ClaimedItem>({
    clock,
    calls,
    concurrencyMax,
    claim: async (limit, now, at) => {
      const allowed = down.allowed(limit);
      return allowed === 0 ? [] : claimInTurns(allowed, now, at);
    },
    release: (items) => releaseTransfers(database, items.map(idOf), clock.now()),
    work: async (item) => {
      const isDown = await send(deps, item);
      down.note(isDown);
    },
    idOf,
    onFailure: (id, error) => events.failed(rail, id, error),
  });
  return {
    ...claimed,
    name: "send-bulk-items",
    rail,
    everyMs,
    actsOnTime: true,
    wake: () => down.note(false),
    // While the rail is down they wait for it, not for this node.
    pending: async () => claimed.underWay().length + (down.isDown() ? 0 : await countUnsubmitted(reads)),
  };
}

function idOf({ transfer }: DueTransfer): string {
  return transfer.id;
}

/** Claims items of each partner's oldest bulk, one partner after the other, and goes on with the next partner next time. */
function createTurns({ database }: Pick<SendItemsDeps, "database">) {
  let line: readonly string[] = [];
  return async (limit: number, now: number, sentAt: Moment): Promise<readonly ClaimedItem[]> => {
    const bulks = Map.groupBy(await findWaitingBulks(database, bulksMax), ({ partner }) => partner);
    const left = [...new Set([...line, ...bulks.keys()])];
    const items: ClaimedItem[] = [];
    while (items.length < limit) {
      const partner = left.shift();
      if (partner === undefined) break;
      const [oldest, ...later] = bulks.get(partner) ?? [];
      if (!oldest) continue;
      const room = Math.min(turn, limit - items.length);
      const found = await claimItems(database, { bulk: oldest.id, now, limit: room }).catch((error: unknown) => {
        // What is claimed already is sent: else it would wait for its inquiry.
        if (items.length === 0) throw error;
      });
      if (!found) break;
      for (const item of found) items.push({ ...item, sentAt });
      // Fewer than asked for: the rest are sent already, or claimed by another node.
      if (found.length < room) bulks.set(partner, later);
      left.push(partner);
    }
    line = left;
    return items;
  };
}

/** True when the rail was down. */
async function send(deps: SendItemsDeps, { transfer, facts, sentAt }: ClaimedItem): Promise<boolean> {
  const response = await submit(deps, transfer.rail, readKept(transfer, facts), sentAt);
  if (response.kind === "responded") await recordResponse(deps, transfer, response.state);
  // This call sent nothing: it is sent when the rail is back, unless reconciliation has claimed it meanwhile.
  if (response.kind === "unreachable") {
    await recordRailEvent(deps, transfer, { event: "withdraw", by: "rail", onlyIfNotClaimed: true });
  }
  return response.kind === "unreachable";
}

/** Claims nothing for a while after the rail was down, so that items are not withdrawn one after the other. */
function createDownPause({ monotonic }: Pick<Clock, "monotonic">) {
  let downAt: number | undefined;
  const isPaused = () => downAt !== undefined && monotonic() - downAt < downPauseMs;
  return {
    isDown: () => downAt !== undefined,
    allowed: (limit: number) => (downAt === undefined ? limit : isPaused() ? 0 : 1),
    note: (isDown: boolean) => {
      downAt = isDown ? monotonic() : undefined;
    },
  };
}

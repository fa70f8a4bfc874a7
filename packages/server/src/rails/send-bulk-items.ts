/**
 * Sends the items of bulks (20) to the rail: partners take turns, and the items of a bulk are sent in the order of its
 * request. An item without a response is reconciled like every transfer.
 */
import type { Clock, Moment } from "../basics/clock.ts";
import { type ClaimPause, createClaimPause } from "../jobs/claim-pause.ts";
import type { DueJob } from "../jobs/job.ts";
import { bulkRail } from "../ledger/bulks/bulk.ts";
import type { RailName } from "../ledger/rails/terms.ts";
import { isUnconfirmedClaim } from "../store/postgres/claim-rows.ts";
import type { ConfirmedCommit } from "../store/postgres/confirmation/confirmed-commit.ts";
import { type DueTransfer, releaseTransfers } from "../store/tables/due-transfers.ts";
import { claimItems, countUnsubmitted, findWaitingBulks } from "../store/tables/unsubmitted-items.ts";
import { createGates, type Gates } from "./bounded-calls.ts";
import { type ClaimedWork, createClaimedWork } from "./claimed-work.ts";
import { readKept } from "./instructions/instruction.ts";
import { type DispatchDeps, recordRailEvent, recordResponse } from "./results/record-result.ts";
import { submit } from "./submit.ts";

export interface SendBulkItems extends DueJob, ClaimedWork {
  readonly rail: RailName;
  /** The rail responds again. */
  wake(): void;
}

interface ClaimedItem extends DueTransfer {
  /** Commit of its claim, which records its submission. */
  readonly commit: ConfirmedCommit;
}

/** Items that a node sends at a time: a rail takes a while for each. */
const concurrencyMax = 128;
/** Results of one bulk that it records at a time: a batch that carries callers' transfers, too, is not much longer. */
const recordingsMax = 96;
/** Items of one partner in its turn, or more where partners are few: each claim is a commit. */
const turnMin = 32;
const bulksMax = 256;
const everyMs = 250;
/** Time in which nothing is claimed while the rail is down or silent; then one item probes whether it is back. */
const pauseMs = 3_000;
/** A rail is silent after so many calls in a row without a response: single ones may be about their beneficiaries' banks. */
const unansweredMax = 16;

export function createSendBulkItems(deps: DispatchDeps): SendBulkItems {
  const { clock, database, reads, calls, events } = deps;
  const rail = bulkRail;
  const health = createRailHealth(clock);
  const record = createGates(recordingsMax);
  const pause = createClaimPause(clock);
  const claimInTurns = createTurns(deps, pause);
  const claimed = createClaimedWork<ClaimedItem>({
    clock,
    calls,
    concurrencyMax,
    claim: async (limit, now, at) => {
      if (deps.isClosed(rail)) return [];
      const allowed = Math.min(health.allowed(limit, concurrencyMax - limit), pause.max());
      return allowed === 0 ? [] : claimInTurns(allowed, now, at);
    },
    release: (items) => releaseTransfers(database, items.map(idOf), clock.now()),
    work: async (item) => health.note(await send(deps, item, record)),
    idOf,
    onFailure: (id, error) => events.failed(rail, id, error),
  });
  return {
    ...claimed,
    name: "send-bulk-items",
    rail,
    everyMs,
    actsOnTime: true,
    wake: () => health.note("responded"),
    // While the rail is down, silent or closed they wait for it, not for this node.
    pending: async () =>
      claimed.underWay().length + (health.isPaused() || deps.isClosed(rail) ? 0 : await countUnsubmitted(reads)),
  };
}

function idOf({ transfer }: DueTransfer): string {
  return transfer.id;
}

/** Claims items of each partner's oldest bulk, one partner after the other, and goes on with the next partner next time. */
function createTurns({ database, events }: Pick<DispatchDeps, "database" | "events">, pause: ClaimPause) {
  let line: readonly string[] = [];
  return async (limit: number, now: number, at: Moment): Promise<readonly ClaimedItem[]> => {
    const bulks = Map.groupBy(await findWaitingBulks(database, bulksMax), ({ partner }) => partner);
    const left = [...new Set([...line, ...bulks.keys()])];
    const turn = Math.max(turnMin, Math.ceil(limit / bulks.size));
    const items: ClaimedItem[] = [];
    while (items.length < limit) {
      const partner = left.shift();
      if (partner === undefined) break;
      const [oldest, ...later] = bulks.get(partner) ?? [];
      if (!oldest) continue;
      const capacity = Math.min(turn, limit - items.length);
      const found = await claimItems(database, { bulk: oldest.id, now, limit: capacity, at }).catch(
        (error: unknown) => {
          pause.note(false);
          if (isUnconfirmedClaim(error)) events.unconfirmed(1);
          // Items that are claimed already are sent: else they would wait for their inquiry.
          if (items.length === 0) throw error;
        },
      );
      if (!found) break;
      const { rows, commit } = found;
      if (rows.length > 0) pause.note(commit !== undefined);
      if (rows.length > 0 && !commit) {
        events.unconfirmed(rows.length);
        break;
      }
      if (commit) for (const item of rows) items.push({ ...item, commit });
      // Fewer than asked for: the rest are sent already, or claimed by another node.
      if (rows.length < capacity) bulks.set(partner, later);
      left.push(partner);
    }
    line = left;
    return items;
  };
}

async function send(deps: DispatchDeps, { transfer, payload, commit }: ClaimedItem, record: Gates): Promise<Sent> {
  const { bulk = "" } = transfer;
  const response = await submit(deps, transfer.rail, readKept(transfer, payload), commit);
  if (response.kind === "responded") await record(bulk, () => recordResponse(deps, transfer, response.state));
  // This call sent nothing: it is sent when the rail is back, unless reconciliation has claimed it meanwhile.
  if (response.kind === "unreachable") {
    await record(bulk, () =>
      recordRailEvent(deps, transfer, { event: "withdraw", by: "rail", onlyIfNotClaimed: true }),
    );
  }
  return response.kind;
}

type Sent = Awaited<ReturnType<typeof submit>>["kind"];

/**
 * Sends nothing for a while after the rail was down or silent, then one item to find out whether it is back: items that a
 * silent rail may have can be ended by the rail or an operator alone.
 */
function createRailHealth({ monotonic }: Pick<Clock, "monotonic">) {
  let pausedAt: number | undefined;
  /** Calls without a response since the last one with. */
  let unanswered = 0;
  return {
    isPaused: () => pausedAt !== undefined,
    allowed: (limit: number, underWay: number) => {
      if (pausedAt === undefined) return limit;
      return monotonic() - pausedAt < pauseMs || underWay > 0 ? 0 : 1;
    },
    note: (sent: Sent) => {
      if (sent === "late" || sent === "notReceived") return;
      unanswered = sent === "noResponse" ? unanswered + 1 : 0;
      if (sent === "unreachable" || unanswered >= unansweredMax) pausedAt = monotonic();
      else if (sent === "responded") pausedAt = undefined;
    },
  };
}

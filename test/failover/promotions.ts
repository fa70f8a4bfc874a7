/**
 * At every statement of what ends outside of the process the synchronous standby is lost, an operator cancels each wait for
 * it, and it is promoted: rails and endpoints must have got nothing that the promoted ledger does not know, each thing once.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Reply } from "../../packages/server/src/interfaces/call.ts";
import type { MovableClock } from "../../packages/server/src/basics/clock.ts";
import { toReferenceNo } from "../../packages/server/src/basics/ids.ts";
import { findFaultsOf } from "../dispatch/check-ends.ts";
import {
  bulkTo,
  callTo,
  createDispatchFixture,
  type DispatchFixture,
  morningOffset,
} from "../dispatch/dispatch-fixture.ts";
import type { NodeCall, NodeOperation } from "../dispatch/nodes/dispatch-node.ts";
import { type ConductName, createRailJournal, type RailJournal } from "../dispatch/rail-journal.ts";
import { type Endpoint, startEndpoint } from "../support/black-box/endpoint.ts";
import { endingWaits } from "../support/database/end-waits.ts";
import { type ReplicatedServers, startReplicatedServers } from "../support/database/replicated-servers.ts";
import { migrateForServices, roleUrlsOf } from "../support/database/template.ts";
import type { TortureResult } from "../torture/result.ts";
import { type PromotedNode, startPromotedNode } from "./promoted-node.ts";
import { startStatementWire } from "./statement-wire.ts";

type Operation = NodeOperation | "requestForPayment";

/** Operation that a partner or payer sets going. */
export interface Cell {
  readonly name: Operation;
  /** Conduct of a bulk has one of each item. */
  readonly conducts: readonly ConductName[];
}

/** Accepted and carried; submitted again; items of bulks; batches, returns and notifications; approvals. */
export const cells: readonly Cell[] = [
  { name: "interbankTransfer", conducts: ["success"] },
  { name: "interbankTransfer", conducts: ["lost"] },
  { name: "interbankBulkTransfer", conducts: ["success", "lost", "rejected"] },
  { name: "rtgsTransfer", conducts: ["success"] },
  { name: "sknTransfer", conducts: ["batchReturned"] },
  { name: "requestForPayment", conducts: ["success"] },
];

export interface PromotionOptions {
  readonly cells?: readonly Cell[];
  /** Only statements of these names; absent: all. */
  readonly statements?: readonly string[];
  /** Every so-manieth of them. */
  readonly every?: number;
  /** Pairs of servers. */
  readonly atOnce?: number;
  onProgress?(text: string): void;
}

interface World {
  readonly servers: ReplicatedServers;
  readonly endpoint: Endpoint;
}

interface Ran {
  readonly statements: readonly string[];
  /** True: the standby was lost, since the statement was sent. */
  readonly isLost: boolean;
  readonly faults: readonly string[];
  /** Number of transfers that rails and endpoint got, beside that of the promoted ledger. */
  readonly carried: number;
  readonly posted: number;
  readonly known: number;
}

export async function runPromotions(options: PromotionOptions = {}): Promise<TortureResult> {
  const left = (options.cells ?? cells).values();
  const faults: string[] = [];
  const sums = { points: 0, missed: 0, carried: 0, posted: 0, known: 0, lost: 0 };
  const work = async () => {
    await using servers = await startReplicatedServers();
    await migrateForServices(servers.primary.url);
    await using endpoint = await startEndpoint();
    for (const cell of left) await runCell({ servers, endpoint }, cell, { ...options, sums, faults });
  };
  await Promise.all(Array.from({ length: options.atOnce ?? 1 }, work));
  if (sums.points === 0) faults.push("no statement was met: nothing was tried");
  const { points, missed, carried, posted, known, lost } = sums;
  return {
    faults,
    summary: `${points} points (${missed} not met again): rails got ${carried} instructions and endpoints ${posted} notifications before the promotion, of ${known} transfers that the promoted ledger had; ${lost} times it had none`,
  };
}

interface Tally extends PromotionOptions {
  readonly faults: string[];
  readonly sums: Record<"points" | "missed" | "carried" | "posted" | "known" | "lost", number>;
}

async function runCell(world: World, cell: Cell, { every = 1, statements, onProgress, faults, sums }: Tally) {
  const title = `${cell.name} ${cell.conducts.join("+")}`;
  const whole = await runOnce(world, cell, undefined);
  faults.push(...whole.faults.map((fault) => `${title}, nothing lost: ${fault}`));
  const chosen = pointsOf(whole.statements)
    .filter(({ name }) => statements?.includes(name) ?? true)
    .filter((_, index) => index % every === 0);
  for (const at of chosen) {
    const ran = await runOnce(world, cell, at);
    if (!ran.isLost) {
      sums.missed += 1;
      continue;
    }
    sums.points += 1;
    for (const sum of ["carried", "posted", "known"] as const) sums[sum] += ran[sum];
    if (ran.known === 0) sums.lost += 1;
    faults.push(...ran.faults.map((fault) => `${title}, lost before ${at.name} ${at.occurrence}: ${fault}`));
  }
  onProgress?.(`${title}: ${chosen.length} of ${whole.statements.length} statements, ${faults.length} faults so far`);
}

/** A statement by its name, which comes in other places when jobs run at another time; counted from 1. */
interface Point {
  readonly name: string;
  readonly occurrence: number;
}

function pointsOf(statements: readonly string[]): readonly Point[] {
  const seen = new Map<string, number>();
  return statements.map((name) => {
    const occurrence = (seen.get(name) ?? 0) + 1;
    seen.set(name, occurrence);
    return { name, occurrence };
  });
}

/** Real time passes five times as fast: deadlines of commands are over sooner. */
function createFastClock(): MovableClock {
  const [start, speed] = [Date.now(), 5];
  let offsetMs = morningOffset();
  const real = () => start + (Date.now() - start) * speed;
  return {
    now: () => real() + offsetMs,
    real,
    monotonic: () => performance.now() * speed,
    offset: () => offsetMs,
    setOffset: (next) => {
      offsetMs = next;
    },
  };
}

const stepMs = 20 * 60_000;
const steps = 4;
const stepsMost = 60;

/** `at`: the standby is lost before this statement; absent: it is not. */
async function runOnce({ servers, endpoint }: World, cell: Cell, at: Point | undefined): Promise<Ran> {
  const journal = createRailJournal();
  const sent: string[] = [];
  let left = at?.occurrence ?? 0;
  let [isLost, isCounted] = [false, false];
  const clock = createFastClock();
  const urls = roleUrlsOf(servers.primary.url);
  const before = await createDispatchFixture(urls);
  const { partner } = before;
  const payer = await before.openPayer();
  const wire = await startStatementWire(urls.url, (name) => {
    if (!isCounted) return undefined;
    sent.push(name);
    if (name !== at?.name || (left -= 1) !== 0) return undefined;
    isLost = true;
    return servers.standby.stop();
  });
  const terms = { clock, rails: journal.rails, partner, endpoint: endpoint.url };
  const node = await startPromotedNode({ ...terms, url: wire.url });
  const act = await actOf(cell, payer, node, partner);
  const replies: (Reply | undefined)[] = [];
  await endingWaits(servers, async () => {
    isCounted = true;
    const acted = act(node).then(
      (reply) => replies.push(reply),
      () => replies.push(undefined),
    );
    for (let step = 0; step < steps; step += 1) {
      await Promise.race([acted, sleep(50)]);
      await goOn(node, journal, clock);
      if (!at && replies.length > 0 && (await hasEnded(journal, before))) break;
    }
    await acted;
    isCounted = false;
    await node[Symbol.asyncDispose]();
  });
  await Promise.all([before[Symbol.asyncDispose](), wire[Symbol.asyncDispose]()]);
  if (at) await promote(servers);
  await using after = await createDispatchFixture(roleUrlsOf(servers.primary.url));
  const rows = await after.look(payer);
  const unknown = await findLeft(after, payer, journal, endpoint);
  const [carried, posted] = [journal.entries.size, endpoint.received.length];
  await using next = await startPromotedNode({ ...terms, url: after.url });
  // The partner's repeat, or the payer's.
  replies.push(await act(next).catch(() => undefined));
  await untilEnded(next, journal, clock, after);
  const isTransfer = cell.name !== "requestForPayment";
  const ends = findFaultsOf({ payer, replies: isTransfer ? replies : [] }, await after.look(payer), journal);
  endpoint.received.length = 0;
  return { statements: sent, isLost, faults: [...unknown, ...ends], carried, posted, known: rows.transfers.length };
}

async function promote(servers: ReplicatedServers): Promise<void> {
  await servers.primary.stop();
  await servers.promote();
  await servers.replaceOld();
}

type Act = (node: PromotedNode) => Promise<Reply | undefined>;

async function actOf({ name, conducts }: Cell, payer: string, node: PromotedNode, partner: string): Promise<Act> {
  if (name === "requestForPayment") {
    const referenceNo = await node.request(payer, String(conducts));
    return async (by) => {
      await by.approve(referenceNo);
      return undefined;
    };
  }
  const isBulk = name === "interbankBulkTransfer";
  const call: NodeCall = isBulk
    ? bulkTo(conducts, { payer, partner })
    : callTo(name, String(conducts), { payer, partner });
  return (by) => by.call(call);
}

async function goOn(node: PromotedNode, journal: RailJournal, clock: MovableClock): Promise<void> {
  journal.answerLate();
  journal.proceed();
  await node.work();
  clock.setOffset(clock.offset() + stepMs);
}

async function untilEnded(
  node: PromotedNode,
  journal: RailJournal,
  clock: MovableClock,
  fixture: DispatchFixture,
): Promise<void> {
  for (let step = 0; step < stepsMost; step += 1) {
    await goOn(node, journal, clock);
    if (await hasEnded(journal, fixture)) return;
    await sleep(20);
  }
  throw new Error("something does not end");
}

async function hasEnded(journal: RailJournal, { countOpen, query }: DispatchFixture): Promise<boolean> {
  const waiting = await query("select from outbox where state = 'waiting' limit 1");
  return (await countOpen()) === 0 && !journal.isBusy() && waiting.length === 0;
}

/** Finds what left although the ledger, as it is now, does not know that it may have. */
async function findLeft(
  { query, look }: DispatchFixture,
  payer: string,
  journal: RailJournal,
  { received }: Endpoint,
): Promise<readonly string[]> {
  const { transfers } = await look(payer);
  const mayBeSent = new Set(transfers.flatMap(({ id, state }) => (state === "queued" ? [] : [toReferenceNo(id)])));
  const claimed = await query("select id::text from outbox where attempt_count > 0");
  const mayBePosted = new Set(claimed.map(({ id }) => id));
  return [
    ...[...journal.entries.keys()].flatMap((no) => (mayBeSent.has(no) ? [] : [`a rail carries ${no}, unknown here`])),
    ...received.flatMap(({ body }) => {
      const id = String(body["id"]);
      return mayBePosted.has(id) ? [] : [`an endpoint was notified of ${id}, unknown here`];
    }),
  ];
}

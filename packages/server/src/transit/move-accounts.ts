/**
 * Steps of a move of an account from one cell to another, as home says (docs/adr/0098-account-moves.md). Each is idempotent and begins with
 * the two accounts as they are: any node may take it, at once with others, and go on where one of them has died.
 */
import { homeCell } from "../basics/ids.ts";
import type { Account } from "../ledger/accounts/account.ts";
import { internalAccountNo } from "../ledger/accounts/internal-accounts.ts";
import { zero } from "../ledger/money.ts";
import { cellsOfPartner } from "../ledger/reference/reference-data.ts";
import { isBehindMirror } from "../ledger/transit/transit-account.ts";
import { codeOfServer, restrictViolation } from "../store/postgres/database-away.ts";
import { findAccountByNumber } from "../store/reads/accounts.ts";
import { readTransitPair, readTransitPositions } from "../store/reads/transit.ts";
import { finishMove } from "../store/tables/cells/moved-accounts.ts";
import { arriveAccount, leaveAccount, readLeft, stayAccount } from "../store/tables/cells/account-moves.ts";
import type { MoveDeps, MovingCell } from "./move-deps.ts";
import { isAway, receive } from "./receive-account.ts";
import { relocate } from "./relocate-account.ts";

/** Each node that home answers works by a change of reference data within 2 s: since then none takes a call for the account (ms). */
const announcedMs = 5_000;

/** One that has not left by then, since its new cell does not answer, stays (ms). */
const givenUpMs = 60_000;

/** Looks at a new cell of which none is answered: it hangs, and each further one would take the time-out of a connection, too. */
const silentLooks = 8;

/** Looks of one pass at the cell that its accounts move to. */
export interface Looks {
  /** Those since the last one that was answered. */
  unanswered: number;
}

/** A move that home has announced. */
export interface Way {
  readonly accountNo: string;
  readonly number: number;
  readonly from: number;
  readonly to: number;
}

export interface HeardWay extends Way {
  /** When this node heard of it, by its monotonic clock (ms). */
  readonly heardAt: number;
  /** The reason for which this node has refused it, and which home may not know yet. */
  refusal?: string;
}

/** As far as it comes; true: it has ended. `looks`: of the pass, whose accounts all move to one cell. */
export async function move(deps: MoveDeps, way: HeardWay, looks: Looks): Promise<boolean> {
  const heardMs = deps.clock.monotonic() - way.heardAt;
  const [source, target] = [deps.cell(way.from), deps.cell(way.to)];
  if (!source) return false;
  const here = await source.confirmed(() => findAccountByNumber(source.pool, way.accountNo));
  if (here?.status !== "moved") {
    // It may be gone since.
    if (way.refusal !== undefined) return stay(deps, way, way.refusal);
    const there = isSilent(target, looks) ? "silent" : await look(target, way, looks).catch(() => "silent" as const);
    if (there === "silent" && heardMs < givenUpMs) return false;
    const refusal = there === "silent" ? `cell ${way.to} does not answer` : rejectMove(deps, way, { here, there });
    if (refusal !== undefined) return stay(deps, way, refusal);
    if (heardMs < announcedMs) return false;
    const why = (await hasLost(deps, way, here)) ? nothingIsPaid(way) : await leave(source, way);
    if (why === undefined) return move(deps, way, looks);
    // Another node has refused it, and is telling home why, unless it has died.
    return why !== isOver ? stay(deps, way, why) : heardMs >= givenUpMs && stay(deps, way, refusedElsewhere);
  }
  const left = await source.confirmed(() => readLeft(source.pool, way.accountNo));
  if (left && left.to !== way.to) return stay(deps, way, `it has moved to cell ${left.to}: ask for that`);
  if (isSilent(target, looks)) return false;
  const there = await look(target, way, looks);
  if (isAway(there?.status)) {
    const between = { from: { ...source, cell: way.from }, to: { ...target, cell: way.to }, clock: deps.clock };
    await target.confirmed(() => receive(between, way.accountNo));
  }
  return (await arrive(deps, way, here)) && end(deps, way);
}

/** It is not asked: this node does not serve it now, or it has left the last looks of the pass unanswered. */
function isSilent(target: MovingCell | undefined, { unanswered }: Looks): target is undefined {
  return target === undefined || unanswered >= silentLooks;
}

/** The account as its new cell has it, which may be none. @throws where it does not answer */
async function look({ confirmed, pool }: MovingCell, { accountNo }: Way, looks: Looks): Promise<Account | undefined> {
  try {
    const account = await confirmed(() => findAccountByNumber(pool, accountNo));
    looks.unanswered = 0;
    return account;
  } catch (error) {
    looks.unanswered += 1;
    throw error;
  }
}

interface Both {
  /** As it is in its cell, and in the one that it shall move to. */
  readonly here: Account | undefined;
  readonly there: Account | undefined;
}

/** The reason why it stays, as far as it is seen before it has left. */
function rejectMove(
  { partnerOf, clock, stream }: MoveDeps,
  { from, to }: Way,
  { here, there }: Both,
): string | undefined {
  if (here?.purpose !== "customer") return "there is no such account of a holder";
  if (!isAway(there?.status)) return `cell ${to} has another account of this number`;
  if (stream(from, to)?.isStopped(here.currency) !== false) return nothingIsPaid({ to });
  const lacking = here.partners
    .flatMap((key) => partnerOf(key) ?? [])
    .find((partner) => cellsOfPartner(partner).every(({ cell, since = 0 }) => cell !== to || since > clock.real()));
  return lacking && `partner ${lacking.partnerId} has no calls in cell ${to} yet: titian partner change --cells`;
}

function nothingIsPaid({ to }: Pick<Way, "to">): string {
  return `nothing is paid to cell ${to} now: titian cells check`;
}

/** True: its cell was restored without payments that the other one has, and the stream may not have noticed yet. It sends nothing until they are written back. */
async function hasLost(deps: MoveDeps, { from, to }: Way, account: Account | undefined): Promise<boolean> {
  const [source, target] = [deps.cell(from), deps.cell(to)];
  if (!source || !target || !account) return false;
  const { currency } = account;
  const { out, mirror } = await readTransitPair(
    { pool: source.pool, cell: from },
    { pool: target.pool, cell: to },
    currency,
  );
  return isBehindMirror(out, mirror);
}

/** Ends the move with that reason, unless another node has had the account leave meanwhile: then it goes on. */
async function stay(deps: MoveDeps, way: HeardWay, refusal: string): Promise<boolean> {
  const source = deps.cell(way.from);
  const stays = source && (await source.confirmed(() => stayAccount(source.pool, way)));
  if (stays === true) way.refusal = refusal;
  return stays === true && end(deps, way, refusal);
}

/** As the database says of a move that was refused (0063-guards-of-account-moves.sql). */
const isOver = "the move of the account is over";
const refusedElsewhere = "a node that has ended since refused it: ask again";

/** The reason why it stays; undefined: it has left. */
async function leave({ pool, confirmed }: MovingCell, way: Way): Promise<string | undefined> {
  try {
    await confirmed(() => leaveAccount(pool, way, way.to));
    return undefined;
  } catch (error) {
    if (codeOfServer(error) === restrictViolation)
      return (error as Error).message.replaceAll(`account ${way.accountNo}`, "the account");
    throw error;
  }
}

/** It takes debits in the cell that it has moved to. False: its money is not there yet. */
export async function arrive(deps: MoveDeps, way: Way, { currency }: Account): Promise<boolean> {
  const { accountNo, from, to } = way;
  const [source, target, stream] = [deps.cell(from), deps.cell(to), deps.stream(from, to)];
  if (!source || !target || !stream || !(await relocate(deps, { accountNo, currency, from, to }))) return false;
  const outNo = internalAccountNo("transit", currency, "out", to);
  // Later credits go on by themselves.
  const left = await source.confirmed(async () => ({
    account: await findAccountByNumber(source.pool, accountNo),
    version: (await readTransitPositions(source.pool, [outNo])).get(outNo)?.version ?? 0,
  }));
  const { version: sent, account } = left;
  if (account?.balance !== zero) return false;
  if (sent > 0 && !(await stream.waitForMirror({ currency, version: sent }))) return false;
  const mirror = internalAccountNo("transit", currency, "in", from);
  await target.confirmed(() => arriveAccount(target.pool, way, { mirror, sent, use: account.dailyUse }));
  return true;
}

async function end({ cell, onEnd }: MoveDeps, way: Way, refusal?: string): Promise<boolean> {
  const { accountNo, from, to } = way;
  const home = cell(homeCell);
  if (!home) return false;
  const outcome = refusal === undefined ? { cell: to } : { cell: from, refusal };
  if (await home.confirmed(() => finishMove(home.pool, way, outcome))) onEnd({ accountNo, from, to, refusal });
  return true;
}

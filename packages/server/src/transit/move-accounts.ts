/**
 * Moves accounts from one cell to another, as home says (docs/adr/0098-account-moves.md). Each step is idempotent and begins with the two
 * accounts as they are: any node may take it, at once with others, and go on where one of them has died.
 */
import { homeCell } from "../basics/ids.ts";
import type { Account } from "../ledger/accounts/account.ts";
import { internalAccountNo } from "../ledger/accounts/internal-accounts.ts";
import { zero } from "../ledger/money.ts";
import type { MovedAccount } from "../ledger/reference/directory.ts";
import { codeOfServer } from "../store/postgres/database-away.ts";
import { findAccountByNumber } from "../store/reads/accounts.ts";
import { readTransitPositions } from "../store/reads/transit.ts";
import { finishMove } from "../store/tables/cells/moved-accounts.ts";
import { arriveAccount, leaveAccount, listArriving } from "../store/tables/cells/account-moves.ts";
import type { MoveDeps, MovingCell } from "./move-deps.ts";
import { receive } from "./receive-account.ts";
import { relocate } from "./relocate-account.ts";

/** Each node that home answers works by a change of reference data within 2 s: since then none takes a call for the account (ms). */
const announcedMs = 3_000;

/** Accounts that are moved at once. */
const atOnce = 8;

const restrictViolation = "23001";

interface Way {
  readonly accountNo: string;
  readonly number: number;
  readonly from: number;
  readonly to: number;
}

/** One that moves accounts, and knows for how long each has been announced to this node. */
export function createAccountMover(deps: MoveDeps): { run(): Promise<number> } {
  const announcedAt = new Map<number, number>();
  const isSettled = ({ number }: Way) => {
    const now = deps.clock.monotonic();
    const at = announcedAt.get(number) ?? now;
    announcedAt.set(number, at);
    return now - at >= announcedMs;
  };
  return {
    run: async () => {
      const ways = [...deps.moving().values()].flatMap(wayOf);
      const open = new Set(ways.map(({ number }) => number));
      for (const number of announcedAt.keys()) if (!open.has(number)) announcedAt.delete(number);
      let ended = 0;
      for (let first = 0; first < ways.length; first += atOnce) {
        const some = ways.slice(first, first + atOnce);
        const steps = await Promise.allSettled(some.map((way) => move(deps, way, isSettled(way))));
        ended += steps.filter((step) => step.status === "fulfilled" && step.value).length;
        const failed = steps.find((step) => step.status === "rejected");
        if (failed) throw failed.reason;
      }
      if (ended > 0) await deps.refresh();
      return ended;
    },
  };
}

function wayOf({ accountNo, number, cell: from, movingTo: to }: MovedAccount): readonly Way[] {
  return to === undefined ? [] : [{ accountNo, number, from, to }];
}

/** As far as it comes; true: it has ended. */
async function move(deps: MoveDeps, way: Way, isSettled: boolean): Promise<boolean> {
  const [source, target] = [deps.cell(way.from), deps.cell(way.to)];
  if (!source || !target) return false;
  const found = await readBoth(source, target, way);
  if (found.here?.status !== "moved") {
    const refusal = rejectMove(deps, way, found) ?? (isSettled ? await leave(source, way) : undefined);
    if (refusal !== undefined) return end(deps, way, refusal);
    return isSettled && move(deps, way, isSettled);
  }
  if (found.there === undefined || found.there.status === "moved") {
    const between = { from: { ...source, cell: way.from }, to: { ...target, cell: way.to }, clock: deps.clock };
    await target.confirmed(() => receive(between, way.accountNo));
  }
  return (await arrive(deps, way, found.here)) && end(deps, way);
}

interface Both {
  readonly here: Account | undefined;
  readonly there: Account | undefined;
}

async function readBoth(source: MovingCell, target: MovingCell, { accountNo }: Way): Promise<Both> {
  const [here, there] = await Promise.all(
    [source, target].map(({ pool, confirmed }) => confirmed(() => findAccountByNumber(pool, accountNo))),
  );
  return { here, there };
}

/** The reason why it stays, as far as it is seen before it has left. */
function rejectMove({ partnerOf, clock }: MoveDeps, { to }: Way, { here, there }: Both): string | undefined {
  if (here?.purpose !== "customer") return "there is no such account of a holder";
  const isFree = there === undefined || there.status === "moved";
  if (!isFree) return `cell ${to} has another account of this number`;
  const lacking = here.partners
    .flatMap((key) => partnerOf(key) ?? [])
    .find(({ cells = [{ cell: homeCell }] }) =>
      cells.every(({ cell, since = 0 }) => cell !== to || since > clock.real()),
    );
  return lacking && `partner ${lacking.partnerId} has no calls in cell ${to} yet: titian partner change --cells`;
}

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

/** Accounts of one reading. */
const arrivingMax = 256;

/** Accounts that a restored cell had lost, and that were opened anew with the first money for them; answers how many take debits now. */
export async function arriveAgain(deps: MoveDeps, to: number): Promise<number> {
  const pool = deps.cell(to)?.pool;
  const arriving = pool ? await listArriving(pool, arrivingMax) : [];
  let count = 0;
  for (const { accountNo, number, from } of arriving.filter((one) => !deps.moving().has(one.accountNo))) {
    const source = deps.cell(from);
    const here = source && (await source.confirmed(() => findAccountByNumber(source.pool, accountNo)));
    if (here && (await arrive(deps, { accountNo, number, from, to }, here))) count += 1;
  }
  return count;
}

/** False: its money is not there yet. */
async function arrive(deps: MoveDeps, way: Way, { currency }: Account): Promise<boolean> {
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

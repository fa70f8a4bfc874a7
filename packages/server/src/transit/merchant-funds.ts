/**
 * A merchant's money in several cells: swept to its settlement account, and drawn back for refunds (docs/adr/0096-merchants-in-cells.md).
 * Each move is one journal, decided on the account's row: run twice, at once or again, it moves what is there.
 */
import { homeCell, newId } from "../basics/ids.ts";
import type { Clock } from "../basics/clock.ts";
import { inTime } from "../basics/in-time.ts";
import type { Command } from "../engine/command.ts";
import type { Engine } from "../engine/engine.ts";
import { spendable } from "../ledger/accounts/account.ts";
import { internalAccountNo } from "../ledger/accounts/internal-accounts.ts";
import { type Minor, minor, zero } from "../ledger/money.ts";
import type { MerchantInCell } from "../ledger/transit/merchant-account.ts";
import { decideSweep, type SweepOrder } from "../ledger/transit/sweep.ts";
import type { MirrorPosition } from "../ledger/transit/transit-account.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import { findAccountByNumber, findAccountsById } from "../store/reads/accounts.ts";
import { readTransitPositions } from "../store/reads/transit.ts";
import type { TransitShipper } from "./ship-transit.ts";

export interface FundsCell {
  readonly engine: Pick<Engine, "submit">;
  readonly pool: StatementPool;
  /** Turns of reads, of partners and of sweeps; undefined: too many wait. */
  readonly readShares: { run<Result>(owner: string, read: () => Promise<Result>): Promise<Result | undefined> };
}

export interface FundsDeps {
  readonly clock: Pick<Clock, "real">;
  /** Numbers of all cells, home among them. */
  cells(): readonly number[];
  /** Undefined: this node does not serve it now. */
  cell(number: number): FundsCell | undefined;
  stream(from: number, to: number): Pick<TransitShipper, "isStopped" | "waitForMirror"> | undefined;
}

export interface FundsOf extends MerchantInCell {
  /** Id of its settlement account, which is home's. */
  readonly settlementAccount: string;
  /** Internal id of its partner, whose turns the reads take. */
  readonly partner: string;
}

/** Times (ms): to hear of another cell, and for a command. */
const waits = { see: 1_000, command: 5_000 };

/**
 * `amount`: that the cell lacks of `needed`. `short`: all together have less, and nothing was moved. `silent`: a cell cannot be asked, or money
 * is on its way.
 */
export async function drawFunds(
  deps: FundsDeps,
  to: number,
  of: FundsOf,
  { amount, needed }: { readonly amount: Minor; readonly needed: Minor },
): Promise<"drawn" | "short" | "silent"> {
  const others = deps.cells().filter((cell) => cell !== to);
  const found = await readFunds(deps, others, of);
  if (totalOf(found) < amount) return judgeShort(deps, of, needed);
  let left: bigint = amount;
  for (const { cell, funds } of found) {
    const available = funds?.available ?? 0n;
    if (left <= 0n || available <= 0n) continue;
    const moved = await moveFunds(deps, { from: cell, to, of, amount: minor(available < left ? available : left) });
    if (moved === "silent") return "silent";
    left -= moved;
  }
  return left <= 0n ? "drawn" : "silent";
}

/**
 * Money between two cells is on no account. So nothing may be on its way: all that had left has arrived, and none of the merchant's accounts
 * has changed meanwhile.
 */
async function judgeShort(deps: FundsDeps, of: FundsOf, needed: Minor): Promise<"short" | "silent"> {
  const cells = deps.cells();
  const before = await readFunds(deps, cells, of);
  if (!(await hasArrived(deps, of))) return "silent";
  const after = await readFunds(deps, cells, of);
  const isSame = after.every(
    ({ funds }, index) => funds !== undefined && funds.version === before[index]?.funds?.version,
  );
  return isSame && totalOf(after) < needed ? "short" : "silent";
}

/** All that each cell has sent to each other by now is there. */
async function hasArrived(deps: FundsDeps, of: FundsOf): Promise<boolean> {
  const [cells, { currency }] = [deps.cells(), of];
  const arrivals = cells.map(async (from) => {
    const sent = await inTime(readSent(deps, from, of), waits.see);
    const waiting = sent?.map(async ({ to, version }) => deps.stream(from, to)?.waitForMirror({ currency, version }));
    return waiting !== undefined && (await Promise.all(waiting)).every((isThere) => isThere === true);
  });
  return (await Promise.all(arrivals)).every((isThere) => isThere);
}

/** Versions of the accounts of what goes to other cells. Undefined: the cell is not served. */
async function readSent(deps: FundsDeps, from: number, { currency, partner }: FundsOf) {
  const accounts = deps.cells().map((to) => ({ to, accountNo: internalAccountNo("transit", currency, "out", to) }));
  const numbers = accounts.map(({ accountNo }) => accountNo);
  const found = await readIn(deps, { cell: from, partner }, (pool) => readTransitPositions(pool, numbers));
  return (
    found &&
    accounts.flatMap(({ to, accountNo }) => {
      const version = found.get(accountNo)?.version ?? 0;
      return version > 0 ? [{ to, version }] : [];
    })
  );
}

interface FundsFound {
  readonly cell: number;
  /** Undefined: the cell is silent. */
  readonly funds: Funds | undefined;
}

function readFunds(deps: FundsDeps, cells: readonly number[], of: FundsOf): Promise<readonly FundsFound[]> {
  return Promise.all(
    cells.map(async (cell) => ({ cell, funds: await inTime(readAvailable(deps, cell, of), waits.see) })),
  );
}

function totalOf(found: readonly FundsFound[]): bigint {
  return found.reduce((sum, { funds }) => sum + (funds?.available ?? 0n), 0n);
}

export interface FundsMove {
  readonly from: number;
  readonly to: number;
  readonly of: MerchantInCell & Partial<FundsOf>;
  /** Minor units, at most; undefined: all there is. */
  readonly amount: Minor | undefined;
  /** Minor units that stay on the account, as it is when the command is decided. Absent: none. */
  readonly leaves?: () => Minor;
}

/** Answers what has arrived: zero where there is nothing to be moved. */
export async function moveFunds(
  deps: FundsDeps,
  { from, to, of, amount, leaves }: FundsMove,
): Promise<Minor | "silent"> {
  const { merchant, currency, partner = sweeps } = of;
  const [source, stream] = [deps.cell(from), deps.stream(from, to)];
  if (!source || !stream || stream.isStopped(currency)) return "silent";
  const mirror = await inTime(readMirror(deps, { from, to, currency, partner }), waits.see);
  if (!mirror) return "silent";
  const settlement = from === homeCell ? of.settlementAccount : undefined;
  const order = { merchant, currency, to, amount, mirror: mirror.position };
  const terms = { from, settlement, leaves, deadline: deps.clock.real() + waits.command };
  const command = moveCommand(order, terms);
  const outcome = await source.engine.submit(command);
  if (outcome.kind === "nothing") return zero;
  if (outcome.kind !== "effect") return "silent";
  const isThere = await stream.waitForMirror({ currency, version: outcome.payload.version });
  return isThere ? outcome.payload.amount : "silent";
}

interface MoveTerms {
  readonly from: number;
  /** Id of the settlement account, where it is debited. */
  readonly settlement: string | undefined;
  readonly leaves: FundsMove["leaves"];
  /** Real time (epoch ms). */
  readonly deadline: number;
}

interface Moved {
  readonly amount: Minor;
  /** The transit account's. */
  readonly version: number;
}

function moveCommand(
  order: Omit<SweepOrder, "leaves">,
  { from, settlement, leaves, deadline }: MoveTerms,
): Command<Moved> {
  const { merchant, currency, to } = order;
  const own = ["merchant", currency, merchant] as const;
  const out = ["transit", currency, "out", to] as const;
  return {
    id: newId(from),
    deadline,
    locks: {
      accountNumbers: [internalAccountNo(...own), internalAccountNo(...out)],
      ...(settlement !== undefined && { accountIds: [settlement] }),
    },
    decide: (found) => {
      const decision = decideSweep(
        { ...order, leaves: leaves?.() ?? zero },
        {
          settlement: settlement === undefined ? undefined : found.accountById(settlement),
          merchant: { found: found.internalAccount(...own), newId: newId(from) },
          out: { found: found.internalAccount(...out), newId: newId(from) },
        },
      );
      if (decision.kind !== "effect") return decision;
      const { amount, transitVersion: version, ...effect } = decision.effect;
      return { kind: "effect", effect: { ...effect, payload: { amount, version } } };
    },
  };
}

interface Funds {
  /** Minor units; zero where there is no account. */
  readonly available: bigint;
  /** The account's; zero where there is none. */
  readonly version: number;
}

/** Undefined: the cell is not served. */
async function readAvailable(deps: FundsDeps, cell: number, of: FundsOf): Promise<Funds | undefined> {
  const { merchant, currency, settlementAccount, partner } = of;
  return readIn(deps, { cell, partner }, async (pool) => {
    const account =
      cell === homeCell
        ? (await findAccountsById(pool, [settlementAccount])).get(settlementAccount)
        : await findAccountByNumber(pool, internalAccountNo("merchant", currency, merchant));
    const available = account?.currency === currency ? (spendable(account) ?? 0n) : 0n;
    return { available: available > 0n ? available : 0n, version: account?.version ?? 0 };
  });
}

interface Pair {
  readonly from: number;
  readonly to: number;
  readonly currency: string;
  /** The owner of the read's turn. */
  readonly partner: string;
}

async function readMirror(
  deps: FundsDeps,
  { from, to, currency, partner }: Pair,
): Promise<{ readonly position: MirrorPosition | undefined } | undefined> {
  const accountNo = internalAccountNo("transit", currency, "in", from);
  return readIn(deps, { cell: to, partner }, async (pool) => ({
    position: (await readTransitPositions(pool, [accountNo])).get(accountNo),
  }));
}

/** The owner of the turns of sweeps, which are the node's own: no partner's refunds keep them waiting. */
const sweeps = "sweeps of merchants";

/** Undefined: the cell is not served, or too many of the partner's wait to read there. */
async function readIn<Result>(
  deps: FundsDeps,
  { cell, partner }: { readonly cell: number; readonly partner: string },
  read: (pool: StatementPool) => Promise<Result>,
): Promise<Result | undefined> {
  const found = deps.cell(cell);
  return found?.readShares.run(partner, () => read(found.pool));
}

/**
 * A merchant's money in several cells: swept to its settlement account, and drawn back for refunds (docs/adr/0096-merchants-in-cells.md).
 * Each move is one journal, decided on the account's row: run twice, at once or again, it moves what is there.
 */
import { homeCell, newId } from "../basics/ids.ts";
import type { Clock } from "../basics/clock.ts";
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
}

export interface FundsDeps {
  readonly clock: Pick<Clock, "real">;
  /** Numbers of all cells, home among them. */
  cells(): readonly number[];
  /** Undefined: this node does not serve it now. */
  cell(number: number): FundsCell | undefined;
  stream(from: number, to: number): Pick<TransitShipper, "isStopped" | "poke" | "waitForMirror"> | undefined;
}

export interface FundsOf extends MerchantInCell {
  /** Id of its settlement account, which is home's. */
  readonly settlementAccount: string;
}

/** Times (ms): to hear of another cell, for a command, and for the money to arrive. */
const waits = { see: 1_000, command: 5_000, mirror: 500 };

/** `short`: all together have less, and nothing was moved. `silent`: a cell cannot be asked, or the money is still on its way. */
export async function drawFunds(
  deps: FundsDeps,
  to: number,
  of: FundsOf,
  amount: Minor,
): Promise<"drawn" | "short" | "silent"> {
  const others = deps.cells().filter((cell) => cell !== to);
  const found = await Promise.all(
    others.map(async (cell) => ({ cell, available: await inTime(readAvailable(deps, cell, of)) })),
  );
  const total = found.reduce((sum, { available = 0n }) => sum + available, 0n);
  if (total < amount) return found.some(({ available }) => available === undefined) ? "silent" : "short";
  let left: bigint = amount;
  for (const { cell, available = 0n } of found) {
    if (left <= 0n || available <= 0n) continue;
    const moved = await moveFunds(deps, { from: cell, to, of, amount: minor(available < left ? available : left) });
    if (moved === "silent") return "silent";
    left -= moved;
  }
  return left <= 0n ? "drawn" : "silent";
}

export interface FundsMove {
  readonly from: number;
  readonly to: number;
  readonly of: MerchantInCell & Partial<FundsOf>;
  /** Minor units, at most; undefined: all there is. */
  readonly amount: Minor | undefined;
}

/** Answers what has arrived: zero where there is nothing to be moved. */
export async function moveFunds(deps: FundsDeps, { from, to, of, amount }: FundsMove): Promise<Minor | "silent"> {
  const { merchant, currency } = of;
  const [source, stream] = [deps.cell(from), deps.stream(from, to)];
  if (!source || !stream || stream.isStopped(currency)) return "silent";
  const mirror = await inTime(readMirror(deps, { from, to, currency }));
  if (!mirror) return "silent";
  const settlement = from === homeCell ? of.settlementAccount : undefined;
  const order = { merchant, currency, to, amount, mirror: mirror.position };
  const command = moveCommand(order, { from, settlement, deadline: deps.clock.real() + waits.command });
  const outcome = await source.engine.submit(command);
  if (outcome.kind === "nothing") return zero;
  if (outcome.kind !== "effect") return "silent";
  stream.poke(currency);
  const isThere = await stream.waitForMirror({ currency, version: outcome.payload.version }, waits.mirror);
  return isThere ? outcome.payload.amount : "silent";
}

interface MoveTerms {
  readonly from: number;
  /** Id of the settlement account, where it is debited. */
  readonly settlement: string | undefined;
  /** Real time (epoch ms). */
  readonly deadline: number;
}

interface Moved {
  readonly amount: Minor;
  /** The transit account's. */
  readonly version: number;
}

function moveCommand(order: SweepOrder, { from, settlement, deadline }: MoveTerms): Command<Moved> {
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
      const decision = decideSweep(order, {
        settlement: settlement === undefined ? undefined : found.accountById(settlement),
        merchant: { found: found.internalAccount(...own), newId: newId(from) },
        out: { found: found.internalAccount(...out), newId: newId(from) },
      });
      if (decision.kind !== "effect") return decision;
      const { amount, transitVersion: version, ...effect } = decision.effect;
      return { kind: "effect", effect: { ...effect, payload: { amount, version } } };
    },
  };
}

/** Undefined: the cell is not served. */
async function readAvailable(deps: FundsDeps, cell: number, of: FundsOf): Promise<bigint | undefined> {
  const { merchant, currency, settlementAccount } = of;
  const pool = deps.cell(cell)?.pool;
  if (!pool) return undefined;
  const account =
    cell === homeCell
      ? (await findAccountsById(pool, [settlementAccount])).get(settlementAccount)
      : await findAccountByNumber(pool, internalAccountNo("merchant", currency, merchant));
  const available = account?.currency === currency ? (spendable(account) ?? 0n) : 0n;
  return available > 0n ? available : 0n;
}

interface Pair {
  readonly from: number;
  readonly to: number;
  readonly currency: string;
}

async function readMirror(
  deps: FundsDeps,
  { from, to, currency }: Pair,
): Promise<{ readonly position: MirrorPosition | undefined } | undefined> {
  const pool = deps.cell(to)?.pool;
  if (!pool) return undefined;
  const accountNo = internalAccountNo("transit", currency, "in", from);
  return { position: (await readTransitPositions(pool, [accountNo])).get(accountNo) };
}

/** Undefined: it failed, or was not there in time. */
async function inTime<Result>(reading: Promise<Result | undefined>): Promise<Result | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), waits.see);
  const result = await Promise.race([reading.catch(() => undefined), late]);
  clearTimeout(timer);
  return result;
}

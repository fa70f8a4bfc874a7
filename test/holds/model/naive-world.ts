/** What the naive model keeps: lists, and sums made of them whenever they are asked for. Nothing of the ledger's. */

export interface Money {
  readonly value: string;
  readonly currency: string;
}

export interface ModelAccount {
  readonly currency: string;
  /** Internal ids of the partners that may debit it. */
  readonly partners: readonly string[];
  balance: bigint;
  status: "active" | "dormant" | "blocked" | "closed";
  each?: bigint | undefined;
  daily?: bigint | undefined;
  dailyCount?: number | undefined;
  /** What was held on it, each with its day in Jakarta. */
  readonly used: { readonly day: string; readonly amount: bigint }[];
}

export interface ModelMerchant {
  readonly settlement: string;
  readonly payer?: string;
  readonly defaultAmount?: bigint;
  readonly holdMs: number;
  readonly needsToken: boolean;
  isActive: boolean;
}

export interface ModelCapture {
  readonly no: string;
  readonly amount: bigint;
  readonly refunds: bigint[];
}

export interface ModelHold {
  /** Our number of it. */
  readonly no: string;
  readonly partner: string;
  readonly number: string;
  readonly merchantId: string;
  readonly subMerchantId: string | undefined;
  readonly externalStoreId: string | undefined;
  /** Account numbers. */
  readonly payer: string;
  readonly settlement: string;
  readonly currency: string;
  readonly held: bigint;
  readonly at: number;
  readonly expiresAt: number;
  readonly captures: ModelCapture[];
  /** What was released, by voids and by last captures. */
  readonly releases: bigint[];
  /** What the sweep released. */
  swept: bigint;
  voidCalls: number;
  refundCalls: number;
}

export interface World {
  readonly accounts: Map<string, ModelAccount>;
  /** By `partner/merchantId`. */
  readonly merchants: Map<string, ModelMerchant>;
  /** In the order in which they were placed. */
  readonly holds: ModelHold[];
  /** How many captures, voids and refunds a hold may have. */
  readonly changesMax: number;
}

export interface ModelCall {
  readonly name: string;
  readonly partner: string;
  readonly externalId: string;
  readonly signature: string;
  /** Its `X-TIMESTAMP`: more is later. */
  readonly sentAt: number;
  readonly request: Readonly<Record<string, unknown>>;
  readonly customerAccountNo: string | undefined;
}

/** The unclaimed account of each currency takes what no other account can. */
export const unclaimed = (currency: string) => `unclaimed:${currency}`;

export function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

export const refundedOf = (capture: ModelCapture) => sum(capture.refunds);
export const captured = ({ captures }: ModelHold) => sum(captures.map(({ amount }) => amount));
export const refunded = ({ captures }: ModelHold) => sum(captures.map(refundedOf));
/** What is neither captured nor released, whatever the time. */
export const unspent = (hold: ModelHold) => hold.held - captured(hold) - sum(hold.releases) - hold.swept;

/** What may be captured or voided now: from its time on nothing, swept or not. */
export function left(hold: ModelHold, now: number): bigint {
  return now < hold.expiresAt ? unspent(hold) : 0n;
}

/** What has expired by now, swept or not. */
export function expired(hold: ModelHold, now: number): bigint {
  return hold.swept + unspent(hold) - left(hold, now);
}

/** Expired with captures made and a remainder left: what the specification calls a failed original. */
export function hasLapsed(hold: ModelHold, now: number): boolean {
  return captured(hold) > 0n && expired(hold, now) > 0n;
}

/** `latestTransactionStatus` (spec D10). */
export function statusOf(hold: ModelHold, now: number): string {
  if (left(hold, now) > 0n) return captured(hold) > 0n ? "02" : "01";
  if (captured(hold) === 0n) return "05";
  return refunded(hold) === captured(hold) ? "04" : "00";
}

export function heldOn(world: World, accountNo: string): bigint {
  return sum(world.holds.filter((hold) => hold.payer === accountNo).map(unspent));
}

/** Releases what is past its time. */
export function sweep(world: World, now: number): void {
  for (const hold of world.holds) {
    if (now >= hold.expiresAt) hold.swept += unspent(hold);
  }
}

export function accountOf(world: World, accountNo: string): ModelAccount {
  const account = world.accounts.get(accountNo);
  if (!account) throw new Error(`the model has no account ${accountNo}`);
  return account;
}

/** Where money for an account goes: there, also when it is blocked or dormant; a closed one gets no more. */
export function reached(world: World, accountNo: string): string {
  const { status, currency } = accountOf(world, accountNo);
  return status === "closed" ? unclaimed(currency) : accountNo;
}

export function move(world: World, from: string, to: string, amount: bigint): void {
  const destination = reached(world, to);
  accountOf(world, from).balance -= amount;
  const credited = world.accounts.get(destination);
  if (credited) credited.balance += amount;
  else {
    const { currency } = accountOf(world, to);
    world.accounts.set(destination, { currency, partners: [], balance: amount, status: "active", used: [] });
  }
}

/** The date in Jakarta, seven hours ahead of UTC. */
export function dayOf(now: number): string {
  return new Date(now + 7 * 3_600_000).toISOString().slice(0, 10);
}

export function timeText(now: number): string {
  return `${new Date(now + 7 * 3_600_000).toISOString().slice(0, 19)}+07:00`;
}

export function minorOf({ value }: Money): bigint {
  const [whole = "", fraction = ""] = value.split(".");
  return BigInt(whole + fraction.padEnd(2, "0"));
}

export function moneyOf(amount: bigint, currency: string): Money {
  return { value: `${amount / 100n}.${String(amount % 100n).padStart(2, "0")}`, currency };
}

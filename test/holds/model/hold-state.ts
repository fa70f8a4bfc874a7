/** State of the model of holds: lists, and sums computed from them on each question. Nothing of the ledger's. */
import { jakartaTime, type ModelAccount, type ModelCall as ModelRequest, sum } from "../../support/ledger-model.ts";

export interface Money {
  readonly value: string;
  readonly currency: string;
}

export interface ModelMerchant {
  /** Account numbers. */
  readonly settlement: string;
  readonly payer?: string | undefined;
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
  readonly subMerchantId?: string | undefined;
  readonly externalStoreId?: string | undefined;
  /** Account numbers. */
  readonly payer: string;
  readonly settlement: string;
  readonly currency: string;
  readonly held: bigint;
  readonly at: number;
  readonly expiresAt: number;
  readonly captures: ModelCapture[];
  /** Amounts released by voids and by last captures. */
  readonly releases: bigint[];
  /** Amount released by the expiry job. */
  released: bigint;
  voidCalls: number;
  refundCalls: number;
}

type NewHold = Omit<ModelHold, "captures" | "releases" | "released" | "voidCalls" | "refundCalls">;

/** A hold with nothing captured or released. */
export const newHold = (terms: NewHold): ModelHold => ({
  ...terms,
  captures: [],
  releases: [],
  released: 0n,
  voidCalls: 0,
  refundCalls: 0,
});

export interface HoldState {
  readonly accounts: Map<string, ModelAccount>;
  /** By `partner/merchantId`. */
  readonly merchants: Map<string, ModelMerchant>;
  /** In the order in which they were placed. */
  readonly holds: ModelHold[];
  /** Largest number of captures of a hold, also of its voids and of its refunds. */
  readonly eventsMax: number;
}

export interface ModelCall extends ModelRequest {
  readonly name: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly customerAccountNo: string | undefined;
}

/** Account for money that no other account can take, one of each currency. */
export const unapplied = (currency: string) => `unclaimed:${currency}`;

export const refundedOf = (capture: ModelCapture) => sum(capture.refunds);
export const captured = ({ captures }: ModelHold) => sum(captures.map(({ amount }) => amount));
export const refunded = ({ captures }: ModelHold) => sum(captures.map(refundedOf));
/** Neither captured nor released, whatever the time. */
export const unreleased = (hold: ModelHold) => hold.held - captured(hold) - sum(hold.releases) - hold.released;

/** Amount that may be captured or voided: nothing once the hold has expired, released by the job or not. */
export function remaining(hold: ModelHold, now: number): bigint {
  return now < hold.expiresAt ? unreleased(hold) : 0n;
}

/** Amount that has expired, released by the job or not. */
export function expired(hold: ModelHold, now: number): bigint {
  return hold.released + unreleased(hold) - remaining(hold, now);
}

/** Expired with captures made and a remainder left: what the standard calls a failed original. */
export function hasLapsed(hold: ModelHold, now: number): boolean {
  return captured(hold) > 0n && expired(hold, now) > 0n;
}

/** `latestTransactionStatus` (spec D10). */
export function statusOf(hold: ModelHold, now: number): string {
  if (remaining(hold, now) > 0n) return captured(hold) > 0n ? "02" : "01";
  if (captured(hold) === 0n) return "05";
  return refunded(hold) === captured(hold) ? "04" : "00";
}

export function heldOn({ holds }: HoldState, accountNo: string): bigint {
  return sum(holds.filter((hold) => hold.payer === accountNo).map(unreleased));
}

/** The expiry job: releases the remainder of each expired hold. */
export function releaseExpired({ holds }: HoldState, now: number): void {
  for (const hold of holds) if (now >= hold.expiresAt) hold.released += unreleased(hold);
}

export function accountOf({ accounts }: HoldState, accountNo: string): ModelAccount {
  const account = accounts.get(accountNo);
  if (!account) throw new Error(`the model has no account ${accountNo}`);
  return account;
}

/** The account credited in the place of another: itself, also when blocked or dormant; not when closed. */
export function creditedFor(state: HoldState, accountNo: string): string {
  const { status, currency } = accountOf(state, accountNo);
  return status === "closed" ? unapplied(currency) : accountNo;
}

export function move(state: HoldState, from: string, to: string, amount: bigint): void {
  const credited = creditedFor(state, to);
  const { currency } = accountOf(state, from);
  const account = state.accounts.get(credited) ?? newAccount({ currency });
  state.accounts.set(credited, account);
  accountOf(state, from).balance -= amount;
  account.balance += amount;
}

export const newAccount = (terms: Partial<ModelAccount> = {}): ModelAccount => ({
  currency: "IDR",
  partners: [],
  balance: 0n,
  status: "active",
  used: [],
  ...terms,
});

export const timeText = (now: number) => `${jakartaTime(now)}+07:00`;

export function minorOf({ value }: Money): bigint {
  const [whole = "", fraction = ""] = value.split(".");
  return BigInt(whole + fraction.padEnd(2, "0"));
}

export function moneyOf(amount: bigint, currency: string): Money {
  return { value: `${amount / 100n}.${String(amount % 100n).padStart(2, "0")}`, currency };
}

export function merchantOf({ merchants }: HoldState, { partner, request }: ModelCall): ModelMerchant | undefined {
  return merchants.get(`${partner}/${String(request["merchantId"])}`);
}

/** The partner's own hold that a call names: a refund by the partner's number, others by ours. */
export function findHold({ holds }: HoldState, { name, partner, request }: ModelCall): ModelHold | undefined {
  const isNamed = ({ no, number }: ModelHold) =>
    name === "authRefund" ? number === request["originalPartnerReferenceNo"] : no === request["originalReferenceNo"];
  return holds.find((hold) => hold.partner === partner && isNamed(hold));
}

/** True when everything a call says of a hold is so. */
export function matches(hold: ModelHold, { request }: ModelCall): boolean {
  const actual = {
    originalReferenceNo: hold.no,
    originalPartnerReferenceNo: hold.number,
    merchantId: hold.merchantId,
    subMerchantId: hold.subMerchantId,
    externalStoreId: hold.externalStoreId,
  };
  return Object.entries(actual).every(([field, value]) => request[field] === undefined || request[field] === value);
}

/** True when the hold's merchant requires a customer's token and the call has none. */
export function lacksToken({ merchants }: HoldState, hold: ModelHold, call: ModelCall): boolean {
  const merchant = merchants.get(`${hold.partner}/${hold.merchantId}`);
  return merchant?.needsToken === true && call.customerAccountNo === undefined;
}

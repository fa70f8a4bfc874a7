/**
 * Common parts of the models of transfers and of holds, written from the text of the specification and without the
 * ledger: accounts with their limits (D2 step 14, D6), and idempotency of requests (D7).
 */
export interface ModelAccount {
  readonly currency: string;
  /** Internal ids of the partners that may debit it. */
  readonly partners: readonly string[];
  balance: bigint;
  status: "active" | "dormant" | "blocked" | "closed";
  /** Limits: of one debit, of a day's total, of a day's number. */
  each?: bigint | undefined;
  daily?: bigint | undefined;
  dailyCount?: number | undefined;
  /** Debits and holds that count towards the daily limits, with their days in Jakarta. */
  readonly used: { readonly day: string; readonly amount: bigint }[];
}

export interface Debit {
  readonly amount: bigint;
  readonly currency: string;
  readonly now: number;
}

export function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

/** `held`: what holds reserve of the balance. */
export function rejectDebit(
  { amount, currency, now }: Debit,
  source: ModelAccount,
  beneficiary: ModelAccount,
  held = 0n,
) {
  if (source.currency !== currency || beneficiary.currency !== currency) return "currencyMismatch";
  for (const { status } of [source, beneficiary]) {
    if (status === "closed" || status === "blocked") return "accountInactive";
    if (status === "dormant") return "accountDormant";
  }
  const today = source.used.filter(({ day }) => day === dayOf(now)).map((one) => one.amount);
  if (amount === 0n) return "amountTooSmall";
  if (source.each !== undefined && amount > source.each) return "overTransactionLimit";
  if (source.dailyCount !== undefined && today.length >= source.dailyCount) return "tooManyInPeriod";
  if (source.daily !== undefined && sum(today) + amount > source.daily) return "overDailyLimit";
  return amount > source.balance - held ? "insufficientFunds" : undefined;
}

/** Counts a debit towards the daily limits. */
export function countDebit({ used }: ModelAccount, { amount, now }: Debit): void {
  used.push({ day: dayOf(now), amount });
}

/** Time in Jakarta, seven hours ahead of UTC, without its zone. */
export function jakartaTime(now: number): string {
  return new Date(now + 7 * 3_600_000).toISOString().slice(0, 19);
}

const dayOf = (now: number) => jakartaTime(now).slice(0, 10);

export interface ModelCall {
  readonly partner: string;
  readonly externalId: string;
  readonly signature: string;
  /** Its `X-TIMESTAMP`: more is later. */
  readonly sentAt: number;
}

export interface Decided<Call> {
  readonly call: Call;
  readonly at: number;
}

/** Comparison of two requests of one partner. */
export interface Comparison<Call, Accepted> {
  isSameService(first: Call, call: Call): boolean;
  isSameBody(first: Call, call: Call): boolean;
  /** True for two of one service with the partner's same number. */
  isSameNumber(first: Call, call: Call): boolean;
  /** True for two of one service with the same content. */
  hasSameContent(first: Accepted, call: Call): boolean;
  /**
   * True for two of one number that ask for the same as they stand: what a rejected one asked for was never decided.
   */
  hasSameFingerprint(first: Call, call: Call): boolean;
}

export type Repeat<Accepted, Rejected> =
  | { readonly kind: "sameCall" | "externalIdTaken" | "sameNumber" | "numberTaken"; readonly first: Accepted }
  | { readonly kind: "rejection"; readonly first: Rejected };

const windowMs = 24 * 3_600_000;

/** All requests that were decided, and what makes the next one a repeat. */
export function createRequests<Call extends ModelCall, Accepted extends Decided<Call>, Rejected extends Decided<Call>>({
  isSameService,
  isSameBody,
  isSameNumber,
  hasSameContent,
  hasSameFingerprint,
}: Comparison<Call, Accepted>) {
  const accepted: Accepted[] = [];
  const rejected: Rejected[] = [];
  /** By signature: calls that got another send's rejection, which their copies and older sends get again. */
  const ofOthers = new Map<string, { readonly call: Call; readonly first: Rejected }>();
  const isSameRequest = (first: Accepted, call: Call) => isSameNumber(first.call, call) && hasSameContent(first, call);

  const findByExternalId = (call: Call, now: number): Repeat<Accepted, never> | undefined => {
    const isTaken = (one: Accepted) => isSameId(one.call, call) && now - one.at < windowMs;
    const first = accepted.findLast(isTaken);
    if (!first) return undefined;
    const isSame = isSameBody(first.call, call) || isSameRequest(first, call);
    return { kind: isSame && isSameService(first.call, call) ? "sameCall" : "externalIdTaken", first };
  };

  /** Sends are ordered: of the rejected ones that are in an order with the call, the first that was not sent before it. */
  const nextSent = (call: Call, isInOrder: (first: Call) => boolean) =>
    [...rejected.map((first) => ({ call: first.call, first })), ...ofOthers.values()]
      .filter((one) => isInOrder(one.call) && one.call.sentAt >= call.sentAt)
      .toSorted((a, b) => a.call.sentAt - b.call.sentAt)[0];

  const find = (call: Call, now: number): Repeat<Accepted, Rejected> | undefined => {
    const sameId = findByExternalId(call, now);
    if (sameId) return sameId;
    const sameNumber = accepted.find((one) => isOfOne(one.call, call) && isSameNumber(one.call, call));
    if (sameNumber) return { kind: hasSameContent(sameNumber, call) ? "sameNumber" : "numberTaken", first: sameNumber };
    const copied = rejected.find((one) => isOfOne(one.call, call) && one.call.signature === call.signature);
    const isSameIntent = (first: Call) =>
      isOfOne(first, call) && isSameNumber(first, call) && hasSameFingerprint(first, call);
    const [next] = [nextSent(call, (first) => isSameId(first, call)), nextSent(call, isSameIntent)]
      .filter((one) => one !== undefined)
      .toSorted((a, b) => a.call.sentAt - b.call.sentAt);
    const signed = `${call.partner} ${call.signature}`;
    const first = copied ?? (ofOthers.get(signed) ?? next)?.first;
    if (first && first !== copied && !ofOthers.has(signed)) ofOthers.set(signed, { call, first });
    return first && { kind: "rejection", first };
  };

  return { accepted, rejected, find };
}

const isOfOne = (first: ModelCall, call: ModelCall) => first.partner === call.partner;
const isSameId = (first: ModelCall, call: ModelCall) => isOfOne(first, call) && first.externalId === call.externalId;

/** Calls of a run in which a database is away for a time, and their figures. */
import { type Answer, type Caller, newNumber } from "../../support/black-box/caller.ts";
import { transferBody, transferPath } from "../../support/black-box/transfers.ts";

export type Phase = "warm" | "up" | "down" | "back";

export interface TimedCall {
  /** Phases in which it was sent and answered. */
  readonly began: Phase;
  readonly ended: Phase;
  readonly ms: number;
  /** By the monotonic clock. */
  readonly endedAt: number;
  /** "none": there was no answer. */
  readonly code: string;
  readonly retryAfter: string | undefined;
}

export interface Payment<Kind extends string> {
  readonly kind: Kind;
  readonly from: string;
  readonly to: string;
  readonly minor: bigint;
}

/** The external id is its number, too. */
export interface MadeCall<Kind extends string> extends Payment<Kind>, TimedCall {
  readonly externalId: string;
}

const [success, unavailable] = ["2001700", "5031700"];

/** A payment of some cents between two of the accounts. */
export function drawPayment<Kind extends string>(
  kind: Kind,
  payers: readonly string[],
  payees: readonly string[],
  random: () => number,
): Payment<Kind> {
  const pick = (accounts: readonly string[]) => accounts[Math.floor(random() * accounts.length)] ?? "";
  const from = pick(payers);
  const to = pick(payees.filter((one) => one !== from));
  return { kind, from, to, minor: BigInt(1 + Math.floor(random() * 100)) };
}

/** `externalId`: of a call that is sent again. */
export async function pay<Kind extends string>(
  caller: Caller,
  payment: Payment<Kind>,
  phaseNow: () => Phase,
  externalId = newNumber(),
): Promise<MadeCall<Kind>> {
  const value = (Number(payment.minor) / 100).toFixed(2);
  const body = transferBody({ ...payment, value, partnerReferenceNo: externalId });
  const call = await caller.sign(transferPath, body, { externalId });
  return { ...payment, externalId, ...(await timed(() => caller.send(call), phaseNow)) };
}

export async function timed(send: () => Promise<Answer>, phaseNow: () => Phase): Promise<TimedCall> {
  const began = phaseNow();
  const startedAt = performance.now();
  const answer = await send().catch(() => undefined);
  const endedAt = performance.now();
  const { code = "none", headers } = answer ?? {};
  const retryAfter = headers?.["retry-after"] as string | undefined;
  return { began, ended: phaseNow(), ms: endedAt - startedAt, endedAt, code, retryAfter };
}

export const isAccepted = ({ code }: TimedCall): boolean => code === success;

export const isRetryable = ({ code, retryAfter }: TimedCall): boolean =>
  code === unavailable && /^\d+$/.test(retryAfter ?? "");

/** Began and ended while the database was away. */
export const isWithinOutage = ({ began, ended }: TimedCall): boolean => began === "down" && ended === "down";

export const describe = (call: MadeCall<string>): string =>
  `${call.externalId} (${call.kind}), sent ${call.began}, answered ${call.ended}: ${call.code}`;

const percentile = (values: readonly number[], share: number) => {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};

/** A call belongs to the outage that it began or ended in. */
const phaseOf = ({ began, ended }: TimedCall): Phase => (ended === "down" ? ended : began);

/** Rates, failures, 99th percentiles and their ratios, for calls that the outage should not touch. */
export function describePhases(calls: readonly TimedCall[], seconds: number, right = success): string {
  const within = (phase: Phase) => calls.filter((call) => phaseOf(call) === phase);
  const p99Of = (phase: Phase) =>
    percentile(
      within(phase).map(({ ms }) => ms),
      0.99,
    );
  const ratioTo = (phase: Phase) => (p99Of("down") / p99Of(phase)).toFixed(2);
  const told = (["up", "down", "back"] as const).map((phase) => {
    const found = within(phase);
    const failed = found.filter(({ code }) => code !== right).length;
    return `${phase} ${Math.round(found.length / seconds)}/s, ${failed} failures, p99 ${p99Of(phase).toFixed(1)} ms`;
  });
  return `${told.join("; ")}; p99 down / up ${ratioTo("up")}, down / back ${ratioTo("back")}`;
}

/** Calls that need the database: how many were accepted and refused, and when it was served again. `isBackAt`: by the monotonic clock. */
export function describeRefusals(calls: readonly TimedCall[], isBackAt: number): string {
  const accepted = calls.filter(({ code }) => code === success);
  const refused = calls.filter(({ code }) => code === unavailable);
  const refusedWhile = refused.filter((call) => phaseOf(call) === "down").map(({ ms }) => ms);
  const refusedAfter = refused.filter(({ began }) => began === "back").map(({ endedAt }) => endedAt - isBackAt);
  return [
    `${accepted.length} accepted, ${refusedWhile.length} answered 503 while it was away (p50 ${percentile(refusedWhile, 0.5).toFixed(1)} ms, p99 ${percentile(refusedWhile, 0.99).toFixed(1)} ms)`,
    `served again ${Math.max(0, ...refusedAfter).toFixed(0)} ms after it was back`,
  ].join(", ");
}

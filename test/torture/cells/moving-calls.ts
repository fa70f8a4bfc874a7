/**
 * Payments of accounts that move meanwhile: each is sent until it has an answer, some are sent again, some are rejected first and corrected, by then
 * often in another cell, and all answers are judged.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, type Caller, type Json, newNumber } from "../../support/black-box/caller.ts";
import { idr, transferBody, transferPath } from "../../support/black-box/transfers.ts";

export interface MovingPayment {
  readonly from: string;
  readonly to: string;
  readonly minor: bigint;
}

export interface MovingCalls {
  /** One payment, and at times a repeat of an earlier one, or one that is rejected, or corrected. */
  work(): Promise<void>;
  /** An account is to move: its calls may be answered 503xx00 until it has, and for a moment behind that. */
  begin(accountNos: readonly string[]): void;
  end(accountNos: readonly string[]): void;
  /** While a node is killed, its calls fail. */
  disturb<Value>(work: () => Promise<Value>): Promise<Value>;
  accepted(): readonly MovingPayment[];
  readonly faults: readonly string[];
  /** Calls that were answered 503, and repeats that were told as such. */
  counts(): { readonly unavailable: number; readonly repeated: number };
}

/** A copy of home on a node is so old at most, and an answer may be on its way (ms). */
const graceMs = 4_000;
const retryMs = 50;
const repeatShare = 0.15;
const rejectShare = 0.2;
const tooMuch = "99999999.00";
/** A call that was sent in the same second as a rejected one gets its rejection. */
const correctAfterMs = 2_000;

interface Sent {
  readonly payment: MovingPayment;
  readonly body: ReturnType<typeof transferBody>;
  readonly externalId: string;
}

const pickBy =
  (random: () => number) =>
  <One>(from: readonly One[]): One =>
    from[Math.floor(random() * from.length)] as One;

/** Accounts and until when they count as moving. */
function createTimes() {
  const moving = new Map<string, number>();
  const until = (accountNos: readonly string[], time: number) => {
    for (const accountNo of accountNos) moving.set(accountNo, time);
  };
  return {
    isMoving: (accountNo: string) => (moving.get(accountNo) ?? 0) > performance.now(),
    begin: (accountNos: readonly string[]) => until(accountNos, Number.POSITIVE_INFINITY),
    end: (accountNos: readonly string[]) => until(accountNos, performance.now() + graceMs),
  };
}

/** One that had no answer was accepted before. Without the first response its number would be bound to the cell that its payer has left. */
function isRepeat({ code, body }: Answer): boolean {
  const additionalInfo = (body["additionalInfo"] ?? {}) as Json;
  return code === "4091700" && "originalResponse" in additionalInfo;
}

function nextPayment(accounts: readonly string[], random: () => number): Sent {
  const pick = pickBy(random);
  const from = pick(accounts);
  const to = pick(accounts.filter((one) => one !== from));
  const minor = 1 + Math.floor(random() * 100);
  const body = transferBody({ from, to, value: (minor / 100).toFixed(2) });
  return { payment: { from, to, minor: BigInt(minor) }, body, externalId: newNumber() };
}

interface CorrectionsDeps {
  readonly send: (one: Sent, externalId: string) => Promise<Answer>;
  readonly pay: (one: Sent) => Promise<void>;
  readonly next: () => Sent;
  readonly random: () => number;
  readonly faults: string[];
}

/** Calls that are rejected, and later sent again with another amount. */
function createCorrections({ send, pay, next, random, faults }: CorrectionsDeps) {
  const rejected: { readonly one: Sent; readonly correctAt: number }[] = [];
  const reject = async () => {
    const one = next();
    const { code } = await send({ ...one, body: { ...one.body, amount: idr(tooMuch) } }, one.externalId);
    if (code === "4031714") rejected.push({ one, correctAt: performance.now() + correctAfterMs });
    else faults.push(`${one.externalId} of too much: ${code}`);
  };
  const correct = async () => {
    const at = Math.floor(random() * rejected.length);
    if ((rejected[at]?.correctAt ?? Number.POSITIVE_INFINITY) > performance.now()) return;
    for (const { one } of rejected.splice(at, 1)) await pay(one);
  };
  return { reject, correct };
}

export function createMovingCalls(
  callers: () => readonly Caller[],
  accounts: readonly string[],
  random: () => number,
): MovingCalls {
  const { isMoving, begin, end } = createTimes();
  const sent: Sent[] = [];
  const faults: string[] = [];
  let [disturbedUntil, unavailable, repeated] = [0, 0, 0];
  const pick = pickBy(random);
  const next = () => nextPayment(accounts, random);
  const judge = ({ payment: { from, to }, externalId }: Sent, mayBe: boolean, code: string) => {
    if (code === "5031700" && (mayBe || isMoving(from) || isMoving(to))) unavailable += 1;
    else if (disturbedUntil < performance.now()) faults.push(`${externalId} from ${from} to ${to}: ${code}`);
  };
  /** Until it is neither 503 nor without an answer. */
  const send = async (one: Sent, externalId: string): Promise<Answer> => {
    const { from, to } = one.payment;
    for (;;) {
      const mayBe = isMoving(from) || isMoving(to);
      const call = await pick(callers()).sign(transferPath, one.body, { externalId });
      const answer: Answer | undefined = await pick(callers())
        .send(call)
        .catch(() => undefined);
      const code = answer?.code ?? "none";
      if (answer && !code.startsWith("50")) return answer;
      judge(one, mayBe, code);
      await sleep(retryMs);
    }
  };
  const pay = async (one: Sent) => {
    const { from, to } = one.payment;
    const answer = await send(one, one.externalId);
    const { code } = answer;
    if (code === "2001700" || isRepeat(answer)) sent.push(one);
    else faults.push(`${one.externalId} from ${from} to ${to}: ${code}`);
  };
  const repeat = async () => {
    if (sent.length === 0) return;
    const one = pick(sent);
    const isSameCall = random() < 0.5;
    const { code } = await send(one, isSameCall ? one.externalId : newNumber());
    repeated += 1;
    if (code !== (isSameCall ? "4091700" : "4091701")) faults.push(`${one.externalId} again: ${code}`);
  };
  const { reject, correct } = createCorrections({ send, pay, next, random, faults });
  return {
    work: () => {
      const drawn = random();
      if (drawn < repeatShare) return repeat();
      if (drawn > repeatShare + rejectShare) return pay(next());
      return random() < 0.5 ? reject() : correct();
    },
    begin,
    end,
    disturb: async (work) => {
      disturbedUntil = Number.POSITIVE_INFINITY;
      try {
        return await work();
      } finally {
        disturbedUntil = performance.now() + graceMs;
      }
    },
    accepted: () => sent.map(({ payment }) => payment),
    faults,
    counts: () => ({ unavailable, repeated }),
  };
}

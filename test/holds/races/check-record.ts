/** Everything about a hold that can be wrong, whatever raced: sums, events, balances, and the responses to the callers. */
import { isDeepStrictEqual } from "node:util";
import { sum } from "../../support/ledger-model.ts";
import { eventKinds, type HoldRecord, historyOf } from "../hold-record.ts";
import { minorOf, type Money } from "../model/hold-state.ts";
import { numberIn, writeFields } from "../write-fields.ts";
import type { Answered, Balances } from "./race-fixture.ts";

/** The faults found; the expected balances are brought up to the hold's sums. */
export function checkRecord(record: HoldRecord, answered: readonly Answered[], expected: Balances): readonly string[] {
  const { captured, refunded, remaining } = record.sums;
  expected.payer -= captured - refunded;
  expected.settlement += captured - refunded;
  expected.held += remaining;
  return [...checkSums(record), ...checkCaptures(record), ...checkOrder(record), ...checkAnswers(record, answered)];
}

export function compare(what: string, found: unknown, expected: unknown): readonly string[] {
  return isDeepStrictEqual(found, expected) ? [] : [`${what}: ${write(found)}, expected ${write(expected)}`];
}

const write = (value: unknown) =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? `${one}` : one));

/** Spec D10's algebra, and every sum that of its events. */
function checkSums(record: HoldRecord): readonly string[] {
  const { held, captured, voided, expired, remaining, refunded } = record.sums;
  const { captures, releases, released, refunded: givenBack } = historyOf(record);
  const byEvents = [sum(captures.map(({ amount }) => amount)), sum(releases), released, givenBack];
  return [
    ...compare("captured + voided + expired + remaining", captured + voided + expired + remaining, held),
    ...compare("the sums of the events", byEvents, [captured, voided, expired, refunded]),
    ...(remaining < 0n || refunded > captured ? [`more was taken than there was: ${write(record)}`] : []),
  ];
}

function checkCaptures(record: HoldRecord): readonly string[] {
  return historyOf(record).captures.flatMap(({ no, amount, refunded, refunds }) => [
    ...(refunded > amount ? [`capture ${no}: ${refunded} of ${amount} refunded`] : []),
    ...compare(`refunds of capture ${no}`, sum(refunds), refunded),
  ]);
}

/** Events are numbered without a gap; no capture or void is later than the expiry, by the clock or by its number. */
function checkOrder({ events }: HoldRecord): readonly string[] {
  const numbers = events.map(({ sequence }) => sequence);
  const expected = events.map((_, index) => index + 1);
  const [expiry, ...more] = events.filter(({ kind }) => kind === eventKinds.expiry);
  const taking = events.filter(({ kind }) => kind === eventKinds.capture || kind === eventKinds.void);
  const late = taking.filter(({ sequence, isLate }) => isLate || (expiry && sequence > expiry.sequence));
  return [
    ...compare("the numbers of the events", numbers, expected),
    ...late.map(({ sequence }) => `event ${sequence} is later than the hold's expiry`),
    ...(more.length > 0 ? ["it expired more than once"] : []),
    ...(expiry && !expiry.isLate ? ["it expired too early"] : []),
  ];
}

/** Each success that was answered is recorded once, with its amount; nothing else is recorded. */
function checkAnswers({ events }: HoldRecord, answered: readonly Answered[]): readonly string[] {
  const successes = new Map<string, bigint>();
  for (const { name, reply } of answered) {
    if (reply.case !== "success") continue;
    const no = String(numberIn(reply));
    if (successes.has(no)) return [`number ${no} was given twice`];
    successes.set(no, minorOf(reply.fields?.[writeFields[name].amount] as Money));
  }
  const found = new Map<string, bigint>();
  const captures = new Set(events.flatMap(({ kind, no }) => (kind === eventKinds.capture ? [no] : [])));
  for (const { kind, no, amount } of events) {
    // The remainder that a last capture releases is not in its response.
    const isRemainder = kind === eventKinds.void && captures.has(no);
    if (kind !== eventKinds.expiry && !isRemainder) found.set(no, (found.get(no) ?? 0n) + amount);
  }
  return compare("what was recorded", [...found].toSorted(byNo), [...successes].toSorted(byNo));
}

const byNo = ([a]: readonly [string, bigint], [b]: readonly [string, bigint]) => (a < b ? -1 : 1);

/** Takes an attempt to its end: sends it, asks for it, and waits in between, with every step stored before it is taken. */
import { type OperationRow, operations } from "@titian/contract";
import { type Attempt, checkAttempt } from "../attempt.ts";
import { intentOf } from "../calls/intent-of.ts";
import { callTransaction, type ClientState } from "../calls/transaction-call.ts";
import { checkSendOptions, type SendOptions } from "../exchange/call-options.ts";
import type { WriteName } from "../names.ts";
import { checkTimeout } from "../options.ts";
import type { Signal } from "../platform.ts";
import { type AttemptStore, createMemoryAttempts, keyOf, type StoredAttempt } from "./attempt-store.ts";
import { decideNext, type Next } from "./decide-next.ts";
import { inquiryOf } from "./inquiry.ts";
import { type Known, learnFromInquiry, learnFromSend, maybeSent, neverSent, withSend } from "./known.ts";
import { SecondAttemptError } from "./second-attempt-error.ts";
import { seeInquiry } from "./see-inquiry.ts";
import { seeSend } from "./see-send.ts";
import { type Settled, toSettled, toUnknown } from "./settled.ts";
import { createTurns, type Turns } from "./turns.ts";
import { pauseFor, startUntil, type Until } from "./until.ts";

export interface ResumeOptions extends Omit<SendOptions, "signal"> {
  /** Deadline: then the result is `unknown`, and settling goes on from there when it is called again. */
  readonly until: Date | Signal;
  /** The provider's window of `X-TIMESTAMP`, both ways, in milliseconds. Default 300,000. */
  readonly timestampWindowMs?: number | undefined;
}

export interface SettleOptions extends ResumeOptions {
  /** Keeps the attempt from before its first send. Without one, a crash leaves it to be settled from your own storage. */
  readonly store?: AttemptStore | undefined;
}

/** `isUnsent`: the client prepared the attempt, and has not sent it. */
export async function settleAttempt<Name extends WriteName>(
  state: ClientState,
  given: Attempt<Name>,
  isUnsent: boolean,
  options: SettleOptions,
): Promise<Settled<Name>> {
  checkResumeOptions(options);
  const { store = createMemoryAttempts() } = options;
  const until = startUntil(options.until, state.settings.clock);
  try {
    const attempt = checkAttempt(given);
    const key = keyOf(operations[attempt.operation], attempt);
    const known = isUnsent ? neverSent : maybeSent(state.settings.clock.now());
    const first: StoredAttempt = { key, version: 1, attempt, isOpen: true, known };
    const stored = (await store.put(first)) ? first : await getStored(store, key);
    const { externalId, body } = stored.attempt;
    if (externalId !== attempt.externalId || body !== attempt.body) {
      throw new SecondAttemptError(key, stored.attempt, attempt);
    }
    return await carryOn(state, attempt, { store, stored, until, turns: createTurns(1) }, options);
  } finally {
    until.release();
  }
}

export interface Course {
  readonly store: AttemptStore;
  readonly stored: StoredAttempt;
  readonly until: Pick<Until, "at" | "signal">;
  /** Every call waits for its turn. */
  readonly turns: Turns;
}

/** From what is stored to the end, or to the deadline. */
export async function carryOn<Name extends WriteName>(
  state: ClientState,
  attempt: Attempt<Name>,
  course: Course,
  options: ResumeOptions,
): Promise<Settled<Name>> {
  const { until } = course;
  const { clock } = state.settings;
  const run = createRun(state, attempt, course, options);
  for (;;) {
    const next = decideNext(run.known(), clock.now());
    if (next.step === "end") return toSettled(attempt, next.end);
    const askAgainAt = next.step === "wait" ? next.until : clock.now();
    if (until.signal.aborted || askAgainAt > until.at) return toUnknown(attempt, run.known(), new Date(askAgainAt));
    await run.take(next);
  }
}

interface Run {
  known(): Known;
  take(next: Exclude<Next, { step: "end" }>): Promise<void>;
}

function createRun(state: ClientState, attempt: Attempt, course: Course, options: ResumeOptions): Run {
  const { settings, timestamps } = state;
  const { store, until, turns } = course;
  const { timeoutMs = settings.timeoutMs, timestampWindowMs: windowMs = defaultWindowMs } = options;
  const sendOptions: SendOptions = { ...options, timeoutMs, signal: until.signal };
  const row: OperationRow = operations[attempt.operation];
  const inquiry = inquiryOf(row, attempt);
  const bytes = new TextEncoder().encode(attempt.body);
  const { operation: name, externalId } = attempt;
  let { stored } = course;

  /** False: another runner was faster, and `stored` is what it has left. */
  async function save(known: Known): Promise<boolean> {
    const changed = { ...stored, version: stored.version + 1, isOpen: known.end === undefined, known };
    const isSaved = await store.put(changed);
    stored = isSaved ? changed : await getStored(store, stored.key);
    return isSaved;
  }

  /** Whatever other runners have learned meanwhile stays learned. */
  async function learn(add: (known: Known) => Known): Promise<void> {
    while (stored.known.end === undefined && !(await save(add(stored.known))));
  }

  async function send(earliest: number): Promise<void> {
    const before = stored.known;
    const timestamp = timestamps.of(externalId, intentOf(name, bytes), earliest);
    const signedAt = Date.parse(timestamp);
    // Stored first: after a crash it counts as sent.
    if (!(await save(withSend(before, signedAt, settings.clock.now())))) return;
    const seen = seeSend(
      row,
      await callTransaction(state, { name, externalId, bytes, options: sendOptions, timestamp }),
    );
    const sent = { signedAt, before, isAskable: inquiry !== undefined, now: settings.clock.now() };
    await learn((known) => learnFromSend(known, seen, sent));
  }

  async function ask(): Promise<void> {
    if (inquiry === undefined) return;
    const asked = { row, attempt, inquiry, timeoutMs };
    const seen = seeInquiry(
      asked,
      await callTransaction(state, {
        name: inquiry.row.name,
        // The inquiry's own: a read takes none.
        externalId: settings.newExternalId(),
        bytes: new TextEncoder().encode(inquiry.body),
        options: sendOptions,
      }),
    );
    const limits = { windowMs, now: settings.clock.now() };
    await learn((known) => learnFromInquiry(known, seen, limits));
  }

  return {
    known: () => stored.known,
    async take(next) {
      if (next.step === "wait") await pauseFor(next.until - settings.clock.now(), until.signal);
      else await turns(() => (next.step === "send" ? send(next.earliest) : ask()));
    },
  };
}

const defaultWindowMs = 300_000;

/** Throws a TypeError before anything is stored. */
export function checkResumeOptions(options: ResumeOptions): void {
  checkSendOptions(options);
  if (options.timestampWindowMs !== undefined) checkTimeout("timestampWindowMs", options.timestampWindowMs);
}

async function getStored(store: AttemptStore, key: string): Promise<StoredAttempt> {
  const stored = await store.get(key);
  if (stored !== undefined) return stored;
  throw new Error(`the store has neither taken nor kept the attempt ${key}`);
}

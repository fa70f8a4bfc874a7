// Goal: an attempt never ends `rejected` while it could have happened or can happen yet, and never `done` while it has not.
// Method: random histories of every write (moods of the provider, losses, delays, crashes, wrong clocks) against a model of
// the provider's rules; at the end all that is under way arrives, in any order, and the end must still be true.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type OperationRow, operationRows } from "@titian/contract";
import { makeAttempt } from "../../src/attempt.ts";
import type { WriteName } from "../../src/names.ts";
import { decideNext } from "../../src/settling/decide-next.ts";
import { inquiryOf } from "../../src/settling/inquiry.ts";
import { type Known, learnFromInquiry, learnFromSend, neverSent, withSend } from "../../src/settling/known.ts";
import { seeInquiry } from "../../src/settling/see-inquiry.ts";
import { seeSend } from "../../src/settling/see-send.ts";
import { createTimestamps } from "../../src/timestamps.ts";
import { silence } from "../helpers/answers.ts";
import { createModel, moods } from "../helpers/model-provider.ts";

const minute = 60_000;
const day = 86_400_000;
const windowMs = 300_000;
const timeoutMs = 30_000;

interface Step {
  readonly mood: number;
  /** Fate of the call: answered, answered and lost, delayed, or never arrived. */
  readonly fate: "answered" | "lost" | "delayed" | "gone";
  /** The process dies behind it. */
  readonly crash: boolean;
  /** Its answer comes after the next call, which another runner makes. */
  readonly isLate: boolean;
  /** By which the clock is wrong from then on; undefined: as before. */
  readonly offsetMs: number | undefined;
  readonly advanceMs: number;
  readonly deliver: boolean;
  readonly isRailSlow: boolean;
  readonly railEnds: "no" | "settled" | "failed";
}

type Fate = Pick<Step, "fate" | "crash" | "isLate">;

const offsets = [undefined, undefined, undefined, undefined, 0, 0, 3 * minute, -3 * minute, -20 * minute, day];
const step: fc.Arbitrary<Step> = fc.record({
  // The first three twice as often.
  mood: fc.nat(moods.length + 2).map((mood) => mood % moods.length),
  fate: fc.constantFrom("answered", "answered", "answered", "lost", "delayed", "delayed", "gone"),
  crash: fc.boolean(),
  isLate: fc.nat(3).map((number) => number === 0),
  offsetMs: fc.constantFrom(...offsets),
  advanceMs: fc.constantFrom(0, 700, 5_000, 5_000, 35_000, 35_000, minute, 4 * minute, 7 * minute, 2 * day),
  deliver: fc.boolean(),
  isRailSlow: fc.boolean(),
  railEnds: fc.constantFrom("no", "no", "settled", "failed"),
});

/** A process of the shop, whose memory a crash takes: what is stored is all that the next one has. */
function createRunner(row: OperationRow, model: ReturnType<typeof createModel>) {
  const attempt = makeAttempt(row.name as WriteName, "1", JSON.stringify(row.example.request));
  const inquiry = inquiryOf(row, attempt);
  let offset = 0;
  const clock = { now: () => model.now() + offset };
  let timestamps = createTimestamps(clock);
  let stored: Known = neverSent;

  const lateAnswers: (() => void)[] = [];

  function send(earliest: number, { fate, crash, isLate }: Fate): void {
    const before = stored;
    const signedAt = Date.parse(timestamps.of("1", "1", earliest));
    stored = withSend(before, signedAt, clock.now());
    if (fate === "gone" && crash) return;
    const outcome = fate === "gone" ? silence : fate === "delayed" ? model.delay(signedAt) : model.receive(signedAt);
    if (crash) return;
    const seen = seeSend(row, fate === "lost" ? silence : outcome);
    const learn = (): void => {
      if (stored.end !== undefined) return;
      stored = learnFromSend(stored, seen, { signedAt, before, isAskable: inquiry !== undefined, now: clock.now() });
    };
    if (isLate) lateAnswers.push(learn);
    else learn();
  }

  function ask(fate: Step["fate"]): void {
    const outcome = fate === "answered" ? model.inquire() : silence;
    if (inquiry === undefined || outcome === undefined) return;
    const seen = seeInquiry({ row, attempt, inquiry, timeoutMs }, outcome);
    stored = learnFromInquiry(stored, seen, { windowMs, now: clock.now() });
  }

  return {
    end: () => stored.end,
    /** Does what is due; false: nothing is. */
    act(fate: Fate): boolean {
      const next = decideNext(stored, clock.now());
      const answers = lateAnswers.splice(0);
      if (next.step === "send") send(next.earliest, fate);
      else if (next.step === "ask") ask(fate.fate);
      for (const learn of answers) learn();
      return next.step !== "wait" && next.step !== "end";
    },
    setClock: (offsetMs: number) => void (offset = offsetMs),
    restart(): void {
      timestamps = createTimestamps(clock);
      lateAnswers.length = 0;
    },
  };
}

function play(row: OperationRow, isTaken: boolean, steps: readonly Step[]): void {
  const model = createModel(row, isTaken);
  const runner = createRunner(row, model);
  const check = (): void => {
    const end = runner.end();
    if (end?.state === "done") assert.ok(model.hasHappened(), "done, and it has not happened");
    if (end?.state === "rejected") assert.ok(!model.hasHappened(), "rejected, and it has happened");
  };
  for (const one of steps) {
    const { mood, crash, offsetMs, advanceMs, deliver, isRailSlow, railEnds } = one;
    model.setMood(moods[mood] ?? "accepts");
    model.setRail(isRailSlow);
    runner.act(one);
    if (crash) runner.restart();
    if (offsetMs !== undefined) runner.setClock(offsetMs);
    if (railEnds !== "no") model.end(railEnds === "failed");
    model.advance(advanceMs);
    if (deliver) model.deliver(mood);
    check();
  }
  // All that is under way arrives at a provider that would take it: at once, or when its time has come by a wrong clock.
  model.setMood("accepts");
  const isCalm = runner.end() === undefined;
  for (let round = 0; model.isUnderWay(); round += 1) {
    model.deliver(round);
    model.advance(round % 3 === 0 ? day / 2 : minute);
    check();
  }
  if (isCalm) settleInPeace(model, runner, check);
}

/** With a provider that answers and a clock that is right, every attempt comes to an end. */
function settleInPeace(
  model: ReturnType<typeof createModel>,
  runner: ReturnType<typeof createRunner>,
  check: () => void,
): void {
  runner.setClock(0);
  // Beyond the timestamps of a clock that was a day ahead.
  model.advance(2 * day);
  model.setRail(false);
  model.end(false);
  for (let acts = 0; runner.end() === undefined; model.advance(31_000)) {
    if (runner.act(still)) acts += 1;
    assert.ok(acts < 10, "no end in sight");
    check();
  }
}

const still: Step = {
  mood: 0,
  fate: "answered",
  crash: false,
  isLate: false,
  offsetMs: undefined,
  advanceMs: 5_000,
  deliver: false,
  isRailSlow: false,
  railEnds: "no",
};

/** A send that was signed by a clock ahead is under way while a later one is rejected. */
const signedAhead = (offsetMs: number): [boolean, Step[]] => [
  false,
  [
    { ...still, fate: "gone", offsetMs },
    { ...still, fate: "delayed", offsetMs: 0 },
    { ...still, mood: moods.indexOf("rejects") },
  ],
];

for (const row of operationRows.filter(({ kind }) => kind === "write")) {
  test(`${row.name}: no history ends it wrongly, and peace ends it`, () => {
    const histories = fc.property(fc.boolean(), fc.array(step, { maxLength: 14 }), (isTaken, steps) =>
      play(row, isTaken, steps),
    );
    fc.assert(histories, { numRuns: 500, examples: [signedAhead(3 * minute), signedAhead(day)] });
  });
}

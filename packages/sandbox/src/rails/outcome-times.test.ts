/** Goal: when each outcome ends, on a rail that settles at once and on one that settles in batches. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { stateAt, timesOf } from "./outcome-times.ts";
import { type Outcome, outcomes } from "./scenarios.ts";

const holidays = new Set(["2026-11-24"]);
/** 09:00 and 16:00. */
const batches = { settlements: [540, 960] };
const at = (text: string) => Date.parse(`${text}+07:00`);
const monday = at("2026-11-23T10:00:00");

/** Seconds from the moment the rail looks at it to its end and its return. */
function secondsOf(outcome: Outcome, terms = {}, from = monday): readonly (number | undefined)[] {
  const { finalAt, returnedAt } = timesOf(outcome, from, terms, holidays);
  return [finalAt, returnedAt].map((time) => (time === undefined ? undefined : (time - from) / 1_000));
}

test("a rail without batches ends all at once but what is slow, or never ends", () => {
  for (const outcome of outcomes) {
    const expected: Partial<Record<Outcome, readonly (number | undefined)[]>> = {
      slowSuccess: [15, undefined],
      limbo: [undefined, undefined],
      returnedAfterSettlement: [0, 60],
    };
    assert.deepEqual(secondsOf(outcome), expected[outcome] ?? [0, undefined], outcome);
  }
});

test("a rail with batches ends everything at the next one, rejections as well", () => {
  const toFour = 6 * 3_600;
  assert.deepEqual(secondsOf("success", batches), [toFour, undefined]);
  assert.deepEqual(secondsOf("rejected", batches), [toFour, undefined]);
  assert.deepEqual(secondsOf("slowSuccess", batches), [toFour, undefined]);
  assert.deepEqual(secondsOf("returnedAfterSettlement", batches), [toFour, toFour + 60]);
  assert.deepEqual(secondsOf("limbo", batches), [undefined, undefined]);
});

test("a slow instruction misses a batch that is nearer than 15 s", () => {
  const before = at("2026-11-23T08:59:50");
  assert.deepEqual(secondsOf("success", batches, before), [10, undefined]);
  assert.deepEqual(secondsOf("slowSuccess", batches, before), [10 + 7 * 3_600, undefined]);
});

test("behind the last batch comes the first of the next working day", () => {
  const evening = at("2026-11-23T17:00:00");
  const wednesday = at("2026-11-25T09:00:00");
  assert.deepEqual(secondsOf("success", batches, evening), [(wednesday - evening) / 1_000, undefined]);
});

test("a calendar without a batch ends nothing by itself", () => {
  assert.deepEqual(secondsOf("success", { settlements: [] }), [undefined, undefined]);
});

test("before its end it is pending, at its end it is what it is, and then it may be back", () => {
  const subject = { rail: "rtgs", referenceNo: "A", finalAt: 1_000, returnedAt: 2_000 } as const;
  const kinds = (outcome: Outcome) => [999, 1_000, 1_999, 2_000].map((now) => stateAt(subject, outcome, now).kind);
  assert.deepEqual(kinds("returnedAfterSettlement"), ["pending", "settled", "settled", "returned"]);
  const rejected = stateAt({ rail: "rtgs", referenceNo: "A", finalAt: 1_000 }, "bankUnreachable", 1_000);
  assert.deepEqual({ ...rejected, traceNo: "" }, { kind: "rejected", rejection: "bankUnreachable", traceNo: "" });
});

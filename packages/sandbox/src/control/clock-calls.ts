/** The movable clock (spec D18). */
import {
  formatTimestamp,
  integer,
  number,
  object,
  optional,
  parseTimestamp,
  type Static,
  string,
} from "@titian/contract";
import { defineCall, invalidField } from "@titian/control";
import { time } from "@titian/server/admin";
import type { Instant } from "@titian/server/rails";

export interface ClockCallsDeps {
  readonly movedClock: {
    now(): Instant;
    /** Moves the whole system's time forward to the given one. */
    moveTo(time: Instant): Promise<void>;
    /** Moves it forward by so many milliseconds, whoever else moves it at the same time. */
    moveBy(ms: number): Promise<void>;
  };
  readonly due: DueWork;
}

/** Work that becomes due by time alone. */
export interface DueWork {
  /** Does what is due now, for at most 30 s. */
  settle(): Promise<void>;
  /** Counts what is due and not done yet. */
  pending(): Promise<number>;
}

const secondsMax = 3_200_000_000;
/** Times are answered with four digits of a year, whatever is added to one afterwards. */
const latest = Date.UTC(2900, 0, 1);

const setDescription = "an ISO 8601 time, such as 2026-11-21T10:00:00+07:00";
const moveBody = object({
  advanceSeconds: optional(
    number({ minimum: 0, maximum: secondsMax, description: `a number of seconds from 0 to ${secondsMax}` }),
  ),
  set: optional(string({ description: setDescription })),
});
const clock = object({ now: time(), pending: integer({ description: "due work that is left; 10,000 holds at most" }) });

export const clockCalls = [
  defineCall({
    name: "clock show",
    route: "GET /clock",
    role: "viewer",
    does: "Business time, and how much due work is left.",
    answer: clock,
    run: (_input, deps: ClockCallsDeps) => show(deps),
  }),
  defineCall({
    name: "clock move",
    route: "POST /clock",
    role: "operator",
    does: "Moves time forward, by advanceSeconds or to set. Does what has become due, for at most 30 s; what is left goes on.",
    body: moveBody,
    answer: clock,
    run: async ({ body }, deps: ClockCallsDeps) => {
      await move(deps, body);
      await deps.due.settle();
      return show(deps);
    },
  }),
] as const;

async function move({ movedClock }: ClockCallsDeps, { advanceSeconds, set }: Static<typeof moveBody>): Promise<void> {
  if ((advanceSeconds === undefined) === (set === undefined)) {
    throw invalidField("advanceSeconds", "Give either advanceSeconds or set.");
  }
  const now = movedClock.now();
  if (advanceSeconds !== undefined) {
    const ms = Math.round(advanceSeconds * 1_000);
    if (now + ms > latest) throw invalidField("advanceSeconds", "Time ends with the year 2899 here.");
    return movedClock.moveBy(ms);
  }
  const wanted = parseTimestamp(set ?? "");
  if (wanted === undefined) throw invalidField("set", `set must be ${setDescription}.`);
  if (wanted > latest) throw invalidField("set", "Time ends with the year 2899 here.");
  // A time we answered has lost its fraction: asking for it again is no way back.
  if (wanted <= now - 1_000) throw invalidField("set", `Time only moves forward, and now is ${formatTimestamp(now)}.`);
  return movedClock.moveTo(wanted);
}

async function show({ movedClock, due }: ClockCallsDeps) {
  return { now: movedClock.now(), pending: await due.pending() };
}

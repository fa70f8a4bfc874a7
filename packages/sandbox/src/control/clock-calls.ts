/** The movable clock over the control API (spec D18). */
import { formatTimestamp, number, object, optional, parseTimestamp, type Static, string } from "@titian/contract";
import type { FastifyInstance } from "fastify";
import type { Instant } from "@titian/server/rails";
import { invalidField, readBody } from "@titian/control";

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

/** What becomes due by time alone. */
export interface DueWork {
  /** Does what is due now, for at most 30 s. */
  settle(): Promise<void>;
  /** How much is due and not done yet. */
  pending(): Promise<number>;
}

const secondsMax = 3_200_000_000;
/** Times are answered with four digits of a year, whatever is added to one afterwards. */
const latest = Date.UTC(2900, 0, 1);

const setDescription = "an ISO 8601 time, such as 2026-11-21T10:00:00+07:00";
const MoveBody = object({
  advanceSeconds: optional(
    number({ minimum: 0, maximum: secondsMax, description: `a number of seconds from 0 to ${secondsMax}` }),
  ),
  set: optional(string({ description: setDescription })),
});

export function serveClockCalls(app: FastifyInstance, deps: ClockCallsDeps): void {
  app.get("/clock", async () => show(deps));
  app.post("/clock", async ({ body }) => {
    await move(deps, readBody(MoveBody, body));
    await deps.due.settle();
    return show(deps);
  });
}

async function move({ movedClock }: ClockCallsDeps, { advanceSeconds, set }: Static<typeof MoveBody>): Promise<void> {
  if ((advanceSeconds === undefined) === (set === undefined)) {
    throw invalidField("advanceSeconds", "Give either advanceSeconds or set.");
  }
  const now = movedClock.now();
  if (advanceSeconds !== undefined) {
    const ms = Math.round(advanceSeconds * 1_000);
    if (now + ms > latest) throw invalidField("advanceSeconds", "Time ends with the year 2899 here.");
    return movedClock.moveBy(ms);
  }
  const time = parseTimestamp(set ?? "");
  if (time === undefined) throw invalidField("set", `set must be ${setDescription}.`);
  if (time > latest) throw invalidField("set", "Time ends with the year 2899 here.");
  // A time we answered has lost its fraction: asking for it again is no way back.
  if (time <= now - 1_000) throw invalidField("set", `Time only moves forward, and now is ${formatTimestamp(now)}.`);
  return movedClock.moveTo(time);
}

async function show({ movedClock, due }: ClockCallsDeps) {
  return { now: formatTimestamp(movedClock.now()), pending: await due.pending() };
}

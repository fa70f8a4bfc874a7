/** The races of a hold: what is sent at once, and the results that are possible (spec D9, D10). */
import { setTimeout as sleep } from "node:timers/promises";
import { idr } from "../merchant.ts";
import {
  type Answered,
  type HoldCalls,
  pick,
  placeHold,
  type Race,
  type RaceFixture,
  type RaceResult,
} from "./race-fixture.ts";
import { randomCalls } from "./random-calls.ts";

function atOnce(one: (fixture: RaceFixture, random: () => number) => Promise<RaceResult>): Race["run"] {
  return (fixture, random, rounds) => Promise.all(Array.from({ length: rounds }, () => one(fixture, random)));
}

const countSuccesses = (answered: readonly Answered[], name: Answered["name"]) =>
  answered.filter((one) => one.name === name && one.reply.case === "success").length;

/** A call that lost a race is rejected for the hold's state or the amount, and for nothing else. */
function unexpected(answered: readonly Answered[]): readonly string[] {
  const may = ["success", "invalidTransactionStatus", "exceedsTransactionAmountLimit"];
  return answered.filter(({ reply }) => !may.includes(reply.case)).map(({ name, reply }) => `${name}: ${reply.case}`);
}

const expectCount = (what: string, found: number, expected: number) =>
  found === expected ? [] : [`${found} ${what}, expected ${expected}`];

/** 200 captures at once of a hundredth each: exactly 100 may succeed. */
const hundredths: Race = {
  name: "200 captures of 1/100 each",
  atOnce: 2,
  run: atOnce(async (fixture, random) => {
    const hold = await placeHold(fixture, "100.00", { first: Math.round(random()) });
    const captureAmount = idr("1.00");
    const answered = await Promise.all(Array.from({ length: 200 }, () => hold.send("authCapture", { captureAmount })));
    const captured = countSuccesses(answered, "authCapture");
    return {
      original: hold.original,
      answered,
      outcome: `${captured} of 200`,
      check: ({ sums: { remaining } }) => [
        ...unexpected(answered),
        ...expectCount("captures", captured, 100),
        ...expectCount("minor units left", Number(remaining), 0),
      ],
    };
  }),
};

const captureOrVoid = [
  { capture: undefined, void: undefined, successes: 1 },
  { capture: "6.00", void: "6.00", successes: 1 },
  { capture: "6.00", void: "4.00", successes: 2 },
  { capture: "4.00", void: undefined },
  { capture: "4.00", void: "10.00", successes: 1 },
  { capture: "4.00", isLast: true, void: "6.00" },
  { capture: "4.00", isLast: true, void: undefined },
] as const;

/** A capture and a void at once: both succeed if the hold is enough for both, else the first. */
const captureAndVoid: Race = {
  name: "capture against void",
  atOnce: 10,
  run: atOnce(async (fixture, random) => {
    const mode = pick(random, captureOrVoid);
    const hold = await placeHold(fixture, "10.00", { first: Math.round(random()) });
    const capture = () =>
      hold.send("authCapture", {
        ...(mode.capture !== undefined && { captureAmount: idr(mode.capture) }),
        ...("isLast" in mode && { lastCapture: "true" }),
      });
    const release = () => hold.send("authVoid", mode.void === undefined ? {} : { voidAmount: idr(mode.void) });
    const calls = random() < 0.5 ? [capture, release] : [release, capture];
    const answered = await Promise.all(calls.map((call) => call()));
    const [captured, voided] = [countSuccesses(answered, "authCapture"), countSuccesses(answered, "authVoid")];
    return {
      original: hold.original,
      answered,
      outcome: captured + voided === 2 ? "both" : captured === 1 ? "captured" : voided === 1 ? "voided" : "neither",
      check: () => [
        ...unexpected(answered),
        ...("successes" in mode ? expectCount("successes", captured + voided, mode.successes) : []),
        ...(captured + voided === 0 ? ["neither succeeded"] : []),
      ],
    };
  }),
};

const refundOrRefund = [
  { refunds: [undefined, undefined], successes: 1 },
  { refunds: ["8.00", "8.00"], successes: 1 },
  { refunds: ["8.00", "2.00"], successes: 2 },
  { refunds: Array.from({ length: 10 }, () => "1.50"), successes: 6 },
  { refunds: ["4.00", undefined], names: true },
  { refunds: ["7.00", undefined, "3.00"], names: true },
] as const;

/** Refunds at once of 10.00 captured in two parts of 4.00 and 6.00: never more in total, nor of either part. */
const refunds: Race = {
  name: "refund against refund",
  atOnce: 10,
  run: atOnce(async (fixture, random) => {
    const mode = pick(random, refundOrRefund);
    // With and without something left to capture: closed, a hold that is refunded in full is in another state.
    const hold = await placeHold(fixture, pick(random, ["10.00", "12.00"]), { first: Math.round(random()) });
    const captures: Answered[] = [];
    for (const value of ["4.00", "6.00"]) captures.push(await hold.send("authCapture", { captureAmount: idr(value) }));
    const named = { originalCaptureNo: captures[Math.round(random())]?.reply.fields?.["captureNo"] };
    const sent = await Promise.all(
      mode.refunds.map((value, index) =>
        hold.send("authRefund", {
          ...(value !== undefined && { refundAmount: idr(value) }),
          ...("names" in mode && index === 1 && named),
        }),
      ),
    );
    const refunded = countSuccesses(sent, "authRefund");
    return {
      original: hold.original,
      answered: [...captures, ...sent],
      outcome: `${refunded} of ${sent.length}`,
      check: () => [
        ...unexpected(sent),
        ...("successes" in mode ? expectCount("refunds", refunded, mode.successes) : []),
        ...(refunded === 0 ? ["no refund succeeded"] : []),
      ],
    };
  }),
};

const shortestMs = 60_000;
/** Time to place the holds: their expiry must be at least a minute ahead when that is decided. */
const marginMs = 500;
const leadMsMax = 60;
const skewMsMax = 2;
const captureCount = 12;

/** Places holds, moves every node to just before their expiry, and runs captures and the expiry job across it. */
const captureAndExpiry: Race = {
  name: "capture against expiry",
  atOnce: 10,
  run: async (fixture, random, rounds) => {
    const expiresAt = Date.now() + fixture.clock.offset + shortestMs + marginMs;
    const validUpTo = new Date(expiresAt).toISOString();
    const holds = await Promise.all(
      Array.from({ length: rounds }, () => placeHold(fixture, "8.00", { first: Math.round(random()), validUpTo })),
    );
    fixture.clock.offset = expiresAt - Math.ceil(random() * leadMsMax) - Date.now();
    await Promise.all(
      fixture.nodes.map((node) => node.setOffset(fixture.clock.offset + Math.floor(random() * (skewMsMax + 1)))),
    );
    let isOver = false;
    const jobs = fixture.nodes.map(async (node) => {
      while (!isOver) await node.expire();
    });
    const raced = await Promise.all(holds.map((hold) => captureAll(hold, random)));
    while (Date.now() + fixture.clock.offset <= expiresAt) await sleep(1);
    isOver = true;
    await Promise.all(jobs);
    // A job may have run too early: one more, certainly after the expiry.
    await fixture.nodes[0]?.expire();
    return raced;
  },
};

async function captureAll({ original, send }: HoldCalls, random: () => number): Promise<RaceResult> {
  const sent: Promise<Answered>[] = [];
  for (let count = 0; count < captureCount; count += 1) {
    sent.push(send("authCapture", { captureAmount: idr("1.00") }));
    await sleep(random() * 3);
  }
  const answered = await Promise.all(sent);
  const captured = answered.filter(({ reply }) => reply.case === "success").length;
  return {
    original,
    answered,
    outcome: captured === 0 ? "all expired" : captured === 8 ? "all captured" : "lapsed",
    check: ({ sums: { remaining, voided } }) => [
      ...answered.flatMap(({ reply }) =>
        reply.case === "success" || reply.case === "invalidTransactionStatus" ? [] : [`a capture: ${reply.case}`],
      ),
      ...(remaining === 0n && voided === 0n ? [] : [`${remaining} left and ${voided} voided`]),
    ],
  };
}

/** By the names of `npm run torture -- holds`. */
export const races = {
  hundredths,
  void: captureAndVoid,
  refund: refunds,
  expiry: captureAndExpiry,
  random: randomCalls,
} as const;

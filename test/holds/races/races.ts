/** The races of a hold: what is sent at once, and what may have come of it (spec D9, D10). */
import type { HoldRecord } from "./hold-record.ts";
import { type Answered, type HoldCalls, placeHold, type RaceScene } from "./race-fixture.ts";
import { idr } from "../merchant.ts";

export interface Raced {
  readonly original: HoldCalls["original"];
  readonly answered: readonly Answered[];
  /** Faults of this race's own, from the answers and the record. */
  readonly judge: (record: HoldRecord) => readonly string[];
  /** What happened, in a word. */
  readonly outcome: string;
}

export interface Race {
  readonly name: string;
  /** How many rounds run at once: their holds have accounts in common, nothing else. */
  readonly atOnce: number;
  run(scene: RaceScene, random: () => number, rounds: number): Promise<readonly Raced[]>;
}

function atOnce(one: (scene: RaceScene, random: () => number) => Promise<Raced>): Race["run"] {
  return (scene, random, rounds) => Promise.all(Array.from({ length: rounds }, () => one(scene, random)));
}

export const pick = <Value>(random: () => number, values: readonly Value[]) =>
  values[Math.floor(random() * values.length)] as Value;

const casesOf = (answered: readonly Answered[], name: Answered["name"]) =>
  answered.filter((one) => one.name === name).map(({ reply }) => reply.case);
const successes = (answered: readonly Answered[], name: Answered["name"]) =>
  casesOf(answered, name).filter((one) => one === "success").length;

/** Rejected for its state or its amount: nothing else may reject who lost a race. */
function unexpected(answered: readonly Answered[]): readonly string[] {
  const may = ["success", "invalidTransactionStatus", "exceedsTransactionAmountLimit"];
  return answered.filter(({ reply }) => !may.includes(reply.case)).map(({ name, reply }) => `${name}: ${reply.case}`);
}

const expectCount = (what: string, found: number, expected: number) =>
  found === expected ? [] : [`${found} ${what}, expected ${expected}`];

/** 200 captures at once of a hundredth each: exactly 100 may succeed. */
export const hundredths: Race = {
  name: "200 captures of 1/100 each",
  atOnce: 2,
  run: atOnce(async (scene, random) => {
    const hold = await placeHold(scene, "100.00", { first: Math.round(random()) });
    const captureAmount = idr("1.00");
    const answered = await Promise.all(Array.from({ length: 200 }, () => hold.send("authCapture", { captureAmount })));
    const captured = successes(answered, "authCapture");
    return {
      original: hold.original,
      answered,
      outcome: `${captured} of 200`,
      judge: ({ remaining }) => [
        ...unexpected(answered),
        ...expectCount("captures", captured, 100),
        ...expectCount("minor units left", Number(remaining), 0),
      ],
    };
  }),
};

const captureOrVoid = [
  { capture: undefined, void: undefined, wins: 1 },
  { capture: "6.00", void: "6.00", wins: 1 },
  { capture: "6.00", void: "4.00", wins: 2 },
  { capture: "4.00", void: undefined },
  { capture: "4.00", void: "10.00", wins: 1 },
  { capture: "4.00", isLast: true, void: "6.00" },
  { capture: "4.00", isLast: true, void: undefined },
] as const;

/** A capture and a void at once: both, where there is enough for both; else whoever came first. */
export const captureAndVoid: Race = {
  name: "capture against void",
  atOnce: 10,
  run: atOnce(async (scene, random) => {
    const mode = pick(random, captureOrVoid);
    const hold = await placeHold(scene, "10.00", { first: Math.round(random()) });
    const capture = () =>
      hold.send("authCapture", {
        ...(mode.capture !== undefined && { captureAmount: idr(mode.capture) }),
        ...("isLast" in mode && { lastCapture: "true" }),
      });
    const release = () => hold.send("authVoid", mode.void === undefined ? {} : { voidAmount: idr(mode.void) });
    const calls = random() < 0.5 ? [capture, release] : [release, capture];
    const answered = await Promise.all(calls.map((call) => call()));
    const [captured, voided] = [successes(answered, "authCapture"), successes(answered, "authVoid")];
    return {
      original: hold.original,
      answered,
      outcome: captured + voided === 2 ? "both" : captured === 1 ? "captured" : voided === 1 ? "voided" : "neither",
      judge: () => [
        ...unexpected(answered),
        ...("wins" in mode ? expectCount("successes", captured + voided, mode.wins) : []),
        ...(captured + voided === 0 ? ["neither came first"] : []),
      ],
    };
  }),
};

const refundOrRefund = [
  { refunds: [undefined, undefined], wins: 1 },
  { refunds: ["8.00", "8.00"], wins: 1 },
  { refunds: ["8.00", "2.00"], wins: 2 },
  { refunds: Array.from({ length: 10 }, () => "1.50"), wins: 6 },
  { refunds: ["4.00", undefined], names: true },
  { refunds: ["7.00", undefined, "3.00"], names: true },
] as const;

/** Refunds at once of 10.00 captured in two parts of 4.00 and 6.00: never more than that, nor more of either. */
export const refunds: Race = {
  name: "refund against refund",
  atOnce: 10,
  run: atOnce(async (scene, random) => {
    const mode = pick(random, refundOrRefund);
    // With and without something left to capture: closed, a hold that is refunded in full is in another state.
    const hold = await placeHold(scene, pick(random, ["10.00", "12.00"]), { first: Math.round(random()) });
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
    const refunded = successes(sent, "authRefund");
    return {
      original: hold.original,
      answered: [...captures, ...sent],
      outcome: `${refunded} of ${sent.length}`,
      judge: () => [
        ...unexpected(sent),
        ...("wins" in mode ? expectCount("refunds", refunded, mode.wins) : []),
        ...(refunded === 0 ? ["no refund came first"] : []),
      ],
    };
  }),
};

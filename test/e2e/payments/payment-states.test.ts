/** The life of a hold (spec D10) by plain HTTP: what may happen in each state, what 64 calls it, and that its sums add up. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer, Json } from "../../support/black-box/caller.ts";
import { toMinor } from "../../support/black-box/control.ts";
import { paths } from "../../support/black-box/payments/hold-bodies.ts";
import { capture, hold, holdOf, type Payment, refund, voidHold } from "../../support/black-box/payments/holds.ts";
import { expectField } from "../../support/black-box/answers.ts";
import { sharePaymentFixture } from "../../support/black-box/payments/payment-fixture.ts";
import { expectCode, idr } from "../../support/black-box/transfers.ts";

const fixture = await sharePaymentFixture();
const { alpha, control, merchant } = fixture;
const payer = await fixture.newPayer("100000.00");
// Refunds of tests before are not to eat up what later ones need.
const { additionalInfo } = payer;
expectCode(
  await capture(alpha, await hold(alpha, merchant.merchantId, { amount: idr("1000.00"), additionalInfo })),
  "2006500",
);

type Made = Payment & { readonly captureNo?: unknown };
type Event = "capture" | "void" | "refund";

interface State {
  /** As the control API calls it; and how it came about. */
  readonly state: string;
  readonly by: string;
  /** As 64 tells it. */
  readonly status: string;
  readonly description: string;
  make(payment: Payment): Promise<unknown>;
  /** True: its time shall pass then. */
  readonly passes?: boolean;
  /** Events that may happen in it, and the status that each leads to. */
  readonly leadsTo: Readonly<Partial<Record<Event, string>>>;
  /** Code of the rejection of all others, but for the service code: 404xx00 where nothing is said. */
  readonly rejects?: "40302" | "40400";
}

const take = (payment: Payment, value: string, more: Json = {}) =>
  done(capture(alpha, payment, { captureAmount: idr(value), ...more }));
const release = (payment: Payment, more: Json = {}) => done(voidHold(alpha, payment, more));
const reversal = (payment: Payment, more: Json = {}) => done(refund(alpha, payment, more));

async function done(answer: Promise<Answer>): Promise<unknown> {
  const { status, text, body } = await answer;
  assert.equal(status, 200, text);
  return body["captureNo"];
}

const open = { state: "open", status: "01", description: "Initiated" };
const partly = { state: "partlyCaptured", status: "02", description: "Paying" };
const closed = { state: "captured", status: "00", description: "Success", leadsTo: { refund: "04" } };
const lapsed = { state: "lapsed", status: "00", description: "Success", leadsTo: { refund: "04" } };
const refunded = { state: "refunded", status: "04", description: "Refunded", leadsTo: {} };
const nothingTaken = { status: "05", description: "Canceled", leadsTo: {} };

async function takeAndRefund(payment: Payment) {
  const captureNo = await take(payment, "30.00");
  await reversal(payment);
  return captureNo;
}

const states: readonly State[] = [
  { ...open, by: "nothing yet", make: async () => {}, leadsTo: { capture: "00", void: "05" } },
  {
    ...open,
    by: "a void of a part",
    make: (payment) => release(payment, { voidAmount: idr("10.00") }),
    leadsTo: { capture: "00", void: "05" },
  },
  {
    ...partly,
    by: "a capture of a part",
    make: (payment) => take(payment, "30.00"),
    leadsTo: { capture: "00", void: "00", refund: "02" },
  },
  {
    ...partly,
    by: "a capture, all of it refunded",
    make: takeAndRefund,
    leadsTo: { capture: "00", void: "04" },
    rejects: "40302",
  },
  { ...closed, by: "a capture of all", make: (payment) => done(capture(alpha, payment)) },
  { ...closed, by: "a last capture", make: (payment) => take(payment, "30.00", { lastCapture: "true" }) },
  {
    ...closed,
    by: "captures and voids in turn",
    make: async (payment) => {
      await release(payment, { voidAmount: idr("10.00") });
      await take(payment, "30.00");
      await release(payment, { voidAmount: idr("10.00"), voidRemainingAmount: "false" });
      await take(payment, "50.00");
    },
  },
  {
    ...closed,
    by: "a capture, and a void of the rest",
    make: async (payment) => {
      const captureNo = await take(payment, "30.00");
      await release(payment, { voidRemainingAmount: "true" });
      return captureNo;
    },
  },
  { ...lapsed, by: "time, after a capture", make: (payment) => take(payment, "30.00"), passes: true },
  {
    ...refunded,
    by: "a refund of all",
    make: async (payment) => {
      await done(capture(alpha, payment));
      await reversal(payment);
    },
  },
  {
    ...refunded,
    by: "time, after a capture and its refund",
    make: takeAndRefund,
    passes: true,
  },
  { ...nothingTaken, state: "voided", by: "a void of all", make: (payment) => release(payment) },
  { ...nothingTaken, state: "expired", by: "time", make: async () => {}, passes: true },
  {
    ...nothingTaken,
    state: "expired",
    by: "time, after a void of a part",
    make: (payment) => release(payment, { voidAmount: idr("10.00") }),
    passes: true,
  },
];

const events: Readonly<Record<Event, (payment: Made) => Promise<Answer>>> = {
  capture: (payment) => capture(alpha, payment),
  void: (payment) => voidHold(alpha, payment),
  // A lapsed hold's capture must be named; any other's may be.
  refund: ({ captureNo, ...payment }) =>
    refund(alpha, payment, captureNo === undefined ? {} : { originalCaptureNo: captureNo }),
};
const services = { capture: "65", void: "67", refund: "69" } as const;

async function tellStatus({ referenceNo }: Payment): Promise<Answer> {
  const answer = await alpha.call(paths.query, { originalReferenceNo: referenceNo });
  expectCode(answer, "2006400");
  return answer;
}

/** 64's sums are the hold's, and keep to the algebra: captured + voided + expired + remaining = held, refunded <= captured. */
async function expectSums(payment: Payment, { body }: Answer): Promise<void> {
  const { captured, voided, expired, refunded: back, remaining, held } = await holdOf(control, payment);
  const { validUpTo, ...sums } = body["additionalInfo"] as Json;
  assert.deepEqual(sums, { captured, voided, expired, refunded: back, remaining });
  assert.match(String(validUpTo), /\+07:00$/);
  assert.deepEqual(body["amount"], idr(held));
  assert.equal(
    [captured, voided, expired, remaining].reduce((sum, text) => sum + toMinor(text), 0n),
    toMinor(held),
  );
  assert.ok(toMinor(back) <= toMinor(captured));
}

async function expectEvent(
  { leadsTo, rejects = "40400", state, by, status }: State,
  event: Event,
  made: Made,
): Promise<void> {
  const why = `${event} when ${state} by ${by}`;
  const before = await tellStatus(made);
  assert.equal(before.body["latestTransactionStatus"], status, why);
  const answer = await events[event](made);
  const now = await tellStatus(made);
  const next = leadsTo[event];
  if (next === undefined) {
    const code = `${rejects.slice(0, 3)}${services[event]}${rejects.slice(3)}`;
    assert.equal(answer.code, code, `${why}: ${answer.text}`);
    assert.deepEqual(now.body, before.body, why);
  } else {
    expectCode(answer, `200${services[event]}00`);
    assert.equal(now.body["latestTransactionStatus"], next, why);
  }
  await expectSums(made, now);
}

test("each state, however it came about, allows what it allows, and is shown by 64", async () => {
  const soon = async () => {
    const { now } = await control.call<{ readonly now: string }>("GET", "clock");
    return new Date(Date.parse(now) + 240_000).toISOString();
  };
  const made = new Map<State, Made[]>();
  for (const one of states) {
    const validUpTo = one.passes === true ? { validUpTo: await soon() } : {};
    const terms = { additionalInfo: { ...additionalInfo, ...validUpTo } };
    for (const _ of Object.keys(events)) {
      const payment = await hold(alpha, merchant.merchantId, terms);
      const captureNo = await one.make(payment);
      made.set(one, [...(made.get(one) ?? []), { ...payment, captureNo }]);
    }
  }
  await fixture.advance(241);
  for (const [one, payments] of made) {
    for (const [position, event] of (["capture", "void", "refund"] as const).entries()) {
      const payment = payments[position] ?? assert.fail("no hold");
      const { state } = await holdOf(control, payment);
      assert.equal(state, one.state, one.by);
      const found = await tellStatus(payment);
      assert.equal(found.body["transactionStatusDesc"], one.description);
      await expectSums(payment, found);
      await expectEvent(one, event, payment);
    }
  }
});

test("a hold expires by its merchant's time, or by validUpTo; no command comes in after it", async () => {
  const days = 86_400;
  const ownMerchant = await fixture.newMerchant("--hold-for", "12h");
  const usual = await hold(alpha, merchant.merchantId, { additionalInfo });
  const short = await hold(alpha, ownMerchant.merchantId, { additionalInfo });
  const { now } = await control.call<{ readonly now: string }>("GET", "clock");
  const validUpTo = new Date(Date.parse(now) + 10 * days * 1_000).toISOString();
  const long = await hold(alpha, ownMerchant.merchantId, { additionalInfo: { ...additionalInfo, validUpTo } });
  const statusesAfter = async (seconds: number) => {
    await fixture.advance(seconds);
    const found = await Promise.all([short, usual, long].map(tellStatus));
    return found.map(({ body }) => body["latestTransactionStatus"]);
  };
  assert.deepEqual(await statusesAfter(days / 2 - 60), ["01", "01", "01"]);
  assert.deepEqual(await statusesAfter(60), ["05", "01", "01"]);
  expectCode(await capture(alpha, short), "4046500");
  assert.deepEqual(await statusesAfter(6.5 * days - 60), ["05", "01", "01"]);
  expectCode(await voidHold(alpha, usual, { voidAmount: idr("1.00") }), "2006700");
  assert.deepEqual(await statusesAfter(60), ["05", "05", "01"]);
  expectCode(await voidHold(alpha, usual), "4046700");
  assert.deepEqual(await statusesAfter(3 * days - 60), ["05", "05", "01"]);
  expectCode(await capture(alpha, long, { captureAmount: idr("30.00") }), "2006500");
  assert.deepEqual(await statusesAfter(60), ["05", "05", "00"]);
});

test("a refund of a hold that lapsed names the capture; whatever it names must be one of the hold", async () => {
  const { now } = await control.call<{ readonly now: string }>("GET", "clock");
  const validUpTo = new Date(Date.parse(now) + 120_000).toISOString();
  const payment = await hold(alpha, merchant.merchantId, { additionalInfo: { ...additionalInfo, validUpTo } });
  const [first, second] = [await take(payment, "10.00"), await take(payment, "20.00")];
  expectCode(await refund(alpha, payment, { refundAmount: idr("1.00") }), "2006900");
  await fixture.advance(121);
  for (const more of [{}, { refundAmount: idr("1.00") }, { refundAmount: idr("1000.00") }]) {
    expectField(await refund(alpha, payment, more), "4006902", "originalCaptureNo");
  }
  expectCode(await refund(alpha, payment, { originalCaptureNo: payment.referenceNo }), "4046901");
  const named = (captureNo: unknown, value?: string) =>
    refund(alpha, payment, { originalCaptureNo: captureNo, ...(value !== undefined && { refundAmount: idr(value) }) });
  expectCode(await named(first, "9.01"), "4036902");
  const rest = await named(first);
  expectCode(rest, "2006900");
  assert.deepEqual(rest.body["refundAmount"], idr("9.00"));
  expectCode(await named(first), "4036902");
  expectCode(await named(second), "2006900");
  // All is refunded, yet it lapsed: the capture is still asked for first.
  expectField(await refund(alpha, payment), "4006902", "originalCaptureNo");
  expectCode(await named(second), "4046900");
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});

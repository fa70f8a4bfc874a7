// Goal: the table of states is the machine. Method: holds of small sums in every state, every event with every amount
// that fits; what the decisions do must be exactly what the table says, allowed and rejected, and every arrow is taken.
import assert from "node:assert/strict";
import { test } from "node:test";
import { account } from "../../../../../test/engine/transfers.ts";
import { decideCapture } from "./capture.ts";
import { decideExpiry } from "./expire.ts";
import { type Capture, type Hold, placeHold, remaining } from "./hold.ts";
import { type HoldAction, type HoldState, holdState, holdStates, mayHappen } from "./states.ts";
import { minor } from "../money.ts";
import { decideRefund } from "./refund.ts";
import type { Decision } from "../rejection.ts";
import { decideVoid } from "./void.ts";

const expiresAt = 1_000;
const countMax = 1_000;
const currency = "IDR";
const settlement = account("2", { balance: minor(100n) });
const payer = account("1", { balance: minor(100n) });
const own = { find: () => undefined, newId: "opened" };
const placed = placeHold({
  id: "hold",
  partner: "partner",
  partnerReferenceNo: "P-1",
  merchantId: "M-1",
  payer: payer.id,
  settlement: settlement.id,
  currency,
  held: minor(3n),
  expiresAt,
  at: 0,
});

/** Every hold of 3 whose sums add up. */
function* allHolds(): Generator<Hold> {
  for (let captured = 0n; captured <= 3n; captured += 1n) {
    for (let voided = 0n; captured + voided <= 3n; voided += 1n) {
      for (const expired of [0n, 3n - captured - voided]) {
        for (let refunded = 0n; refunded <= captured; refunded += 1n) {
          const sums = { captured, voided, expired, refunded };
          const [c, v, e, r] = Object.values(sums).map(minor) as [never, never, never, never];
          yield { ...placed, captured: c, voided: v, expired: e, refunded: r };
        }
      }
    }
  }
}

const amounts = [undefined, 1n, 2n, 3n].map((value) =>
  value === undefined ? undefined : { amount: minor(value), currency },
);
const before = expiresAt - 1;

interface Changed {
  readonly holds: readonly { readonly hold: Hold }[];
}

/** Every way in which the event can be asked of the hold. */
function attempts(hold: Hold, event: HoldAction): readonly Decision<Changed>[] {
  const captures: Capture[] =
    hold.captured === 0n
      ? []
      : [{ sequence: 1, id: "c", amount: hold.captured, refunded: hold.refunded, refundUntil: Infinity }];
  switch (event) {
    case "capture":
      return amounts.flatMap((amount) =>
        [true, false].map((isLast) =>
          decideCapture({ amount, isLast, now: before, countMax, refundMs: 1 }, hold, settlement, own),
        ),
      );
    case "void":
      return amounts.map((amount) => decideVoid({ amount, isAll: false, now: before, countMax }, hold));
    case "expire":
      return [decideExpiry(hold, expiresAt)];
    case "refund":
      return amounts.map((amount) =>
        decideRefund(
          { amount, captureId: captures[0]?.id, now: before, countMax },
          { hold, captures, payer, settlement },
          own,
        ),
      );
  }
}

const events: readonly HoldAction[] = ["capture", "void", "expire", "refund"];

test("in every state every event does what the table says, and nothing else", () => {
  const taken = new Set<string>();
  for (const hold of allHolds()) {
    const state = holdState(hold);
    for (const event of events) {
      const next = holdStates[state].on[event];
      for (const decision of attempts(hold, event)) {
        if (decision.kind !== "effect") {
          const rejected = decision.kind === "rejection" ? decision.rejection.kind : decision.kind;
          const forItsState = rejected === "wrongState" || rejected === "nothing";
          assert.equal(forItsState, next === undefined, `${state} ${event}: ${rejected}`);
          continue;
        }
        const after = holdState(decision.effect.holds[0]?.hold ?? assert.fail());
        assert.ok(next?.includes(after), `${state} --> ${after}: ${event}`);
        taken.add(`${state} --> ${after}: ${event}`);
      }
    }
  }
  const drawn = (Object.keys(holdStates) as HoldState[]).flatMap((state) =>
    events.flatMap((event) => (holdStates[state].on[event] ?? []).map((to) => `${state} --> ${to}: ${event}`)),
  );
  assert.deepEqual([...taken].sort(), drawn.sort());
});

test("from its time on nothing can be taken from a hold, swept or not", () => {
  for (const hold of allHolds()) {
    if (remaining(hold) === 0n) continue;
    assert.deepEqual(
      decideCapture({ isLast: false, now: expiresAt, countMax, refundMs: 1 }, hold, settlement, own),
      wrongState,
    );
    assert.deepEqual(decideVoid({ isAll: false, now: expiresAt, countMax }, hold), wrongState);
    assert.equal(decideExpiry(hold, before).kind, "nothing");
  }
});

test("an event is allowed exactly where the table has it", () => {
  const allowed = events.filter((event) => mayHappen(placed, event));
  assert.deepEqual(allowed, ["capture", "void", "expire"]);
});

const wrongState = { kind: "rejection", rejection: { kind: "wrongState" } };

import assert from "node:assert/strict";
import { test } from "node:test";
import { placeHold } from "../../ledger/holds/hold.ts";
import { minor } from "../../ledger/money.ts";
import { summarizeHold } from "./holds.ts";

const hold = placeHold({
  id: "01936c71-d134-7fd0-d9e9-7132b4e8c0b0",
  partner: "00000000-0000-0000-0000-000000000001",
  partnerReferenceNo: "ORDER-1",
  merchantId: "FUEL-7",
  payer: "00000000-0000-0000-0000-000000000002",
  settlement: "00000000-0000-0000-0000-000000000003",
  currency: "JPY",
  held: minor(300n),
  expiresAt: Date.UTC(2026, 10, 22),
  at: Date.UTC(2026, 10, 21),
});
const captured = { ...hold, captured: minor(100n), captures: 1, lines: 1 };

test("a hold past its expiry is expired before the job has run", () => {
  const found = { hold: captured, payerAccountNo: "2001", settlementAccountNo: "2002" };
  const reference = { current: () => ({ partners: new Map() }) as never, byPartnerId: () => undefined };
  const sums = (now: number) => {
    const { state, expired, remaining } = summarizeHold({ clock: { now: () => now }, reference }, found);
    return { state, expired, remaining };
  };
  assert.deepEqual(sums(hold.expiresAt - 1), { state: "partlyCaptured", expired: 0n, remaining: 200n });
  assert.deepEqual(sums(hold.expiresAt), { state: "lapsed", expired: 200n, remaining: 0n });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { HoldDetails } from "@titian/server/admin";
import { formatHold, formatHolds } from "./hold-tables.ts";

const hold: HoldDetails = {
  referenceNo: "01JD7K3M9QZ8V2X4B6N8P0R2T4",
  partnerId: "SHOP01",
  partnerReferenceNo: "ORDER-1",
  merchantId: "FUEL-7",
  subMerchantId: undefined,
  externalStoreId: "PUMP-3",
  payerAccountNo: "2001",
  payer: undefined,
  settlementAccountNo: "2002",
  settlement: undefined,
  currency: "JPY",
  held: 300n,
  captured: 100n,
  voided: 0n,
  expired: 0n,
  remaining: 200n,
  refunded: 0n,
  state: "partlyCaptured",
  status: "02",
  meaning: "Something is captured, and something is still held",
  placedAt: Date.UTC(2026, 10, 21),
  expiresAt: Date.UTC(2026, 10, 22),
  events: 1,
};
const lapsed: HoldDetails = { ...hold, expired: 200n, remaining: 0n, state: "lapsed", status: "00" };

test("a hold is shown with its expiry, and amounts have the currency's decimals", () => {
  const before = formatHold(hold);
  assert.match(before, /^state +partlyCaptured \(02\)/m);
  assert.match(before, /^expires +2026-11-22T07:00:00\+07:00$/m);
  assert.match(before, /^expired +0 JPY\nremaining +200 JPY$/m);
  assert.match(before, /^store +PUMP-3$/m);

  const after = formatHold(lapsed);
  assert.match(after, /^state +lapsed \(00\)/m);
  assert.match(after, /^expired +2026-11-22T07:00:00\+07:00$/m);
  assert.match(after, /^expired +200 JPY\nremaining +0 JPY$/m);
});

test("a list shows amounts and state", () => {
  assert.match(formatHolds([hold]), /FUEL-7 +2001 +300 +100 +200 +JPY +partlyCaptured /);
  assert.match(formatHolds([lapsed]), /FUEL-7 +2001 +300 +100 +0 +JPY +lapsed /);
});

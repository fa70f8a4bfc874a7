import assert from "node:assert/strict";
import { test } from "node:test";
import type { HoldDetailsView } from "@titian/sandbox/types";
import { formatHold, formatHolds } from "./hold-tables.ts";

/** An answer is JSON: its amounts and times are texts. */
const hold = {
  referenceNo: "01JD7K3M9QZ8V2X4B6N8P0R2T4",
  partnerId: "SHOP01",
  partnerReferenceNo: "ORDER-1",
  merchantId: "FUEL-7",
  externalStoreId: "PUMP-3",
  payerAccountNo: "2001",
  settlementAccountNo: "2002",
  currency: "JPY",
  held: "300",
  captured: "100",
  voided: "0",
  expired: "0",
  remaining: "200",
  refunded: "0",
  state: "partlyCaptured",
  status: "02",
  meaning: "Something is captured, and something is still held",
  placedAt: "2026-11-21T07:00:00+07:00",
  expiresAt: "2026-11-22T07:00:00+07:00",
  events: 1,
} as HoldDetailsView;
const lapsed = { ...hold, expired: "200", remaining: "0", state: "lapsed", status: "00" } as HoldDetailsView;

test("a hold is shown with its expiry", () => {
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

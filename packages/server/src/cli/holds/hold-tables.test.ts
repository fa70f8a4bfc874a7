import assert from "node:assert/strict";
import { test } from "node:test";
import { type Hold, placeHold } from "../../ledger/holds/hold.ts";
import { minor } from "../../ledger/money.ts";
import { formatHold, formatHolds } from "./hold-tables.ts";

const placed: Hold = placeHold({
  id: "01936c71-d134-7fd0-d9e9-7132b4e8c0b0",
  partner: "00000000-0000-0000-0000-000000000001",
  partnerReferenceNo: "ORDER-1",
  merchantId: "FUEL-7",
  externalStoreId: "PUMP-3",
  payer: "00000000-0000-0000-0000-000000000002",
  settlement: "00000000-0000-0000-0000-000000000003",
  currency: "JPY",
  held: minor(300n),
  expiresAt: Date.UTC(2026, 10, 22),
  at: Date.UTC(2026, 10, 21),
});
const hold = { ...placed, captured: minor(100n), captures: 1, lines: 1 };
const details = { hold, partnerId: "SHOP01", payer: undefined, settlement: undefined };

test("a hold past its expiry is shown as expired before the job has run, and amounts have the currency's decimals", () => {
  const before = formatHold({ ...details, now: hold.expiresAt - 1 });
  assert.match(before, /^state +partlyCaptured \(02\)/m);
  assert.match(before, /^expires +2026-11-22T07:00:00\+07:00$/m);
  assert.match(before, /^expired +0 JPY\nremaining +200 JPY$/m);
  assert.match(before, /^store +PUMP-3$/m);

  const after = formatHold({ ...details, now: hold.expiresAt });
  assert.match(after, /^state +lapsed \(00\)/m);
  assert.match(after, /^expired +2026-11-22T07:00:00\+07:00$/m);
  assert.match(after, /^expired +200 JPY\nremaining +0 JPY$/m);
});

test("a list shows the current state", () => {
  const found = { hold, payerAccountNo: "2001", settlementAccountNo: "2002" };
  assert.match(formatHolds([found], hold.expiresAt - 1), /FUEL-7 +2001 +300 +100 +200 +JPY +partlyCaptured /);
  assert.match(formatHolds([found], hold.expiresAt), /FUEL-7 +2001 +300 +100 +0 +JPY +lapsed /);
});

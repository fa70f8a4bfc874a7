import assert from "node:assert/strict";
import { test } from "node:test";
import type { AmountText } from "@titian/sandbox/types";
import { confirmationOf, whyImpossible } from "./transfer-decision.ts";

const referenceNo = "01JD7K3M9QZ8V2X4B6N8P0R2T4";
const submitted = {
  referenceNo,
  state: "submitted",
  meaning: "Handed to the rail, which has not answered yet",
  possibleDecisions: ["settled", "rejected"],
} as const;
const resolution = { by: "rail", referenceNo } as const;
const settled = { ...submitted, state: "settled", resolution, possibleDecisions: ["returned"] } as const;
const rejected = { ...submitted, state: "rejected", resolution, possibleDecisions: [] } as const;

test("an impossible resolution is explained", () => {
  assert.equal(whyImpossible(submitted, "settled"), undefined);
  assert.match(
    whyImpossible(submitted, "returned") ?? "",
    /^It cannot become returned: it is submitted \(Handed to the rail, which has not answered yet\)\. Only a settled transfer can be returned/,
  );
  assert.match(whyImpossible(settled, "rejected") ?? "", /titian transfer resolve \w{26} returned$/);
  assert.match(whyImpossible(rejected, "settled") ?? "", /A resolution is final/);
});

test("the confirmation names the amounts and accounts", () => {
  const transfer = {
    currency: "IDR",
    amount: "10000.00" as AmountText,
    fee: "2500.00" as AmountText,
    debited: "12500.00" as AmountText,
    payerAccountNo: "2001",
    clearingAccountNo: "clearing:interbank:IDR",
  };
  assert.match(
    confirmationOf(transfer, "settled"),
    /10000\.00 IDR will be credited to clearing:interbank:IDR, and the fee of 2500\.00 IDR to the bank/,
  );
  assert.match(confirmationOf(transfer, "rejected"), /12500\.00 IDR will be credited back to 2001/);
  assert.match(
    confirmationOf(transfer, "returned"),
    /10000\.00 IDR will be credited from clearing:interbank:IDR to 2001, the fee is kept/,
  );
});

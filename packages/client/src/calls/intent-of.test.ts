import assert from "node:assert/strict";
import { test } from "node:test";
import { type CallName } from "../names.ts";
import { intentOf } from "./intent-of.ts";

const of = (name: CallName, body: object | string) =>
  intentOf(name, Buffer.from(typeof body === "string" ? body : JSON.stringify(body)));

test("sends of one number are of one intent, whatever else their bodies have", () => {
  const transfer = { partnerReferenceNo: "P1", transactionDate: "then" };
  assert.equal(of("intrabankTransfer", transfer), of("intrabankTransfer", { ...transfer, transactionDate: "now" }));
  assert.notEqual(of("intrabankTransfer", transfer), of("intrabankTransfer", { partnerReferenceNo: "P2" }));
  assert.notEqual(of("intrabankTransfer", transfer), of("interbankTransfer", transfer));
});

test("the number of a hold's change is its hold's; a read and a body without a number have none", () => {
  const change = { originalReferenceNo: "H1", partnerVoidNo: "V1" };
  assert.notEqual(of("authVoid", change), of("authVoid", { ...change, originalReferenceNo: "H2" }));
  assert.equal(of("statusInquiryBank", { originalPartnerReferenceNo: "P1" }), undefined);
  for (const body of [{ bulkObject: [] }, "[]", "no JSON"]) assert.equal(of("interbankBulkTransfer", body), undefined);
});

/** Requests of the operations as an integrator writes them, and what all of them expect. */
import assert from "node:assert/strict";
import { type Answer, type Json, newNumber } from "./caller.ts";

export interface TransferParts {
  readonly from: string;
  readonly to: string;
  /** Decimal text in IDR. */
  readonly value?: string;
  readonly partnerReferenceNo?: string;
}

export const transferPath = "transfer-intrabank";
export const statusPath = "transfer/status";
export const inquiryPath = "account-inquiry-internal";

export const idr = (value: string) => ({ value, currency: "IDR" });

/** The body of operation 17 with its mandatory fields, and what else is given. */
export function transferBody(
  { from, to, value = "10000.00", partnerReferenceNo }: TransferParts,
  more: Json = {},
): Json {
  return {
    partnerReferenceNo: partnerReferenceNo ?? newNumber(),
    amount: idr(value),
    beneficiaryAccountNo: to,
    sourceAccountNo: from,
    transactionDate: "2026-11-21T10:00:00+07:00",
    ...more,
  };
}

/** Asserts the response code, and that status, message and headers go with it. */
export function expectCode(answer: Answer, code: string): void {
  assert.equal(answer.code, code, `${answer.code} ${answer.message}: ${JSON.stringify(answer.body)}`);
  assert.equal(String(answer.status), code.slice(0, 3));
  assert.ok(answer.message.length > 0 && answer.message.length <= 150);
  assert.match(String(answer.headers["x-timestamp"]), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+07:00$/);
  assert.equal(answer.headers["content-type"], "application/json");
}

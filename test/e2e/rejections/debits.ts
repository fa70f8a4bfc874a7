/** The operations that debit an account (17, 18, 22, 23, 63), for the suite of their rejections: a row for each. */
import assert from "node:assert/strict";
import type { Answer, Json } from "../../support/black-box/caller.ts";
import { paths, paymentBody } from "../../support/black-box/payments/hold-bodies.ts";
import { fieldsOf } from "../../support/black-box/answers.ts";
import { type PaymentFixture } from "../../support/black-box/payments/payment-fixture.ts";
import { railServices } from "../../support/black-box/rails/rail-services.ts";
import { railBody } from "../../support/black-box/rails/rail-transfers.ts";
import { expectCode, statusPath, transferBody, transferPath } from "../../support/black-box/transfers.ts";

export interface Debit {
  readonly service: string;
  readonly path: string;
  /** A request with free-form parts that would be carried out; absent `from`: nobody is named. */
  body(from: string | undefined, more: Json): Json;
  /** Asserts the echo (D8): every field of the request that the response lists, and no other; `amount` as answered. */
  expectEcho(answer: Answer, body: Json, amount: Json): void;
  /** Asserts that the status of the rejected request is 06, with its code and without a number of ours. */
  expectFailed(answer: Answer, body: Json): Promise<void>;
}

const optional = { customerReference: "INV-1", feeType: "OUR", additionalInfo: { k: [1] } };

export function debitsOf({ alpha, merchant }: PaymentFixture): readonly Debit[] {
  const [, to = ""] = alpha.partner.sourceAccounts;
  const transfer = (service: string, path: string, bodyOf: (from: string, more: Json) => Json): Debit => ({
    service,
    path,
    body: (from = "", more) => bodyOf(from, { ...optional, ...more }),
    expectEcho: (answer, body, amount) => {
      const { partnerReferenceNo, beneficiaryAccountNo, sourceAccountNo, transactionDate } = body;
      const { customerReference, additionalInfo } = optional;
      const accounts = { beneficiaryAccountNo, sourceAccountNo };
      const others = { transactionDate, customerReference, additionalInfo };
      assert.deepEqual(fieldsOf(answer), { partnerReferenceNo, amount, ...accounts, ...others });
    },
    expectFailed: async ({ code, message }, { partnerReferenceNo, amount }) => {
      const found = await alpha.call(statusPath, {
        serviceCode: service,
        originalPartnerReferenceNo: partnerReferenceNo,
      });
      expectCode(found, "2003600");
      const { latestTransactionStatus, previousResponseCode, transactionStatusDesc, additionalInfo } = found.body;
      assert.deepEqual([latestTransactionStatus, previousResponseCode], ["06", code]);
      assert.equal(transactionStatusDesc, `${code} ${message}`.slice(0, 50));
      const rejection = { responseCode: code, responseMessage: message };
      const fee = (amount as Json)["currency"] === "JPY" ? "0" : "0.00";
      assert.deepEqual(additionalInfo, { fee, rejection });
      assert.equal("originalReferenceNo" in found.body, false);
      assert.equal(found.body["referenceNumber"], "", "mandatory, and a rejected transfer has none");
    },
  });
  return [
    transfer("17", transferPath, (from, more) => transferBody({ from, to, value: "1.00" }, more)),
    ...railServices.map((one) => transfer(one.service, one.path, (from, more) => railBody(one, from, more))),
    {
      service: "63",
      path: paths.payment,
      body: (sourceAccountNo, more) => {
        const additionalInfo = { note: "kept", ...(sourceAccountNo !== undefined && { sourceAccountNo }) };
        return paymentBody(merchant.merchantId, {
          amount: { value: "1.00", currency: "IDR" },
          additionalInfo,
          ...more,
        });
      },
      expectEcho: (answer, { partnerReferenceNo, additionalInfo }, amount) => {
        const { paidTime, ...fields } = fieldsOf(answer);
        assert.deepEqual(fields, { amount, partnerReferenceNo, additionalInfo });
        const sinceDecision = Date.parse(String(answer.headers["x-timestamp"])) - Date.parse(String(paidTime));
        assert.ok(sinceDecision >= 0 && sinceDecision <= 2_000, `decided ${sinceDecision} ms before the answer`);
      },
      expectFailed: async ({ body: { paidTime, amount } }, { partnerReferenceNo: originalPartnerReferenceNo }) => {
        const query = await alpha.call(paths.query, { originalPartnerReferenceNo });
        const status = { latestTransactionStatus: "06", transactionStatusDesc: "Failed" };
        assert.deepEqual(fieldsOf(query), { paidTime, originalPartnerReferenceNo, amount, ...status });
      },
    },
  ];
}

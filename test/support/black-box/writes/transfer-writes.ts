/** The transfers: intrabank (17), those over rails (18, 22, 23), and the request for payment (19). */
import assert from "node:assert/strict";
import { toMinor } from "../control.ts";
import { countPaymentRequests, paymentRequestBody, paymentRequestPath } from "../payment-requests.ts";
import type { RailFixture } from "../rails/rail-fixture.ts";
import { moneyOf } from "../rails/rail-money.ts";
import { type RailService, skn } from "../rails/rail-services.ts";
import { railBody, untilStatus } from "../rails/rail-transfers.ts";
import { idr, transferBody, transferPath } from "../transfers.ts";
import type { Write } from "./write.ts";

export function intrabankWrite({ control, newPayer, ...callers }: RailFixture): Write {
  const value = "100.00";
  return {
    service: "17",
    path: transferPath,
    ofAmount: (_, text) => ({ amount: idr(text) }),
    number: "partnerReferenceNo",
    value,
    mandatory: ["amount", "partnerReferenceNo", "beneficiaryAccountNo", "sourceAccountNo"],
    onSuccess: ["referenceNo"],
    isSentOn: false,
    isTransfer: true,
    statusAfter: () => "00",
    newIntent: async (partnerId = "alpha") => {
      const from = await newPayer("1000.00", { partnerId });
      const [to = ""] = callers[partnerId].partner.sourceAccounts;
      return {
        body: transferBody({ from, to, value }),
        effect: async () => Number(100_000n - toMinor((await control.account(from)).ledgerBalance)) / 10_000,
      };
    },
    untilDone: async () => undefined,
    content: {
      same: () => [{ remark: "another", transactionDate: "2026-11-22T00:00:00Z", additionalInfo: { a: 1 } }],
      other: async ({ sourceAccountNo, beneficiaryAccountNo }) => {
        const third = await newPayer();
        return [
          { beneficiaryAccountNo: third },
          { sourceAccountNo: third },
          { sourceAccountNo: beneficiaryAccountNo, beneficiaryAccountNo: sourceAccountNo },
        ];
      },
    },
  };
}

export function railWrite(fixture: RailFixture, service: RailService): Write {
  const { control, newPayer } = fixture;
  const { path, rail, value, amount, fee } = service;
  const opening = "1000000000.00";
  const isBatched = service === skn;
  return {
    service: service.service,
    path,
    ofAmount: (_, text) => ({ amount: idr(text) }),
    number: "partnerReferenceNo",
    value,
    mandatory: ["amount", "partnerReferenceNo", "beneficiaryAccountNo", "sourceAccountNo"],
    onSuccess: ["referenceNo", "traceNo", "transactionStatus"],
    isSentOn: true,
    isTransfer: true,
    statusAfter: (days) => (isBatched && days === 0 ? "03" : "00"),
    newIntent: async (partnerId = "alpha") => {
      const payer = await newPayer(opening, { partnerId });
      const moved = await fixture.watch(rail, payer);
      return {
        body: railBody(service, payer, { feeType: "OUR" }),
        effect: async () => {
          const { ledgerBalance } = await control.account(payer);
          return Number(toMinor(opening) - toMinor(ledgerBalance)) / Number(amount + fee);
        },
        expectPlaces: async () => {
          assert.deepEqual(await moved(), moneyOf(service)[isBatched ? "inTransit" : "settled"]);
        },
      };
    },
    untilDone: (answer, partner = "alpha") => untilStatus(fixture[partner], service, answer, isBatched ? "03" : "00"),
    content: {
      same: () => [
        { beneficiaryAccountName: "Another", remark: "another", transactionDate: "2026-12-01T00:00:00Z" },
        { additionalInfo: { a: 1 }, customerReference: "INV-2", currency: "IDR" },
        // The same bank by its other codes.
        { beneficiaryBankCode: "CENAIDJA" },
        { beneficiaryBankCode: "CENAIDJAXXX", amount: idr(value.slice(0, -3)) },
        { feeType: undefined },
      ],
      other: async () => [
        { beneficiaryAccountNo: "7001001002" },
        { beneficiaryBankCode: "008" },
        { beneficiaryBankCode: "BMRIIDJA" },
        { beneficiaryBankCode: "CENAIDJA", beneficiaryAccountNo: "7001001002" },
        { beneficiaryBankCode: "CENAIDJA", amount: idr("150000000.01") },
        { beneficiaryBankCode: "CENAIDJA", feeType: "BEN" },
        { sourceAccountNo: await newPayer() },
        { feeType: "BEN" },
      ],
    },
  };
}

/** Its life goes on behind the call: it expires within a day, and its external id is free only then (spec D7). */
export function paymentRequestWrite(fixture: RailFixture): Write {
  const { newPayer, sandbox } = fixture;
  const value = "100.00";
  return {
    service: "19",
    path: paymentRequestPath,
    ofAmount: (_, text) => ({ amount: idr(text) }),
    number: "partnerReferenceNo",
    value,
    mandatory: ["partnerReferenceNo"],
    onSuccess: ["referenceNo"],
    isSentOn: false,
    isTransfer: true,
    statusAfter: (days) => (days === 0 ? "01" : "05"),
    newIntent: async (partnerId = "alpha") => {
      const payer = await newPayer("1000.00", { partnerId });
      const expiredDatetime = fixture.at(1, "08:00:00");
      return {
        body: paymentRequestBody(fixture, payer, { amount: idr(value), feeType: "OUR", expiredDatetime }),
        effect: () => countPaymentRequests(sandbox.file, payer),
      };
    },
    untilDone: async () => undefined,
    renewed: () => ({ expiredDatetime: fixture.at(30, "08:00:00") }),
    content: {
      same: () => [
        { beneficiaryAccountName: "Another", sourceAccountName: "Another", remark: "another" },
        { expiredDatetime: "2026-11-22T00:00:00Z", additionalInfo: { a: 1 }, currency: "IDR" },
        { bankCode: "CENAIDJA" },
        { bankCode: "CENAIDJAXXX", feeType: undefined },
      ],
      other: async () => [
        { amount: undefined },
        { amount: undefined, currency: "IDR" },
        { beneficiaryAccountNo: "7001001002" },
        { bankCode: "008" },
        { bankCode: "BMRIIDJA" },
        { bankCode: "CENAIDJA", feeType: "BEN" },
        { sourceAccountNo: await newPayer() },
      ],
    },
  };
}

// The cell of a call: by payer, by our number, by the account that is read; else home, or any.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type OperationName, operations } from "@titian/contract";
import { referenceWith } from "../../../../../test/engine/transfers.ts";
import { newId, toReferenceNo } from "../../basics/ids.ts";
import type { Call } from "../../interfaces/call.ts";
import { merchantKeyOf, type MerchantTerms } from "../../ledger/reference/reference-data.ts";
import { placeCall } from "./place-call.ts";

const partner = { key: newId() } as Call["partner"];
const hotel = { settlementAccount: newId(), payerAccount: newId() } as MerchantTerms;
const second = "2000000001";
const third = "3000000001";
const old = toReferenceNo(`01900000-0000-7000-8000-0000000000${"02"}`);

const reference = {
  ...referenceWith(86_400_000),
  merchants: new Map([[merchantKeyOf(partner.key, "HOTEL"), hotel]]),
  directory: {
    cellOf: (accountNo: string) => (accountNo.startsWith("2") ? 2 : accountNo.startsWith("3") ? 3 : 0),
    cells: [0, 2, 3],
    moved: new Map(),
    moving: new Map([["2999", { accountNo: "2999", cell: 2, movingTo: 3, hasMoved: false, number: 1 }]]),
    since: Date.now() - 1_000,
  },
};

function placeOf(name: OperationName, request: Call["request"], customerAccountNo?: string) {
  const call = { operation: operations[name], partner, request, ...(customerAccountNo && { customerAccountNo }) };
  const place = placeCall(call as unknown as Call, reference);
  if (place.kind === "cell" && place.isMoving) return "moving";
  return place.kind === "any" ? "any" : place.other === undefined ? place.cell : `${place.cell} with ${place.other}`;
}

const numbered = (cell: number) => ({ originalReferenceNo: toReferenceNo(newId(cell)) });

const cases: readonly (readonly [string, ReturnType<typeof placeOf>, string | number])[] = [
  ["a transfer, by its payer", placeOf("interbankTransfer", { sourceAccountNo: second }), 2],
  ["a bulk, by its payer", placeOf("interbankBulkTransfer", { sourceAccountNo: third }), 3],
  [
    "a transfer with a customer's token, by its payer all the same",
    placeOf("rtgsTransfer", { sourceAccountNo: second }, third),
    2,
  ],
  ["a transfer of an account that is moving", placeOf("interbankTransfer", { sourceAccountNo: "2999" }), "moving"],
  ["an account that is moving is looked up", placeOf("internalAccountInquiry", { beneficiaryAccountNo: "2999" }), 2],
  ["a number in no range is home's", placeOf("rtgsTransfer", { sourceAccountNo: "1000000001" }), 0],
  [
    "a transfer within the bank, with the cell of its payee",
    placeOf("intrabankTransfer", { sourceAccountNo: second, beneficiaryAccountNo: third }),
    "2 with 3",
  ],
  [
    "a payment request whose payee is ours",
    placeOf("requestForPayment", { sourceAccountNo: second, beneficiaryAccountNo: third, bankCode: "999" }),
    "2 with 3",
  ],
  [
    "a payment request whose payee is at another bank",
    placeOf("requestForPayment", { sourceAccountNo: second, beneficiaryAccountNo: third, bankCode: "014" }),
    2,
  ],
  ["a payment without a payer is decided in home", placeOf("authPayment", { merchantId: "HOTEL" }), 0],
  [
    "a payment whose payer is named",
    placeOf("authPayment", { merchantId: "HOTEL", additionalInfo: { sourceAccountNo: second } }),
    2,
  ],
  ["a payment by a customer's token", placeOf("authPayment", { merchantId: "HOTEL" }, third), 3],
  ["a payment for a merchant that is unknown", placeOf("authPayment", { merchantId: "NONE" }, third), 3],
  ["a payer that is no text", placeOf("authPayment", { additionalInfo: { sourceAccountNo: 2 } }), 0],
  ["a capture, by our number", placeOf("authCapture", numbered(2)), 2],
  ["a number that cannot be ours", placeOf("authCapture", { originalReferenceNo: "X" }), 0],
  ["a number of a cell that there is not", placeOf("authVoid", numbered(7)), 0],
  ["a number from before the first cell was added", placeOf("authVoid", { originalReferenceNo: old }), 0],
  ["a refund by the capture's number", placeOf("authRefund", { originalCaptureNo: toReferenceNo(newId(3)) }), 3],
  ["a refund by the partner's number", placeOf("authRefund", { originalPartnerReferenceNo: "A" }), "any"],
  ["the newest hold", placeOf("authPaymentQuery", { merchantId: "HOTEL" }), "any"],
  ["a status by our number", placeOf("statusInquiryBank", numbered(3)), 3],
  ["a status by the partner's number", placeOf("statusInquiryNonBank", { originalPartnerReferenceNo: "A" }), "any"],
  ["an account of ours", placeOf("internalAccountInquiry", { beneficiaryAccountNo: third }), 3],
  [
    "an account of ours, asked for with our bank's code",
    placeOf("externalAccountInquiry", { beneficiaryAccountNo: second, beneficiaryBankCode: "999" }),
    2,
  ],
  [
    "an account at another bank",
    placeOf("externalAccountInquiry", { beneficiaryAccountNo: second, beneficiaryBankCode: "014" }),
    0,
  ],
];

for (const [name, found, expected] of cases) test(name, () => assert.equal(found, expected));

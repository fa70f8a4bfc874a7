import assert from "node:assert/strict";
import { test } from "node:test";
import { type CallName, SnapError } from "@titian/client";
import { type CaseName, operations, responseCases, responseCode } from "@titian/contract";
import type { SandboxPartner } from "../sandbox-file.ts";
import { advise } from "./advise.ts";

const partner: SandboxPartner = {
  partnerId: "shop",
  clientKey: "shop",
  privateKey: "",
  channelId: "95221",
  signing: "asymmetric",
  sourceAccounts: ["1000000001"],
  merchants: [],
};

/** What is advised after an operation was answered with a case. */
function adviceOn(operation: CallName, caseName: CaseName, field: string | undefined): string | undefined {
  const { code: serviceCode } = operations[operation];
  const envelope = { responseCode: responseCode(caseName, serviceCode), responseMessage: "No" };
  const refusal = {
    ...envelope,
    caseName,
    serviceCode,
    httpStatus: responseCases[caseName].status,
    field,
    reason: undefined,
    retryAfterMs: undefined,
    response: envelope,
    originalResponse: undefined,
    latestTransactionStatus: undefined,
  };
  const error = new SnapError(refusal, { operation, attempt: undefined, isDecided: true });
  return advise(error, partner);
}

const cases: readonly (readonly [CallName, CaseName, string | undefined, RegExp])[] = [
  ["authPayment", "invalidMandatoryField", "amount", /^Give it: --field amount\.value=… --field amount\.currency=IDR$/],
  [
    "authVoid",
    "invalidMandatoryField",
    "voidAmount",
    /^Give it: --field voidAmount\.value=… --field voidAmount\.currency/,
  ],
  ["authRefund", "invalidMandatoryField", "originalCaptureNo", /^Give it: --field originalCaptureNo=…$/],
  ["authPayment", "invalidMandatoryField", "additionalInfo.sourceAccountNo", /additionalInfo\.sourceAccountNo=…$/],
  ["authPayment", "invalidFieldFormat", "additionalInfo.validUpTo", /^It must be a time 1 minute to 90 days ahead/],
  ["authCapture", "invalidFieldFormat", "lastCapture", /^lastCapture has the wrong form/],
  ["authCapture", "exceedsTransactionAmountLimit", undefined, /service 64 tells what remains/],
  ["authRefund", "insufficientFunds", undefined, /paid by the merchant's settlement account/],
  ["interbankTransfer", "doNotHonor", undefined, /did not carry it, and the money is back/],
  ["interbankTransfer", "invalidAccount", undefined, /no such account at that bank/],
  ["intrabankTransfer", "invalidAccount", undefined, /titian sandbox credentials/],
  [
    "interbankTransfer",
    "inactiveAccount",
    undefined,
    /source account, or the beneficiary's.*titian sandbox credentials/,
  ],
  ["interbankTransfer", "bankNotSupported", undefined, /17 transfers within it/],
  ["rtgsTransfer", "featureNotAllowedAtThisTime", undefined, /titian rails check.*POST \/sandbox\/clock/],
  ["sknTransfer", "exceedsTransactionAmountLimit", undefined, /what each rail carries/],
  ["externalAccountInquiry", "timeout", undefined, /rail was silent.*ask again/],
];
for (const [name, caseName, field, advice] of cases) {
  test(`${name} answered ${caseName}${field === undefined ? "" : ` for ${field}`}: says what to do`, () => {
    assert.match(adviceOn(name, caseName, field) ?? "", advice);
  });
}

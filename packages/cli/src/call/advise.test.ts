import assert from "node:assert/strict";
import { test } from "node:test";
import { type CallName, SnapError } from "@titian/client";
import { type CaseName, operations, responseCases, responseCode } from "@titian/contract";
import type { SandboxPartner } from "../sandbox/sandbox-file.ts";
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

/** The advice on a response case of an operation. */
function adviceOn(operation: CallName, caseName: CaseName, field: string | undefined): string | undefined {
  const { code: serviceCode } = operations[operation];
  const envelope = { responseCode: responseCode(caseName, serviceCode), responseMessage: "No" };
  const rejection = {
    ...envelope,
    caseName,
    serviceCode,
    httpStatus: responseCases[caseName].status,
    field,
    reason: undefined,
    isOfAnotherSend: false,
    retryAfterMs: undefined,
    response: envelope,
    originalResponse: undefined,
    latestTransactionStatus: undefined,
  };
  const error = new SnapError(rejection, { operation, attempt: undefined, isFinal: true });
  return advise(error, partner);
}

const cases: readonly (readonly [CallName, CaseName, string | undefined, RegExp])[] = [
  ["authPayment", "invalidMandatoryField", "amount", /^Give it: --field amount=…$/],
  ["authVoid", "invalidMandatoryField", "voidAmount.currency", /^Give it: --field voidAmount\.currency=…$/],
  ["authRefund", "invalidMandatoryField", "originalCaptureNo", /^Give it: --field originalCaptureNo=…$/],
  ["authPayment", "invalidMandatoryField", "additionalInfo.sourceAccountNo", /additionalInfo\.sourceAccountNo=…$/],
  ["authPayment", "invalidFieldFormat", "additionalInfo.validUpTo", /^It must be 1 minute to 90 days in the future/],
  [
    "requestForPayment",
    "invalidFieldFormat",
    "expiredDatetime",
    /^It must be a time in the future, at most 90 days ahead/,
  ],
  ["authCapture", "invalidFieldFormat", "lastCapture", /^lastCapture has an invalid format/],
  ["authCapture", "exceedsTransactionAmountLimit", undefined, /service 64 returns the remaining/],
  ["authRefund", "insufficientFunds", undefined, /paid by the merchant's settlement account/],
  ["interbankTransfer", "doNotHonor", undefined, /rail rejected it, and the money is back/],
  ["interbankTransfer", "invalidAccount", undefined, /no such account at that bank/],
  ["intrabankTransfer", "invalidAccount", undefined, /titian sandbox credentials/],
  [
    "interbankTransfer",
    "inactiveAccount",
    undefined,
    /source account, or the beneficiary's.*titian sandbox credentials/,
  ],
  ["interbankTransfer", "bankNotSupported", undefined, /intrabank transfer, 17/],
  ["rtgsTransfer", "featureNotAllowedAtThisTime", undefined, /titian rails check.*titian sandbox clock/],
  ["sknTransfer", "exceedsTransactionAmountLimit", undefined, /maximum of the rail.*titian rails check/],
  ["externalAccountInquiry", "timeout", undefined, /rail did not respond.*try again/],
];
for (const [name, caseName, field, advice] of cases) {
  test(`${name} answered ${caseName}${field === undefined ? "" : ` for ${field}`}: has advice`, () => {
    assert.match(adviceOn(name, caseName, field) ?? "", advice);
  });
}

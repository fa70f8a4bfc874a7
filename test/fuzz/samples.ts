/** Valid requests of every operation that partners call, to be spoiled. The accounts are the sandbox's. */
import { newNumber } from "../support/black-box/caller.ts";
import type { Random } from "./random.ts";

export interface Sample {
  readonly serviceCode: string;
  readonly suffix: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface SampleAccounts {
  readonly from: string;
  readonly to: string;
  /** Pays what no response tells the amount of. */
  readonly empty: string;
}

const date = "2026-11-21T10:00:00+07:00";
const amount = { value: "1.00", currency: "IDR" };

/** Every second one is a transfer: the only one that can move money. */
export function pickSample(random: Random, accounts: SampleAccounts): Sample {
  return random.chance(0.5) ? transfer(random, accounts) : random.pick(others(accounts));
}

function transfer(random: Random, { from, to }: SampleAccounts): Sample {
  const originator = { originatorCustomerNo: "99990", originatorCustomerName: "Siti", originatorBankCode: "008" };
  const options = {
    currency: "IDR",
    customerReference: "INV 1",
    feeType: "OUR",
    remark: "é ✓",
    beneficiaryEmail: "siti@example.co.id",
    originatorInfos: [originator, originator],
    additionalInfo: { a: { b: [1, "x", null] } },
  };
  const body = {
    partnerReferenceNo: newNumber(),
    amount: { ...amount, value: random.pick(["1.00", "1", "0.01", "0.00", "2.5"]) },
    beneficiaryAccountNo: to,
    sourceAccountNo: from,
    transactionDate: date,
    ...(random.chance(0.6) && options),
  };
  return { serviceCode: "17", suffix: "transfer-intrabank", body };
}

function others({ from, to, empty }: SampleAccounts): readonly Sample[] {
  const partnerReferenceNo = newNumber();
  const interbank = {
    partnerReferenceNo,
    amount,
    beneficiaryAccountNo: "888801000157508",
    beneficiaryAccountName: "Yories",
    beneficiaryBankCode: "014",
    sourceAccountNo: from,
    transactionDate: date,
  };
  const hold = { originalReferenceNo: "R-1", originalPartnerReferenceNo: "P-1", merchantId: "alpha-shop" };
  // Code of the form that is looked for in the database, and of nobody.
  const authCode = `01KAJC0000${newNumber().slice(-16)}.0.${"x".repeat(43)}`;
  const refreshToken = authCode.replace(".0.", ".7.");
  return [
    {
      serviceCode: "36",
      suffix: "transfer/status",
      body: { serviceCode: "17", originalPartnerReferenceNo: "X-1", amount },
    },
    {
      serviceCode: "36",
      suffix: "transfer/status",
      body: { serviceCode: "17", originalExternalId: "1", transactionDate: date },
    },
    { serviceCode: "15", suffix: "account-inquiry-internal", body: { beneficiaryAccountNo: to, additionalInfo: {} } },
    {
      serviceCode: "16",
      suffix: "account-inquiry-external",
      body: { beneficiaryAccountNo: "1", beneficiaryBankCode: "014" },
    },
    { serviceCode: "18", suffix: "transfer-interbank", body: interbank },
    { serviceCode: "19", suffix: "transfer-request-for-payment", body: paymentRequest(from) },
    { serviceCode: "20", suffix: "transfer-interbank-bulk", body: bulk(empty) },
    {
      serviceCode: "63",
      suffix: "auth/payment",
      body: { partnerReferenceNo, merchantId: "alpha-shop", title: "T", items: [1] },
    },
    {
      serviceCode: "65",
      suffix: "auth/capture",
      body: { ...hold, partnerCaptureNo: "C-1", title: "T", captureAmount: amount },
    },
    { serviceCode: "67", suffix: "auth/void", body: { ...hold, partnerVoidNo: "V-1", voidRemainingAmount: "true" } },
    { serviceCode: "74", suffix: "access-token/b2b2c", body: { grantType: "authorization_code", authCode } },
    { serviceCode: "74", suffix: "access-token/b2b2c", body: { grantType: "refresh_token", refreshToken } },
    { serviceCode: "73", suffix: "access-token/b2b", body: { grantType: "client_credentials" } },
  ];
}

function bulk(sourceAccountNo: string): Sample["body"] {
  const item = () => ({
    partnerReferenceNo: newNumber(),
    bankCode: "014",
    beneficiaryAccountNo: "1",
    beneficiaryAccountName: "A",
    amount,
    originatorInfos: [{ originatorCustomerNo: "99990", originatorCustomerName: "Siti", originatorBankCode: "008" }],
    additionalInfo: { a: [1, null] },
  });
  return {
    customerReference: "C",
    sourceAccountNo,
    transactionDate: date,
    bulkObject: [item(), item(), item()],
    partnerBulkId: newNumber(),
    currency: "IDR",
    feeType: "OUR",
    remark: "é ✓",
  };
}

function paymentRequest(sourceAccountNo: string): Sample["body"] {
  return {
    partnerReferenceNo: newNumber(),
    bankCode: "014",
    beneficiaryAccountNo: "888801000157508",
    beneficiaryAccountName: "Yories",
    expiredDatetime: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    sourceAccountNo,
    sourceAccountName: "A",
    amount,
  };
}

/** Steps with the responses that random steps rarely get, and the list of all answers that the runs must get. */
import type { AnyCall, OneCall, OneQuery, Step } from "./random-steps.ts";

const payment: AnyCall = {
  name: "authPayment",
  hold: 0,
  isAnyHold: undefined,
  captureOf: undefined,
  amount: undefined,
  currency: "IDR",
  flag: undefined,
  merchant: 0,
  payer: 0,
  customer: undefined,
  subMerchant: undefined,
  store: undefined,
  validMs: undefined,
  namesMore: false,
  mismatch: undefined,
  id: undefined,
  number: undefined,
  isShort: false,
};

function one(call: Partial<AnyCall>, repeat?: OneCall["repeat"]): OneCall {
  return { call: { ...payment, ...call }, repeat, isOfOther: undefined };
}

/** Calls of the first partner, sent at once. */
function calls(...sent: readonly (Partial<AnyCall> | OneCall)[]): Step {
  return { kind: "calls", partner: 0, calls: sent.map((each) => ("call" in each ? each : one(each))) };
}

/** A payment of three minor units for each one given. */
const pay = (amount: number, more: Partial<AnyCall> = {}) => ({ amount, ...more });
const capture = (amount: number | undefined, more: Partial<AnyCall> = {}) =>
  ({ name: "authCapture", amount, ...more }) as const;
const release = (amount: number | undefined, more: Partial<AnyCall> = {}) =>
  ({ name: "authVoid", amount, ...more }) as const;
const refund = (amount: number | undefined, more: Partial<AnyCall> = {}) =>
  ({ name: "authRefund", amount, isAnyHold: true, ...more }) as const;
const toExpiry: Step = { kind: "expiry", hold: 0, isBefore: false };
const payerAccount = 0;
const settlementAccount = 4;

/** Money to and from accounts that were closed meanwhile. */
const closed: readonly Step[] = [
  calls(pay(4)),
  calls(capture(2)),
  { kind: "status", account: settlementAccount, status: "closed", withMoney: true },
  // The captures need an account that they did not lock: they are run again, behind the void sent between them.
  calls(capture(3), release(1), capture(1), refund(1), one({}, { of: 3, change: "nothing" })),
  calls(release(undefined)),
  { kind: "status", account: payerAccount, status: "closed", withMoney: true },
  calls(refund(1), refund(undefined), pay(1)),
];

/** Rejected calls that lock nothing, and accepted ones with their external ids: the former are run again and conflict. */
const conflicts: readonly Step[] = [
  calls(
    capture(1, { mismatch: "number", id: 1 }),
    pay(1, { merchant: 9, id: 0 }),
    pay(1, { id: 0 }),
    pay(1, { id: 1 }),
  ),
];

/** Expired with captures made: a refund must name its capture, whether the expiry job has run or not. */
const lapsed: readonly Step[] = [
  calls(pay(5)),
  calls(capture(2), capture(3)),
  { kind: "expiry", hold: 0, isBefore: true },
  calls(capture(1)),
  toExpiry,
  calls(refund(1), refund(1, { captureOf: 0 }), capture(1, { isAnyHold: true }), release(1, { isAnyHold: true })),
  { kind: "expiryJob" },
  calls(refund(undefined), refund(undefined, { captureOf: 0 }), refund(9, { captureOf: 1 })),
  calls(refund(undefined, { captureOf: 1 }), refund(undefined, { captureOf: 2 }), refund(1, { captureOf: 0 })),
];

/** One more of each than a hold may have. */
const tooMany: readonly Step[] = [
  calls(pay(8)),
  calls(...Array.from({ length: 5 }, () => capture(1))),
  calls(...Array.from({ length: 5 }, () => release(1))),
  calls(...Array.from({ length: 5 }, (_, index) => refund(index < 4 ? 1 : 0))),
  calls(refund(undefined)),
  calls(pay(8)),
  calls(capture(8), capture(8)),
  calls(...Array.from({ length: 5 }, () => refund(1))),
];

/** Repeats with each change: the second use of a number or of an external id. */
const repeats: readonly Step[] = [pay(4), capture(1), release(1), refund(1)].flatMap((call): readonly Step[] => [
  calls(call),
  calls(
    ...(
      [
        "nothing",
        "title",
        "signature",
        "id",
        "id and amount",
        "id and flag",
        "id and payer",
        "id and customer",
      ] as const
    ).map((change, of) => one({ amount: 7 }, { of, change })),
  ),
]);

/** A merchant that requires a customer's token; a refund need not name the merchant. */
const token: readonly Step[] = [
  calls(pay(3, { merchant: 2, customer: 0, payer: undefined }), pay(1, { merchant: 2 })),
  calls(capture(3, { customer: 0 }), capture(3), release(1), release(1, { customer: 1 }), capture(1, { customer: 1 })),
  // Two faults in one: the missing field precedes the token (spec D2, steps 11 and 12).
  calls(refund(1), refund(1, { customer: 1 }), refund(1, { customer: 0 }), release(undefined, { flag: "false" })),
];

/** A merchant that has spent what it was paid. */
const spent: readonly Step[] = [
  calls(pay(3)),
  calls(capture(undefined)),
  calls(pay(2, { merchant: 1, payer: 4 })),
  calls(refund(undefined), refund(3), refund(8), refund(8, { currency: "USD" })),
];

/** Rejections by the payer's status and limits. */
const limited: readonly Step[] = [
  { kind: "limits", account: payerAccount, limits: { each: 12, daily: 20, dailyCount: 2 } },
  calls(pay(5), pay(4), pay(3), pay(1), pay(1)),
  { kind: "status", account: payerAccount, status: "dormant", withMoney: false },
  calls(pay(1), capture(1)),
  { kind: "status", account: payerAccount, status: "blocked", withMoney: false },
  calls(pay(1), capture(1), release(1), refund(1)),
  { kind: "merchant", partner: 0, merchant: 0, isActive: false },
  calls(pay(1), capture(1), refund(1), release(undefined)),
];

/** Invalid amounts, payers and times. */
const invalid: readonly Step[] = [
  calls(pay(0), pay(1, { currency: "USD" }), pay(1, { payer: 8 }), pay(1, { payer: undefined }), pay(1, { payer: 4 })),
  calls(pay(1, { validMs: 59_999 }), pay(4, { validMs: 60_000 }), { amount: undefined }, pay(1, { customer: 1 })),
  calls(...[capture, release].flatMap((call) => [call(0), call(1, { currency: "USD" }), call(13)])),
  calls(release(3, { flag: "true" }), release(undefined, { flag: "false" }), capture(1, { mismatch: "number" })),
];

function query(parts: Partial<OneQuery>): Step {
  const nothingElse = { namesMerchant: false, namesOurs: false, mismatch: undefined, customer: undefined };
  const newest = { name: "authPaymentQuery", partner: 0, hold: 0, of: 0, by: "number" } as const;
  return { kind: "queries", queries: [{ ...newest, ...nothingElse, ...parts }] };
}

/** Every status of a payment, by every reference. */
const queries: readonly Step[] = [
  calls(pay(1_000)),
  query({ by: "rejected" }),
  calls(pay(4, { subMerchant: 0, store: 0 })),
  query({ by: "merchant" }),
  calls(capture(2)),
  query({ by: "store" }),
  calls(release(undefined)),
  query({ by: "sub-merchant" }),
  calls(refund(undefined)),
  query({ by: "both" }),
  calls(pay(1, { merchant: 2, customer: 0 })),
  query({ by: "reference" }),
  calls(release(undefined, { customer: 0 }), capture(1, { customer: 0 })),
  query({ by: "reference", customer: 0 }),
  query({ name: "authVoidQuery", customer: 0, namesOurs: true }),
  query({ name: "authVoidQuery" }),
  // Our number of something else than the void.
  query({ name: "authVoidQuery", customer: 0, namesOurs: true, mismatch: "hold" }),
  query({ name: "authCaptureQuery", customer: 0 }),
];

export const examples: readonly (readonly Step[])[] = [
  closed,
  conflicts,
  lapsed,
  tooMany,
  repeats,
  token,
  spent,
  limited,
  invalid,
  queries,
];

/** By call: response case, named field and status. */
const answers: Readonly<Record<string, readonly string[]>> = {
  authPayment: [
    "accountLimitExceeded",
    "activityCountLimitExceeded",
    "conflict",
    "customerTokenNotFound",
    "dormantAccount",
    "duplicatePartnerReferenceNo",
    "exceedsTransactionAmountLimit",
    "inactiveAccount",
    "inconsistentRequest",
    "insufficientFunds",
    "invalidAmount",
    "invalidFieldFormat additionalInfo.validUpTo",
    "invalidFieldFormat amount.currency",
    "invalidMandatoryField additionalInfo.sourceAccountNo",
    "invalidMandatoryField amount",
    "invalidMerchant",
    "success",
    "transactionNotFound",
    "transactionNotPermitted",
  ],
  authPaymentQuery: [
    "customerTokenNotFound",
    ...["00", "01", "02", "04", "05", "06"].map((status) => `success ${status}`),
    "transactionNotFound 07",
  ],
  authCapture: [...changed("captureAmount"), "run again"],
  authCaptureQuery: ["success FAILED", "success SUCCESS", "transactionNotFound"],
  authVoid: [...changed("voidAmount"), "invalidMandatoryField voidAmount"],
  authVoidQuery: ["customerTokenNotFound", "success FAILED", "success SUCCESS", "transactionNotFound"],
  authRefund: [...changed("refundAmount"), "run again", "insufficientFunds", "invalidMandatoryField originalCaptureNo"],
};

function changed(amount: string): readonly string[] {
  return [
    "activityCountLimitExceeded",
    "conflict",
    "customerTokenNotFound",
    "duplicatePartnerReferenceNo",
    "exceedsTransactionAmountLimit",
    "inconsistentRequest",
    "invalidAmount",
    `invalidFieldFormat ${amount}.currency`,
    "invalidTransactionStatus",
    "success",
    "transactionNotFound",
  ];
}

/** As `seen` of a run has them. */
export const everyAnswer: readonly string[] = Object.entries(answers).flatMap(([name, kinds]) =>
  kinds.map((kind) => `${name} ${kind}`),
);

/** Steps that bring about the answers that random ones seldom meet, and the list of all answers a run of all must meet. */
import type { AnyCall, OneCall, OneQuery, Step } from "./random-steps.ts";

const plain: AnyCall = {
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
  lasts: undefined,
  namesMore: false,
  wrong: undefined,
  id: undefined,
  number: undefined,
  isShort: false,
};

function one(call: Partial<AnyCall>, again?: OneCall["again"]): OneCall {
  return { call: { ...plain, ...call }, again, isOfOther: undefined };
}

/** Calls of the first partner, sent at once. */
function calls(...sent: readonly (Partial<AnyCall> | OneCall)[]): Step {
  return { kind: "calls", partner: 0, calls: sent.map((each) => ("call" in each ? each : one(each))) };
}

/** Of 3 for each unit asked. */
const pay = (amount: number, more: Partial<AnyCall> = {}) => ({ amount, ...more });
const capture = (amount: number | undefined, more: Partial<AnyCall> = {}) =>
  ({ name: "authCapture", amount, ...more }) as const;
const release = (amount: number | undefined, more: Partial<AnyCall> = {}) =>
  ({ name: "authVoid", amount, ...more }) as const;
const refund = (amount: number | undefined, more: Partial<AnyCall> = {}) =>
  ({ name: "authRefund", amount, isAnyHold: true, ...more }) as const;
const toItsEnd: Step = { kind: "edge", hold: 0, isBefore: false };
const payerAccount = 0;
const settlementAccount = 4;

/** Money on its way to accounts that were closed meanwhile, and out of one. */
const closed: readonly Step[] = [
  calls(pay(4)),
  calls(capture(2)),
  { kind: "status", account: settlementAccount, status: "closed", withMoney: true },
  // The captures need an account that nobody declared: they are retried, behind the void sent between them.
  calls(capture(3), release(1), capture(1), refund(1), one({}, { of: 3, change: "nothing" })),
  calls(release(undefined)),
  { kind: "status", account: payerAccount, status: "closed", withMoney: true },
  calls(refund(1), refund(undefined), pay(1)),
];

/** Past its time with captures made: the capture must be named, swept or not. */
const lapsed: readonly Step[] = [
  calls(pay(5)),
  calls(capture(2), capture(3)),
  { kind: "edge", hold: 0, isBefore: true },
  calls(capture(1)),
  toItsEnd,
  calls(refund(1), refund(1, { captureOf: 0 }), capture(1, { isAnyHold: true }), release(1, { isAnyHold: true })),
  { kind: "sweep" },
  calls(refund(undefined), refund(undefined, { captureOf: 0 }), refund(9, { captureOf: 1 })),
  calls(refund(undefined, { captureOf: 1 }), refund(undefined, { captureOf: 2 }), refund(1, { captureOf: 0 })),
];

/** As many of each as a hold may have, and one more. */
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

/** The same again, with everything that may be different about it: each is the number's second use, or the id's. */
const again: readonly Step[] = [pay(4), capture(1), release(1), refund(1)].flatMap((call): readonly Step[] => [
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

/** A merchant that asks for a customer's token, which a refund need not name. */
const token: readonly Step[] = [
  calls(pay(3, { merchant: 2, customer: 0, payer: undefined }), pay(1, { merchant: 2 })),
  calls(capture(3, { customer: 0 }), capture(3), release(1), release(1, { customer: 1 }), capture(1, { customer: 1 })),
  // Two faults in one: what is missing is told before the token (spec D2, steps 11 and 12).
  calls(refund(1), refund(1, { customer: 1 }), refund(1, { customer: 0 }), release(undefined, { flag: "false" })),
];

/** A merchant that spent what it was paid. */
const spent: readonly Step[] = [
  calls(pay(3)),
  calls(capture(undefined)),
  calls(pay(2, { merchant: 1, payer: 4 })),
  calls(refund(undefined), refund(3), refund(8), refund(8, { currency: "USD" })),
];

/** What the payer's state and limits reject. */
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

/** Amounts, payers and times that cannot be. */
const impossible: readonly Step[] = [
  calls(pay(0), pay(1, { currency: "USD" }), pay(1, { payer: 8 }), pay(1, { payer: undefined }), pay(1, { payer: 4 })),
  calls(pay(1, { lasts: 59_999 }), pay(4, { lasts: 60_000 }), { amount: undefined }, pay(1, { customer: 1 })),
  calls(...[capture, release].flatMap((call) => [call(0), call(1, { currency: "USD" }), call(13)])),
  calls(release(3, { flag: "true" }), release(undefined, { flag: "false" }), capture(1, { wrong: "number" })),
];

function ask(query: Partial<OneQuery>): Step {
  const nothingElse = { namesMerchant: false, namesOurs: false, wrong: undefined, customer: undefined };
  const newest = { name: "authPaymentQuery", partner: 0, hold: 0, of: 0, by: "number" } as const;
  return { kind: "queries", queries: [{ ...newest, ...nothingElse, ...query }] };
}

/** Every status of a payment, by every reference. */
const told: readonly Step[] = [
  calls(pay(1_000)),
  ask({ by: "rejected" }),
  calls(pay(4, { subMerchant: 0, store: 0 })),
  ask({ by: "merchant" }),
  calls(capture(2)),
  ask({ by: "store" }),
  calls(release(undefined)),
  ask({ by: "sub-merchant" }),
  calls(refund(undefined)),
  ask({ by: "both" }),
  calls(pay(1, { merchant: 2, customer: 0 })),
  ask({ by: "reference" }),
  calls(release(undefined, { customer: 0 }), capture(1, { customer: 0 })),
  ask({ by: "reference", customer: 0 }),
  ask({ name: "authVoidQuery", customer: 0, namesOurs: true }),
  ask({ name: "authVoidQuery" }),
  // Our number of another thing than the void asked for.
  ask({ name: "authVoidQuery", customer: 0, namesOurs: true, wrong: "hold" }),
  ask({ name: "authCaptureQuery", customer: 0 }),
];

export const examples: readonly (readonly Step[])[] = [
  closed,
  lapsed,
  tooMany,
  again,
  token,
  spent,
  limited,
  impossible,
  told,
];

/** Per call: the response cases, the fields they name, and the statuses they tell. */
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
  authCapture: [...changed("captureAmount"), "retried"],
  authCaptureQuery: ["success FAILED", "success SUCCESS", "transactionNotFound"],
  authVoid: [...changed("voidAmount"), "invalidMandatoryField voidAmount"],
  authVoidQuery: ["customerTokenNotFound", "success FAILED", "success SUCCESS", "transactionNotFound"],
  authRefund: [...changed("refundAmount"), "retried", "insufficientFunds", "invalidMandatoryField originalCaptureNo"],
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

/** As `seen` of a run names them. */
export const everyAnswer: readonly string[] = Object.entries(answers).flatMap(([name, kinds]) =>
  kinds.map((kind) => `${name} ${kind}`),
);

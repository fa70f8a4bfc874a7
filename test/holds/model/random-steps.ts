/** Random steps of a run: calls about a few holds with repeated ids and numbers, queries, time, operators' changes. */
import fc from "fast-check";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const small = (max: number) => fc.integer({ min: 0, max });
/** Present in `of` of 8. */
const optional = <Value>(of: number, arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 8 - of, arbitrary: fc.constant(undefined) }, { weight: of, arbitrary });
/** Present once in 20. */
const rare = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 19, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const amount = fc.oneof(
  { weight: 14, arbitrary: fc.integer({ min: 1, max: 8 }) },
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constant(10_000) },
);
const currency = fc.oneof({ weight: 20, arbitrary: fc.constant("IDR") }, { weight: 1, arbitrary: fc.constant("USD") });
const flag = fc.constantFrom("true", "false");
const mismatches = ["merchant", "number", "sub-merchant", "store", "hold"] as const;

/** The parts of any of the four writes. */
const anyCall = fc.record({
  name: fc.oneof(
    { weight: 4, arbitrary: fc.constant("authPayment" as const) },
    { weight: 5, arbitrary: fc.constant("authCapture" as const) },
    { weight: 3, arbitrary: fc.constant("authVoid" as const) },
    { weight: 5, arbitrary: fc.constant("authRefund" as const) },
  ),
  /**
   * Place of the hold, from the newest, among all or those on which it can succeed; `captureOf`: among its captures.
   */
  hold: small(5),
  isAnyHold: rare(fc.constant(true)),
  captureOf: optional(4, small(5)),
  amount: optional(7, amount),
  currency,
  flag: optional(3, flag),
  merchant: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 9),
  /** 0 and 1: accounts of the partner. */
  payer: optional(7, fc.oneof({ weight: 9, arbitrary: small(1) }, { weight: 1, arbitrary: small(8) })),
  customer: rare(small(2)),
  subMerchant: optional(2, small(1)),
  store: optional(2, small(1)),
  validMs: rare(fc.constantFrom(minuteMs - 1, minuteMs, 2 * minuteMs, 90 * dayMs, 90 * dayMs + 1)),
  namesMore: fc.boolean(),
  mismatch: rare(fc.constantFrom(...mismatches)),
  /** An external id or a number that other calls of the run have, too. */
  id: rare(small(4)),
  number: rare(small(4)),
  /** Another spelling of the amount. */
  isShort: fc.boolean(),
});

/** The change in a repeated call; with a new external id it is the same number's second use. */
const repeatChanges = [
  "nothing",
  "signature",
  "signature of before",
  "title",
  "number",
  "id",
  "id and amount",
  "id and flag",
  "id and payer",
  "id and customer",
  "id and name",
] as const;
/** A repeat of the call made so many calls before, with a change. */
const repeat = fc.record({ of: fc.nat(60), change: fc.constantFrom(...repeatChanges) });

const oneCall = fc.record({ call: anyCall, repeat: optional(2, repeat), isOfOther: optional(1, fc.constant(true)) });

const queryNames = ["authPaymentQuery", "authCaptureQuery", "authVoidQuery"] as const;
const oneQuery = fc.record({
  name: fc.constantFrom(...queryNames),
  partner: small(1),
  hold: small(5),
  /** Place among the captures or voids, rejected ones included, from the newest. */
  of: small(4),
  by: fc.constantFrom("reference", "number", "both", "merchant", "store", "sub-merchant", "rejected", "nothing"),
  namesMerchant: fc.boolean(),
  namesOurs: fc.boolean(),
  mismatch: optional(1, fc.constantFrom(...mismatches)),
  customer: rare(small(2)),
});

const statuses = ["active", "active", "active", "active", "active", "dormant", "blocked", "closed"] as const;

const anyOf = {
  calls: fc.record({ partner: small(1), calls: fc.array(oneCall, { minLength: 1, maxLength: 7 }) }),
  queries: fc.record({ queries: fc.array(oneQuery, { minLength: 1, maxLength: 4 }) }),
  time: fc.record({ ms: fc.constantFrom(1, 1_000, minuteMs, hourMs, dayMs - 1, dayMs, 7 * dayMs) }),
  /** To the moment at which a hold expires, or just before it. */
  expiry: fc.record({ hold: small(3), isBefore: fc.boolean() }),
  expiryJob: fc.record({}),
  status: fc.record({ account: small(5), status: fc.constantFrom(...statuses), withMoney: fc.boolean() }),
  merchant: fc.record({ partner: small(1), merchant: small(2), isActive: fc.constantFrom(true, true, false) }),
  limits: fc.record({
    account: small(2),
    limits: fc.record(
      { each: fc.integer({ min: 4, max: 12 }), daily: fc.integer({ min: 10, max: 40 }), dailyCount: small(6) },
      { requiredKeys: [] },
    ),
  }),
};

const weights = { calls: 14, queries: 5, time: 1, expiry: 2, expiryJob: 1, status: 1, merchant: 1, limits: 1 };

type Kind = keyof typeof anyOf;
type Of<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;

/** The parts of a step of one kind. */
export type Part<Name extends Kind> = Of<(typeof anyOf)[Name]>;
export type Step = { [Name in Kind]: { readonly kind: Name } & Readonly<Part<Name>> }[Kind];
export type OneCall = Part<"calls">["calls"][number];
export type AnyCall = OneCall["call"];
export type OneQuery = Part<"queries">["queries"][number];
export type Mismatch = (typeof mismatches)[number];

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  ...(Object.keys(anyOf) as Kind[]).map((kind) => ({
    weight: weights[kind],
    arbitrary: (anyOf[kind] as fc.Arbitrary<object>).map((part) => ({ kind, ...part }) as Step),
  })),
);

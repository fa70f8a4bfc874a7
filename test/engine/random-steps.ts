/** Random steps of a run: calls with repeated ids, numbers and signatures, account changes, time. */
import fc from "fast-check";
import type { AccountStatus } from "../../packages/server/src/ledger/accounts/account.ts";
import { everyFault, type Fault } from "./faulty-session.ts";
import type { TransferCall } from "./transfer-model.ts";

const hourMs = 3_600_000;

const small = (max: number) => fc.integer({ min: 0, max });
const account = fc.integer({ min: 1, max: 4 });
const call = fc.record({
  from: fc.oneof({ weight: 12, arbitrary: account }, { weight: 1, arbitrary: fc.constant(9) }),
  to: fc.oneof({ weight: 12, arbitrary: account }, { weight: 1, arbitrary: fc.constant(9) }),
  amount: fc.oneof({ weight: 8, arbitrary: small(20) }, { weight: 1, arbitrary: fc.constant(1_000) }),
  currency: fc.oneof({ weight: 8, arbitrary: fc.constant("IDR") }, { weight: 1, arbitrary: fc.constant("USD") }),
  id: small(3),
  number: small(20),
  signature: small(60),
  sentAt: small(60),
  body: small(1),
  service: fc.oneof({ weight: 6, arbitrary: fc.constant(17) }, { weight: 1, arbitrary: fc.constant(18) }),
});

const repeatChanges = ["nothing", "signature", "body", "number", "id", "id and amount"] as const;

/** A repeat of a call made before in this run, by any partner, with a change. */
const anyRepeat = fc.record({
  of: fc.nat(),
  change: fc.constantFrom(...repeatChanges),
});
const callOrRepeat = fc.record({ call, repeat: fc.option(anyRepeat, { freq: 3 }) });

type RandomRepeat = typeof anyRepeat extends fc.Arbitrary<infer Value> ? Value : never;
type RandomCall = typeof call extends fc.Arbitrary<infer Value> ? Value : never;

export type Step =
  | {
      readonly kind: "calls";
      readonly partner: number;
      readonly calls: readonly { readonly call: RandomCall; readonly repeat: RandomRepeat | null }[];
      readonly faults: readonly Fault[];
    }
  | { readonly kind: "status"; readonly account: number; readonly status: AccountStatus }
  | {
      readonly kind: "limits";
      readonly account: number;
      readonly limits: { each?: number; daily?: number; dailyCount?: number };
    }
  | { readonly kind: "time"; readonly ms: number };

const fault = fc.constantFrom(...everyFault);
const calls = fc.record({
  kind: fc.constant("calls" as const),
  partner: small(1),
  calls: fc.array(callOrRepeat, { minLength: 1, maxLength: 6 }),
  faults: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fault, { maxLength: 2 }) },
  ),
});
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: calls },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("status" as const),
      account,
      status: fc.constantFrom<AccountStatus>("active", "active", "active", "active", "dormant", "blocked", "closed"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("limits" as const),
      account,
      limits: fc.record({ each: small(25), daily: small(40), dailyCount: small(3) }, { requiredKeys: [] }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("time" as const),
      ms: fc.constantFrom(1, hourMs, 9 * hourMs, 24 * hourMs - 1, 24 * hourMs, 25 * hourMs, 25 * hourMs),
    }),
  },
);

const payment: RandomCall = {
  from: 1,
  to: 2,
  amount: 2,
  currency: "IDR",
  id: 0,
  number: 0,
  signature: 0,
  sentAt: 0,
  body: 0,
  service: 17,
};

function callsOf(...changed: readonly Partial<RandomCall>[]): Step {
  return {
    kind: "calls",
    partner: 0,
    faults: [],
    calls: changed.map((each) => ({ call: { ...payment, ...each }, repeat: null })),
  };
}

/** Steps with every kind of reply, and an id used again as soon as its window has passed. */
export const everyReply: readonly Step[] = [
  callsOf({}, {}, { body: 1 }, { body: 1, amount: 3 }, { id: 1 }, { id: 1, amount: 3 }),
  callsOf({ id: 1, number: 1, amount: 1_000, signature: 1 }, { id: 1, number: 1, signature: 5 }),
  { kind: "time", ms: 24 * hourMs - 1 },
  callsOf({ number: 2, signature: 2 }),
  { kind: "time", ms: 1 },
  callsOf({ number: 2, signature: 3 }, { number: 3, signature: 4 }),
];

/** A call without its partner. */
export type CallFields = Omit<TransferCall, "id" | "partner">;

/** Every run has its own accounts. */
export function accountNo(run: number, index: number): string {
  return String(run * 10 + index);
}

type OneCall = Extract<Step, { kind: "calls" }>["calls"][number];

/** The call, or a repeat of one made before in the run. */
export function callOf({ call: random, repeat }: OneCall, run: number, history: readonly CallFields[]): CallFields {
  const fresh: CallFields = {
    service: random.service,
    externalId: `id-${random.id}`,
    number: `number-${random.number}`,
    signature: `signature-${random.signature}`,
    sentAt: random.sentAt,
    body: `body-${random.body}`,
    from: accountNo(run, random.from),
    to: accountNo(run, random.to),
    amount: BigInt(random.amount),
    currency: random.currency,
  };
  const before = repeat === null ? undefined : history[repeat.of % Math.max(1, history.length)];
  if (repeat === null || before === undefined) return fresh;
  const { externalId, number, signature, sentAt, body, amount } = fresh;
  switch (repeat.change) {
    case "nothing":
      return before;
    case "signature":
      return { ...before, signature, sentAt };
    case "body":
      return { ...before, signature, sentAt, body };
    case "number":
      return { ...before, signature, sentAt, number };
    case "id":
      return { ...before, signature, sentAt, externalId };
    case "id and amount":
      return { ...before, signature, sentAt, externalId, amount };
  }
}

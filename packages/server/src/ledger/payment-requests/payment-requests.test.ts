// Invariants of every payment request, whatever is answered, when, and how often (spec D12).
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { account, partner } from "../../../../../test/engine/transfers.ts";
import { rails } from "../../../../../test/support/rails.ts";
import type { Account, AccountStatus } from "../accounts/account.ts";
import { newInternalAccount } from "../accounts/internal-accounts.ts";
import { minor } from "../money.ts";
import { type ApprovalEffect, decideApproval, decideDecline } from "./answer.ts";
import type { PaymentRequest } from "./payment-request.ts";
import { decidePaymentRequest } from "./request.ts";
import { paymentRequestState, paymentRequestStates } from "./states.ts";
import { paymentRequestLimits } from "../../../../../test/support/payment-request-limits.ts";

const [payer, beneficiary] = [account("1", { balance: minor(1_000_000n), partners: [] }), account("2")];
const suspense = newInternalAccount("suspense", "suspense", "IDR", "interbank", 7);
const expiresAt = 1_000;
const bounds = { limits: paymentRequestLimits, open: [] };

function requested(isOwn: boolean, amount: bigint | undefined): PaymentRequest {
  const order = { id: "request", partner, feeType: undefined, currency: "IDR", expiresAt, at: 0 };
  const requestedAmount = amount === undefined ? undefined : minor(amount);
  const bankCode = isOwn ? rails.ownBankCode : "014";
  const decision = decidePaymentRequest({ ...order, requestedAmount, bankCode }, payer, beneficiary, rails, bounds);
  const [request] = decision.kind === "effect" ? decision.effect.newPaymentRequests : [];
  return request ?? assert.fail(decision.kind);
}

interface Answer {
  readonly kind: "approve" | "decline";
  readonly now: number;
  readonly amount: bigint | undefined;
  readonly journal: string;
}

const amounts = fc.option(fc.bigInt({ min: 1n, max: 2_000_000n }), { nil: undefined });
const answers = fc.array(
  fc.record<Answer>({
    kind: fc.constantFrom("approve", "decline"),
    now: fc.integer({ min: 0, max: 2 * expiresAt }),
    amount: amounts,
    journal: fc.constantFrom("journal 1", "journal 2"),
  }),
  { maxLength: 6 },
);

function decide(request: PaymentRequest, { kind, now, amount, journal }: Answer, from: Account) {
  if (kind === "decline") return decideDecline({ by: "payer", now }, request);
  const given = amount === undefined ? undefined : minor(amount);
  const bankCode = request.beneficiary === undefined ? "014" : rails.ownBankCode;
  const approval = {
    by: "payer",
    journal,
    amount: given,
    bankCode,
    now,
    day: 1,
    suspensePart: 7,
    suspenseId: "new",
  } as const;
  return decideApproval(approval, request, { payer: from, beneficiary, suspense }, rails);
}

test("any answers in any order: one takes effect, in time, of the amount asked for, and moves money only if it approves", () => {
  fc.assert(
    fc.property(fc.boolean(), amounts, answers, (isOwn, amount, given) => {
      // The rail carries no less than 1.00.
      fc.pre(isOwn || amount === undefined || amount >= 100n);
      let request = requested(isOwn, amount);
      const effects: Partial<ApprovalEffect>[] = [];
      for (const answer of given) {
        const state = paymentRequestState(request, answer.now);
        const decision = decide(request, answer, payer);
        if (decision.kind !== "effect") continue;
        const event = answer.kind === "approve" ? "approve" : "decline";
        const [next] = decision.effect.paymentRequests;
        request = next ?? assert.fail();
        assert.deepEqual(paymentRequestStates[state].on[event], [request.state]);
        assert.ok(answer.now < expiresAt && request.answeredAt === answer.now);
        effects.push(decision.effect);
      }
      assert.ok(effects.length <= 1);
      const postings = effects.flatMap((effect) => effect.postings ?? []);
      const transfers = effects.flatMap((effect) => effect.newTransfers ?? []);
      assert.equal(postings.length, request.state === "approved" ? 1 : 0);
      assert.equal(transfers.length, request.state === "approved" && !isOwn ? 1 : 0);
      for (const { from, to, amount: moved } of postings) {
        const fee = isOwn ? 0n : rails.rails.interbank.fee;
        assert.equal(moved, (request.approvedAmount ?? 0n) + fee);
        assert.deepEqual([from, to], [payer.id, isOwn ? beneficiary.id : suspense.id]);
        assert.ok(amount === undefined || request.approvedAmount === amount);
      }
      for (const { id, service, dailyLimitAmount } of transfers) {
        assert.deepEqual([id, service, dailyLimitAmount], ["request", 19, request.approvedAmount]);
      }
    }),
  );
});

test("what an account cannot pay leaves the request as it was", () => {
  const statuses = fc.constantFrom<AccountStatus>("active", "dormant", "blocked", "closed");
  fc.assert(
    fc.property(fc.boolean(), statuses, fc.bigInt({ min: 0n, max: 300_000n }), (isOwn, status, balance) => {
      const request = requested(isOwn, 10_000n);
      const poor = { ...payer, status, balance: minor(balance) };
      const answer = { kind: "approve", now: 1, amount: undefined, journal: "journal" } as const;
      const isEnough = balance >= 10_000n + (isOwn ? 0n : rails.rails.interbank.fee);
      const decision = decide(request, answer, poor);
      assert.equal(decision.kind, status === "active" && isEnough ? "effect" : "rejection");
      // Nothing has changed: with money there, it is approved later.
      assert.equal(decide(request, { ...answer, now: 2 }, payer).kind, "effect");
    }),
  );
});

test("the payer's same answer again changes nothing, whoever recorded it; another one is rejected", () => {
  const request = requested(true, 100n);
  const paid = { approvedAmount: minor(100n), approvalJournalId: "journal 1" };
  const approved = { ...request, ...paid, state: "approved", version: 1 } as const;
  const answer = { kind: "approve", now: 1, amount: undefined, journal: "journal 1" } as const;
  assert.deepEqual(decide(approved, answer, payer), { kind: "nothing" });
  assert.deepEqual(decide(approved, { ...answer, journal: "journal 2", amount: 100n }, payer), { kind: "nothing" });
  assert.equal(decide(approved, { ...answer, amount: 101n }, payer).kind, "rejection");
  assert.equal(decide(approved, { ...answer, kind: "decline" }, payer).kind, "rejection");
  const declined = { ...request, state: "declined", version: 1 } as const;
  assert.deepEqual(decide(declined, { ...answer, kind: "decline" }, payer), { kind: "nothing" });
  assert.equal(decide(declined, answer, payer).kind, "rejection");
});

test("open requests of a partner and of all partners have bounds; those whose time has passed count no more", () => {
  const limits = { ...paymentRequestLimits, openOfPartnerMax: 2, openOfPayerMax: 3 };
  const order = {
    id: "new",
    partner,
    feeType: undefined,
    currency: "IDR",
    requestedAmount: minor(100n),
    bankCode: "014",
  };
  const rejectionOf = (...open: readonly (readonly [partner: string, expiresAt: number])[]) => {
    const waiting = open.map(([of, until], index) => ({ id: `${index}`, partner: of, expiresAt: until }));
    const terms = { ...order, at: 500, expiresAt };
    const decision = decidePaymentRequest(terms, payer, beneficiary, rails, { limits, open: waiting });
    return decision.kind === "rejection" ? decision.rejection.kind : decision.kind;
  };
  assert.equal(rejectionOf([partner, 501]), "effect");
  assert.equal(rejectionOf([partner, 501], [partner, 501]), "tooManyOpenRequests");
  assert.equal(rejectionOf([partner, 501], [partner, 500]), "effect");
  assert.equal(rejectionOf(["x", 501], ["y", 501]), "effect");
  assert.equal(rejectionOf(["x", 501], ["y", 501], ["y", 501]), "tooManyOpenRequestsOfPayer");
  assert.equal(rejectionOf(["x", 501], ["y", 501], ["y", 500]), "effect");
});

type Order = Parameters<typeof decidePaymentRequest>[0];
const order: Order = {
  id: "request",
  partner,
  bankCode: "014",
  requestedAmount: minor(10_000n),
  feeType: undefined,
  currency: "IDR",
  expiresAt,
  at: 0,
};
const ofOwnBank = { bankCode: rails.ownBankCode };
const limitsOf = (limits: Partial<typeof paymentRequestLimits>) => ({
  ...bounds,
  limits: { ...bounds.limits, ...limits },
});
const open = { id: "open", partner, expiresAt };

interface Rejected {
  readonly by: string;
  readonly order?: Partial<Order>;
  readonly payer?: Account | undefined;
  readonly beneficiary?: Account | undefined;
  readonly bounds?: Parameters<typeof decidePaymentRequest>[4];
}

const rejected: readonly Rejected[] = [
  { by: "validityOutOfRange", order: { expiresAt: 0 } },
  { by: "validityOutOfRange", order: { expiresAt: paymentRequestLimits.durationMaxMs + 1 } },
  { by: "unknownPayer", payer: undefined },
  { by: "unknownPayer", payer: suspense },
  { by: "unknownPayer", payer: { ...payer, status: "blocked" }, bounds: limitsOf({ hidesPayers: true }) },
  { by: "accountInactive", payer: { ...payer, status: "blocked" } },
  { by: "bankUnknown", order: { bankCode: "000" } },
  { by: "unknownBeneficiary", order: ofOwnBank, beneficiary: undefined },
  { by: "unknownBeneficiary", order: ofOwnBank, beneficiary: suspense },
  { by: "sameAccount", order: ofOwnBank, beneficiary: payer },
  { by: "currencyMismatch", order: { currency: "USD" } },
  { by: "accountInactive", order: ofOwnBank, beneficiary: { ...beneficiary, status: "closed" } },
  { by: "amountTooSmall", order: { ...ofOwnBank, requestedAmount: minor(0n) } },
  { by: "tooManyOpenRequests", bounds: { ...limitsOf({ openOfPartnerMax: 1 }), open: [open] } },
  {
    by: "tooManyOpenRequestsOfPayer",
    bounds: { ...limitsOf({ openOfPayerMax: 1 }), open: [{ ...open, partner: "other" }] },
  },
];

for (const [position, { by, ...given }] of rejected.entries()) {
  test(`request ${position + 1} is rejected: ${by}`, () => {
    const parties = { payer, beneficiary, bounds, ...given };
    const decision = decidePaymentRequest(
      { ...order, ...given.order },
      parties.payer,
      parties.beneficiary,
      rails,
      parties.bounds,
    );
    assert.equal(decision.kind === "rejection" && decision.rejection.kind, by);
  });
}

test("an approval names the amount of the request, and a payer who is there", () => {
  const approval = { by: "payer", journal: "journal", amount: minor(9_999n), now: 1, day: 1 } as const;
  const rest = { ...approval, bankCode: "014", suspensePart: 7, suspenseId: "new" };
  const accounts = { payer, beneficiary, suspense };
  const other = decideApproval(rest, requested(false, 10_000n), accounts, rails);
  assert.equal(other.kind === "rejection" && other.rejection.kind, "amountDisagrees");
  const none = decideApproval({ ...rest, amount: undefined }, requested(false, undefined), accounts, rails);
  assert.equal(none.kind === "rejection" && none.rejection.kind, "amountMissing");
  const nobody = decideApproval(rest, requested(false, 9_999n), { ...accounts, payer: undefined }, rails);
  assert.equal(nobody.kind === "rejection" && nobody.rejection.kind, "unknownPayer");
});

test("an approval of a beneficiary in another cell credits what goes there", () => {
  const approval = {
    by: "payer",
    journal: "journal",
    amount: undefined,
    bankCode: rails.ownBankCode,
    now: 0,
    day: 1,
  } as const;
  const across = { cell: 7, out: { found: undefined, newId: "transit" } };
  const decision = decideApproval(
    { ...approval, suspensePart: 7, suspenseId: "new" },
    requested(true, 100n),
    { payer, beneficiary, suspense, across },
    rails,
  );
  assert.ok(decision.kind === "effect");
  const { postings, newAccounts, transitVersion } = decision.effect;
  assert.deepEqual(postings, [{ kind: "transfer", from: payer.id, to: "transit", amount: 100n }]);
  assert.deepEqual([newAccounts?.[0]?.accountNo, transitVersion], ["transit:out:IDR:07", 1]);
});

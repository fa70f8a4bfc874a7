/** The state machines of the service: their tables, and what the decisions do with an event that a state does not list. */
import { decideCapture } from "../../packages/server/src/ledger/holds/capture.ts";
import { applyRailEvent } from "../../packages/server/src/ledger/transfers/apply-event.ts";
import { decideExpiry } from "../../packages/server/src/ledger/holds/expire.ts";
import { placeHold } from "../../packages/server/src/ledger/holds/hold.ts";
import { type HoldAction, holdStates } from "../../packages/server/src/ledger/holds/states.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import { newInternalAccount } from "../../packages/server/src/ledger/accounts/internal-accounts.ts";
import { acceptTransfer } from "../../packages/server/src/ledger/transfers/transfer.ts";
import { decideRefund } from "../../packages/server/src/ledger/holds/refund.ts";
import type { Decision } from "../../packages/server/src/ledger/rejection.ts";
import { type TransferEvent, transferStates } from "../../packages/server/src/ledger/transfers/states.ts";
import { decideApproval, decideDecline } from "../../packages/server/src/ledger/payment-requests/answer.ts";
import {
  type PaymentRequestEvent,
  paymentRequestStates,
} from "../../packages/server/src/ledger/payment-requests/states.ts";
import { decideVoid } from "../../packages/server/src/ledger/holds/void.ts";
import type { Machine } from "./states.ts";

const amount = minor(1n);
const account = newInternalAccount("account", "clearing", "IDR");
const own = { find: () => undefined, newId: "new" };
const common = { id: "id", partner: "partner", currency: "IDR", at: 0 };

/** Voided, a hold lists no event. */
const voided = {
  ...placeHold({
    ...common,
    partnerReferenceNo: "1",
    merchantId: "1",
    payer: account.id,
    settlement: account.id,
    held: amount,
    expiresAt: 1,
  }),
  voided: amount,
};

const onVoidedHold: Readonly<Record<HoldAction, Decision<unknown>>> = {
  capture: decideCapture({ isLast: true, now: 0, countMax: 1, refundMs: 1 }, voided, account, own),
  void: decideVoid({ isAll: true, now: 0, countMax: 1 }, voided),
  expire: decideExpiry(voided, voided.expiresAt),
  refund: decideRefund(
    { now: 0, countMax: 1 },
    { hold: voided, captures: [], payer: account, settlement: account },
    own,
  ),
};

/** Returned, a transfer lists no event. */
const returned = {
  ...acceptTransfer({
    ...common,
    service: 22,
    rail: "rtgs",
    source: account.id,
    sentAmount: amount,
    fee: amount,
    suspensePart: 0,
    dailyLimitAmount: amount,
    businessDate: 0,
  }),
  state: "returned",
} as const;

function onReturnedTransfer(event: TransferEvent): Decision<unknown> {
  const accounts = { source: account, suspense: account, clearing: account, fee: account };
  const newIds = { clearing: "clearing", fee: "fee" };
  return applyRailEvent(returned, { event, by: "rail", now: 0, journal: "1" }, { ...accounts, newIds }, own);
}

/** Expired, a payment request lists no event; nothing happens to it by itself. */
const expired = {
  ...common,
  payer: account.id,
  requestedAmount: amount,
  state: "waiting",
  expiresAt: 0,
  version: 0,
} as const;

function onExpiredRequest(): Readonly<Record<PaymentRequestEvent, Decision<unknown>>> {
  const answer = { by: "payer", now: 0 } as const;
  const approval = { ...answer, journal: "1", amount, bankCode: "", day: 0, suspensePart: 0, suspenseId: "new" };
  const accounts = { payer: account, beneficiary: account, suspense: account };
  return {
    approve: decideApproval(approval, expired, accounts, undefined as never),
    decline: decideDecline(answer, expired),
    expire: { kind: "nothing" },
  };
}

export const machines: readonly Machine[] = [
  {
    name: "holds",
    starts: { authorize: "open" },
    states: holdStates,
    unlisted: onVoidedHold,
  },
  {
    name: "transfers",
    starts: { accept: "submitted", "accept in bulk": "queued" },
    states: transferStates,
    unlisted: {
      submit: onReturnedTransfer("submit"),
      withdraw: onReturnedTransfer("withdraw"),
      acknowledge: onReturnedTransfer("acknowledge"),
      settle: onReturnedTransfer("settle"),
      reject: onReturnedTransfer("reject"),
      return: onReturnedTransfer("return"),
    } satisfies Record<TransferEvent, unknown>,
  },
  {
    name: "payment-requests",
    starts: { request: "waiting" },
    states: paymentRequestStates,
    unlisted: onExpiredRequest(),
  },
];

/** Payment requests (19). Their accounts are declared like any other. */
import type { OpenPaymentRequest, PaymentRequest } from "../../ledger/payment-requests/payment-request.ts";
import {
  findOpenRequests,
  insertPaymentRequests,
  type OpenRequests,
  type PayerOfRequests,
  paymentRequestLocks,
  type PaymentRequestUpdate,
  updatePaymentRequests,
} from "../../store/tables/payment-requests.ts";
import { type Accounts, type KindRows, nothingPrepared, type RowKind } from "./row-kind.ts";

export interface PaymentRequestLocks {
  readonly paymentRequestId?: string;
  /** The declared account whose open requests are read, and how many of them at most: those that expire last. */
  readonly openRequestsOf?: PayerOfRequests;
}

export interface PaymentRequestEffect {
  readonly newPaymentRequests?: readonly PaymentRequest[];
  /** Payment requests as they become, each still at the version it was decided on. */
  readonly paymentRequests?: readonly PaymentRequest[];
}

export interface LockedPaymentRequests {
  /** The payment request the command's locks name. */
  paymentRequest(): PaymentRequest | undefined;
  /** Requests to the declared payer that were not answered, expired or not. */
  openRequests(): readonly OpenPaymentRequest[];
}

export interface LoadedPaymentRequests {
  readonly paymentRequests: readonly PaymentRequest[];
  /** By number of the payer's account. */
  readonly openRequests: OpenRequests;
}

export interface PaymentRequestRowKeys {
  /** Ids. */
  readonly paymentRequests: readonly string[];
  readonly payersOfRequests: readonly PayerOfRequests[];
}

type Kind = RowKind<
  PaymentRequestLocks,
  PaymentRequestRowKeys,
  PaymentRequestRowKeys,
  Pick<LoadedPaymentRequests, "paymentRequests">,
  Pick<LoadedPaymentRequests, "openRequests">
>;

const noRequests: OpenRequests = new Map();

export const paymentRequests: Kind = {
  keysOf: (commands) => {
    const ids = new Set<string>();
    const payers = new Map<string, PayerOfRequests>();
    for (const { locks } of commands) {
      const { paymentRequestId, openRequestsOf: payer } = locks;
      if (paymentRequestId !== undefined) ids.add(paymentRequestId);
      if (payer !== undefined) payers.set(payer.accountNo, payer);
    }
    return { paymentRequests: [...ids], payersOfRequests: [...payers.values()] };
  },
  keysOfIds: (ids) => ({ paymentRequests: ids, payersOfRequests: [] }),
  without: ({ paymentRequests: ids, payersOfRequests }, locked) => ({
    paymentRequests: ids.filter((id) => !locked.has(id)),
    payersOfRequests,
  }),
  lock: async (session, { paymentRequests: ids }) => ({
    paymentRequests: ids.length === 0 ? [] : await paymentRequestLocks.lock(session, ids),
  }),
  // Under the locks of the payers' accounts, which every new request takes: what is counted is exact.
  read: async (session, { payersOfRequests: payers }) => ({
    openRequests: payers.length === 0 ? noRequests : await findOpenRequests(session, payers),
  }),
  findLocked: (session, keys) => paymentRequestLocks.findLocked(session, keys.paymentRequests),
};

export interface PaymentRequestRows extends KindRows<PaymentRequestLocks, PaymentRequestEffect> {
  find(locks: PaymentRequestLocks): PaymentRequest | undefined;
  findOpen(locks: PaymentRequestLocks): readonly OpenPaymentRequest[];
}

export function openPaymentRequests(loaded: LoadedPaymentRequests, accounts: Accounts): PaymentRequestRows {
  const byId = new Map(loaded.paymentRequests.map((request) => [request.id, request]));
  const oldVersions = new Map(loaded.paymentRequests.map(({ id, version }) => [id, version]));
  const added = new Map<string, PaymentRequest>();
  const changed = new Set<string>();
  const apply = ({ newPaymentRequests = [], paymentRequests: changes = [] }: PaymentRequestEffect) => {
    for (const request of newPaymentRequests) added.set(request.id, request);
    for (const request of changes) {
      byId.set(request.id, { ...request, version: request.version + 1 });
      changed.add(request.id);
    }
  };
  return {
    find: ({ paymentRequestId }) => {
      if (paymentRequestId === undefined) throw new Error("no payment request was declared");
      return byId.get(paymentRequestId);
    },
    findOpen: ({ openRequestsOf }) => {
      if (openRequestsOf === undefined) throw new Error("no payer of open requests was declared");
      const { accountNo } = openRequestsOf;
      const payer = accounts.byNumber(accountNo)?.id;
      // An earlier command of the batch may have answered some, and added others.
      const waiting = (loaded.openRequests.get(accountNo) ?? []).filter(({ id }) => !changed.has(id));
      return [...waiting, ...[...added.values()].filter((request) => request.payer === payer)];
    },
    namesOf: ({ paymentRequestId }) => [paymentRequestId],
    // No command with keys declares one.
    hasAny: () => false,
    prepare: (effect) => {
      const { newPaymentRequests = [], paymentRequests: changes = [] } = effect;
      const rows = newPaymentRequests.length + changes.length;
      if (rows === 0) return nothingPrepared;
      for (const { id } of newPaymentRequests) {
        if (added.has(id)) throw new Error(`payment request ${id} is accepted twice`);
      }
      for (const { id, version } of changes) {
        const found = byId.get(id);
        if (!found) throw new Error(`an effect names payment request ${id}, which the batch did not lock`);
        if (found.version !== version) throw new Error(`the decision on payment request ${id} used a stale row`);
      }
      return { rows, apply: () => apply(effect) };
    },
    write: (session, at, send) => {
      const updates = [...changed].map((id): PaymentRequestUpdate => {
        const request = byId.get(id) as PaymentRequest;
        return { request, oldVersion: oldVersions.get(id) as number };
      });
      if (added.size > 0) send(insertPaymentRequests(session, [...added.values()], at));
      if (updates.length > 0) send(updatePaymentRequests(session, updates));
    },
  };
}

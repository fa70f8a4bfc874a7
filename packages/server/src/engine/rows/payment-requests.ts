/** Payment requests (19). Their accounts are declared like any other. */
import type { PaymentRequest } from "../../ledger/payment-requests/payment-request.ts";
import {
  paymentRequestLocks,
  insertPaymentRequests,
  type PaymentRequestUpdate,
  updatePaymentRequests,
} from "../../store/tables/payment-requests.ts";
import { type KindRows, nothingPrepared, type RowKind } from "./row-kind.ts";

export interface PaymentRequestLocks {
  readonly paymentRequestId?: string;
}

export interface PaymentRequestEffect {
  readonly newPaymentRequests?: readonly PaymentRequest[];
  /** Payment requests as they become, each still at the version it was decided on. */
  readonly paymentRequests?: readonly PaymentRequest[];
}

export interface LockedPaymentRequests {
  /** The payment request the command's locks name. */
  paymentRequest(): PaymentRequest | undefined;
}

export interface LoadedPaymentRequests {
  readonly paymentRequests: readonly PaymentRequest[];
}

export interface Keys {
  /** Ids. */
  readonly paymentRequests: readonly string[];
}

export const paymentRequests: RowKind<PaymentRequestLocks, Keys, Keys, LoadedPaymentRequests, object> = {
  keysOf: (commands) => {
    const ids = new Set(commands.flatMap(({ locks }) => locks.paymentRequestId ?? []));
    return { paymentRequests: [...ids] };
  },
  keysOfIds: (ids) => ({ paymentRequests: ids }),
  without: ({ paymentRequests: ids }, locked) => ({ paymentRequests: ids.filter((id) => !locked.has(id)) }),
  lock: async (session, { paymentRequests: ids }) => ({
    paymentRequests: ids.length === 0 ? [] : await paymentRequestLocks.lock(session, ids),
  }),
  findLocked: (session, keys) => paymentRequestLocks.findLocked(session, keys.paymentRequests),
};

export interface PaymentRequestRows extends KindRows<PaymentRequestLocks, PaymentRequestEffect> {
  find(locks: PaymentRequestLocks): PaymentRequest | undefined;
}

export function openPaymentRequests(loaded: LoadedPaymentRequests): PaymentRequestRows {
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
        if (found.version !== version) throw new Error(`payment request ${id} was decided on as it was before`);
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

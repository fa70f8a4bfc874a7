/**
 * Writes a bulk (20) back that the database has forgotten, with those of its items whose lines are known: all in one commit,
 * since a bulk never gets an item later. Items without a line were never handed to the rail: the bulk comes back without them.
 */
import type { Money } from "@titian/contract";
import type { Command, Outcome } from "../../engine/command.ts";
import { encodeNewItems } from "../../engine/rows/bulks.ts";
import { newId } from "../../basics/ids.ts";
import { internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import { debitRestored } from "../../ledger/accounts/restored-funds.ts";
import { newTransfersPart } from "../../ledger/accounts/suspense-part.ts";
import { adoptBulk, type BulkAdoptionOrder } from "../../ledger/bulks/adopt.ts";
import { bulkRail } from "../../ledger/bulks/bulk.ts";
import { minor } from "../../ledger/money.ts";
import type { RejectionKind } from "../../ledger/rejection.ts";
import { acceptTransfer } from "../../ledger/transfers/transfer.ts";
import { findAccountByNumber } from "../../store/reads/accounts.ts";
import { listAcceptedRequests } from "../../store/reads/accepted-requests.ts";
import { findBulk } from "../../store/reads/bulks.ts";
import { findTransferStates } from "../../store/reads/transfers.ts";
import { readKeyHolders } from "../../store/tables/requests/request-keys.ts";
import {
  type AdoptDeps,
  adoptedBefore,
  adoptInstructions,
  type AdoptionResult,
  endAdoption,
  explainOutcome,
  instructionOf,
  keysOf,
  moneyOf,
  openAdoption,
  refused,
  submitAdoption,
  wasRejected,
} from "./adopt-deps.ts";
import { debitedAmount, type ForgottenBulk, type ForgottenPayment } from "./forgotten.ts";

export type ForgottenItem = ForgottenPayment & { readonly bulk: ForgottenBulk };

/** As an accepted bulk is kept. */
interface Payload {
  readonly request: ForgottenBulk["payload"]["request"];
  readonly itemCount: number;
  /** Item count of the request, where the ledger does not have all of them. */
  readonly requestedItemCount?: number;
  readonly amount: Money;
  readonly from: string;
  readonly to: string;
}

const triesMax = 3;

/** `items`: all of one bulk that are to be adopted. */
export async function adoptForgottenItems(
  deps: AdoptDeps,
  items: readonly ForgottenItem[],
  reason: string,
): Promise<readonly AdoptionResult[]> {
  const { known, repeated, rejected, taken, forgotten } = await sort(deps, items);
  const there = [
    ...(await adoptInstructions(deps, known, reason, "known")),
    ...(await adoptInstructions(deps, repeated, reason, "repeated")),
    ...refused(rejected, wasRejected),
    ...refused(taken, "its partner has used its number for another payment since"),
  ];
  const [first] = forgotten;
  return first ? [...there, ...(await adoptRest(deps, [first, ...forgotten.slice(1)], reason))] : there;
}

type Items = readonly [ForgottenItem, ...ForgottenItem[]];

/** By what the ledger has of them: the item, or another one of its number. */
async function sort({ reads }: AdoptDeps, items: readonly ForgottenItem[]) {
  const holders = await readKeyHolders(
    reads,
    items.map((item) => item.partnerReferenceKey),
  );
  const states = await findTransferStates(reads, [...items.map(({ id }) => id), ...holders.values()]);
  const requests = new Map(
    (await listAcceptedRequests(reads, [...new Set(holders.values())])).map((row) => [row.id, row]),
  );
  const of = (item: ForgottenItem, position: number) => {
    const known = states.get(item.id);
    if (known !== undefined) return known === "rejected" ? "rejected" : "known";
    const holder = holders.get(position);
    if (holder === undefined) return "forgotten";
    if (requests.get(holder)?.requestFingerprint !== item.requestFingerprint) return "taken";
    return states.get(holder) === "rejected" ? "rejected" : "repeated";
  };
  const sorted = Map.groupBy(items.entries(), ([position, item]) => of(item, position));
  const listOf = (kind: ReturnType<typeof of>) => (sorted.get(kind) ?? []).map(([, item]) => item);
  return {
    known: listOf("known"),
    repeated: listOf("repeated"),
    rejected: listOf("rejected"),
    taken: listOf("taken"),
    forgotten: listOf("forgotten"),
  };
}

async function adoptRest(deps: AdoptDeps, items: Items, reason: string): Promise<readonly AdoptionResult[]> {
  const amount = minor(items.reduce((sum, item) => sum + debitedAmount(item), 0n));
  const act = await openAdoption(deps, items[0], amount, reason);
  if (act.kind !== "approved") return refused(items, act.kind === "done" ? adoptedBefore : act.message);
  const { results, outcome } = await writeBack(deps, items, { reason, actId: act.id });
  if (outcome) await endAdoption(deps, act.id, outcome);
  return results;
}

interface WrittenBack {
  readonly results: readonly AdoptionResult[];
  /** By which the ledger did not take it. */
  readonly outcome?: Outcome<unknown>;
}

async function writeBack(
  deps: AdoptDeps,
  items: Items,
  { reason, actId }: { readonly reason: string; readonly actId: string },
): Promise<WrittenBack> {
  const [{ bulk, currency, payerAccountNo }] = items;
  const lost = (why: string, outcome: Outcome<unknown>) => ({ results: refused(items, why), outcome });
  const restoredNo = internalAccountNo("restored", currency);
  const newIds = { suspenseId: newId(), restoredId: newId() };
  for (let tries = 0; tries < triesMax; tries += 1) {
    if (await findBulk(deps.reads, bulk.id))
      return lost("its bulk was written back without it, and gets no item later", { kind: "nothing" });
    const payer = await findAccountByNumber(deps.reads, payerAccountNo);
    const restored = await findAccountByNumber(deps.reads, restoredNo);
    const order = orderOf(items, { actId, now: deps.clock.now(), suspenseId: newIds.suspenseId });
    const planned = debitRestored(debitOf(order), { payer, restored, restoredId: newIds.restoredId });
    const source = planned.account.id;
    const chunk = encodeNewItems(rowsOf(items, source, order), order.now);
    let owedBecause: RejectionKind | undefined;
    const outcome = await submitAdoption(
      deps,
      (deadline): Command<Payload> => ({
        id: bulk.id,
        deadline,
        restores: true,
        keys: keysOf(items[0], bulk),
        ...(bulk.freeForm !== null && { freeForm: bulk.freeForm }),
        locks: { newBulkItems: [chunk], accountNumbers: [payerAccountNo, suspenseNoOf(order), restoredNo] },
        decide: (found) => {
          const { effect, debited } = adoptBulk(
            order,
            found.internalAccount("suspense", currency, bulkRail, order.suspensePart),
            {
              payer: found.account(payerAccountNo),
              restored: found.internalAccount("restored", currency),
              restoredId: newIds.restoredId,
            },
          );
          // The items name the account that is debited.
          if (!found.hasNewItems() || debited.account.id !== source) return { kind: "nothing" };
          owedBecause = debited.owedBecause;
          const payload = payloadOf(items, order, debited.account.accountNo);
          const adopted = items.map((item) => instructionOf(item, reason, deps));
          return { kind: "effect", effect: { ...effect, adopted, payload } };
        },
      }),
    );
    if (outcome.kind === "effect") {
      const kind = outcome.payload.from === restoredNo ? "owed" : "debited";
      return { results: items.map(({ referenceNo }) => ({ referenceNo, kind, owedBecause })) };
    }
    if (outcome.kind === "repeat")
      return lost("its partner has used the number of its bulk for another request since", outcome);
    if (outcome.kind !== "nothing") return lost(explainOutcome(outcome), outcome);
  }
  return lost(explainOutcome({ kind: "nothing" }), { kind: "nothing" });
}

type Given = Pick<BulkAdoptionOrder, "actId" | "now" | "suspenseId">;

function orderOf(items: Items, given: Given): BulkAdoptionOrder {
  const [{ partner, currency, day, bulk }] = items;
  return {
    ...given,
    id: bulk.id,
    partner,
    currency,
    items: items.map(({ sentAmount, fee, requestedAmount }) => ({
      sentAmount,
      fee,
      dailyLimitAmount: requestedAmount,
    })),
    day,
    suspensePart: newTransfersPart,
  };
}

function debitOf({ partner, currency, items, day }: BulkAdoptionOrder) {
  const amount = minor(items.reduce((sum, item) => sum + item.sentAmount + item.fee, 0n));
  return { partner, currency, amount, dailyAmount: amount, count: items.length, day };
}

function suspenseNoOf({ currency, suspensePart }: Pick<BulkAdoptionOrder, "currency" | "suspensePart">): string {
  return internalAccountNo("suspense", currency, bulkRail, suspensePart);
}

/** In the order of their keys; their positions are those of the request without the items that are not known. */
function rowsOf(items: Items, source: string, { day, now, suspensePart, id: bulkId }: BulkAdoptionOrder) {
  const inOrder = items.toSorted((one, other) => one.bulk.position - other.bulk.position);
  const rows = inOrder.map((item, position) => {
    const { id, partner, service, rail, currency, sentAmount, fee, requestedAmount, bulk } = item;
    const transfer = acceptTransfer({
      id,
      partner,
      service,
      rail,
      source,
      currency,
      suspensePart,
      sentAmount,
      fee,
      dailyLimitAmount: requestedAmount,
      businessDate: day,
      at: now,
    });
    return {
      transfer: { ...transfer, bulk: bulkId },
      position,
      externalId: item.externalId,
      partnerReferenceKey: item.partnerReferenceKey,
      bodyHash: bulk.requestFingerprint,
      requestFingerprint: item.requestFingerprint,
      payload: JSON.stringify({ request: item.request }),
      freeForm: item.freeForm,
    };
  });
  return rows.toSorted((one, other) => (one.partnerReferenceKey < other.partnerReferenceKey ? -1 : 1));
}

function payloadOf(items: Items, order: BulkAdoptionOrder, from: string): Payload {
  const [{ currency, bulk }] = items;
  const { request, itemCount } = bulk.payload;
  const debited = minor(items.reduce((sum, item) => sum + debitedAmount(item), 0n));
  return {
    request,
    itemCount: items.length,
    ...(itemCount !== items.length && { requestedItemCount: itemCount }),
    amount: moneyOf(debited, currency),
    from,
    to: suspenseNoOf(order),
  };
}

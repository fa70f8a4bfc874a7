/** Lists of holds, transfers, payment requests and bulks, newest first, and of the items of a bulk. */
import { formatTimestamp, object, optional, string } from "@titian/contract";
import type { FastifyInstance } from "fastify";
import {
  type BulkItemSummary,
  type BulkSummary,
  findBulk,
  listBulkItems,
  listBulks,
  listNewestHolds,
  listNewestPaymentRequests,
  listNewestTransfers,
  type NewestHold,
  type NewestTransfer,
  type PaymentRequestSummary,
  type QueryDeps,
} from "@titian/server/admin";
import type {
  BulkItemsPage,
  BulkItemView,
  BulksPage,
  BulkView,
  HoldsPage,
  HoldView,
  PaymentRequestsPage,
  PaymentRequestView,
  TransfersPage,
  TransferView,
} from "../api-types.ts";
import { ControlError, invalidField } from "../control-error.ts";
import { writeAmount } from "../money-text.ts";
import { limitOf, limitOption, pageOf, pageOptions, PageQuery } from "../page-query.ts";
import { readQuery } from "../read-input.ts";

const BulksQuery = object({ ...pageOptions, partnerId: optional(string()) });
const ItemsQuery = object({
  limit: limitOption,
  after: optional(string({ pattern: "^[0-9]{1,9}$", description: "the `next` of the page before" })),
});

interface BulkPath {
  readonly Params: { readonly bulkId: string };
}

export function serveListCalls(app: FastifyInstance, queries: QueryDeps): void {
  app.get("/holds", async ({ query }): Promise<HoldsPage> => {
    const { holds, next = null } = await listNewestHolds(queries, pageOf(readQuery(PageQuery, query)));
    return { holds: holds.map(showHold), next };
  });
  app.get("/transfers", async ({ query }): Promise<TransfersPage> => {
    const page = await listNewestTransfers(queries, pageOf(readQuery(PageQuery, query)));
    const { transfers, next = null, detached } = page;
    return { transfers: transfers.map(showTransfer), next, detached };
  });
  app.get("/payment-requests", async ({ query }): Promise<PaymentRequestsPage> => {
    const { paymentRequests, next = null } = await listNewestPaymentRequests(
      queries,
      pageOf(readQuery(PageQuery, query)),
    );
    return { paymentRequests: paymentRequests.map(showPaymentRequest), next };
  });
  app.get("/bulks", async ({ query }): Promise<BulksPage> => {
    const { partnerId, ...page } = readQuery(BulksQuery, query);
    const found = await listBulks(queries, { ...pageOf(page), partnerId, isOpen: false });
    if (!found) throw invalidField("partnerId", "There is no such partner.");
    return { bulks: found.bulks.map(showBulk), next: found.next ?? null };
  });
  app.get<BulkPath>("/bulks/:bulkId/items", async ({ params: { bulkId }, query }): Promise<BulkItemsPage> => {
    const { after, ...page } = readQuery(ItemsQuery, query);
    const bulk = await findBulk(queries, bulkId);
    if (bulk?.bulkId !== bulkId) throw new ControlError(404, "unknownBulk", "There is no such bulk.", "bulkId");
    const from = after === undefined ? undefined : Number(after);
    const { items, next = null } = await listBulkItems(queries, bulkId, {
      filter: "all",
      after: from,
      limit: limitOf(page),
    });
    return { items: items.map(showItem), next };
  });
}

function showHold({ currency, placedAt, expiresAt, ...hold }: NewestHold): HoldView {
  const text = (amount: bigint) => writeAmount(amount, currency);
  const { held, captured, voided, expired, refunded, remaining, ...named } = hold;
  return {
    ...named,
    currency,
    held: text(held),
    captured: text(captured),
    voided: text(voided),
    expired: text(expired),
    refunded: text(refunded),
    remaining: text(remaining),
    placedAt: formatTimestamp(placedAt),
    expiresAt: formatTimestamp(expiresAt),
  };
}

function showTransfer({ service, beneficiary, amount, fee, acceptedAt, ...transfer }: NewestTransfer): TransferView {
  return {
    ...transfer,
    serviceCode: String(service),
    beneficiaryAccountNo: beneficiary.accountNo,
    beneficiaryName: beneficiary.name,
    beneficiaryBankCode: beneficiary.bankCode,
    amount: writeAmount(amount, transfer.currency),
    fee: writeAmount(fee, transfer.currency),
    acceptedAt: formatTimestamp(acceptedAt),
  };
}

function showPaymentRequest(request: PaymentRequestSummary): PaymentRequestView {
  const { referenceNo, partnerId, partnerReferenceNo, payerAccountNo, beneficiary, currency, state } = request;
  const amount = request.approvedAmount ?? request.requestedAmount;
  return {
    referenceNo,
    partnerId,
    partnerReferenceNo,
    payerAccountNo,
    beneficiaryAccountNo: beneficiary.accountNo,
    beneficiaryName: beneficiary.name,
    beneficiaryBankCode: beneficiary.bankCode,
    currency,
    amount: amount === undefined ? undefined : writeAmount(amount, currency),
    state,
    acceptedAt: formatTimestamp(request.acceptedAt),
    expiresAt: formatTimestamp(request.expiresAt),
  };
}

function showBulk(bulk: BulkSummary): BulkView {
  const { bulkId, partnerId, partnerBulkId, payerAccountNo, currency, status, endedAt } = bulk;
  return {
    bulkId,
    partnerId,
    partnerBulkId,
    payerAccountNo,
    currency,
    amount: writeAmount(bulk.amount, currency),
    fee: writeAmount(bulk.fee, currency),
    items: bulk.itemCount,
    settled: bulk.settledCount,
    rejected: bulk.rejectedCount,
    returned: bulk.returnedCount,
    open: bulk.openCount,
    status,
    acceptedAt: formatTimestamp(bulk.acceptedAt),
    endedAt: endedAt === undefined ? undefined : formatTimestamp(endedAt),
  };
}

function showItem(item: BulkItemSummary): BulkItemView {
  const { position, referenceNo, partnerReferenceNo, beneficiary, amount, currency, state, rejection } = item;
  return {
    position,
    referenceNo,
    partnerReferenceNo,
    beneficiaryAccountNo: beneficiary.accountNo,
    beneficiaryName: beneficiary.name,
    beneficiaryBankCode: beneficiary.bankCode,
    amount: writeAmount(amount, currency),
    state,
    responseCode: rejection?.responseCode,
  };
}

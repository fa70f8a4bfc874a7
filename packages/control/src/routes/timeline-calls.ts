/** What happened to a payment, transfer, payment request, bulk or item of one, and where its money is. */
import { formatTimestamp, operationByCode } from "@titian/contract";
import type { FastifyInstance } from "fastify";
import {
  findTimeline,
  type PostingSummary,
  type QueryDeps,
  type Side as FoundSide,
  type Timeline as FoundTimeline,
  type TimelineEvent as FoundEvent,
} from "@titian/server/admin";
import type { PostingView, Side, Timeline, TimelineEvent } from "../api-types.ts";
import { showAccount } from "./account-calls.ts";
import { ControlError } from "../control-error.ts";
import { writeAmount } from "../money-text.ts";

interface TimelinePath {
  readonly Params: { readonly referenceNo: string };
}

export function serveTimelineCalls(app: FastifyInstance, queries: QueryDeps): void {
  app.get<TimelinePath>("/timeline/:referenceNo", async ({ params }): Promise<Timeline> => {
    const timeline = await findTimeline(queries, params.referenceNo);
    if (timeline) return showTimeline(timeline);
    const message = "No payment, transfer, payment request or bulk has this number; GET /sandbox/search finds others.";
    throw new ControlError(404, "unknownNumber", message, "referenceNo");
  });
}

const timeOf = (at: number | undefined) => (at === undefined ? undefined : formatTimestamp(at));

function showTimeline(timeline: FoundTimeline): Timeline {
  const { currency, service, hold, bulk, itemOf } = timeline;
  const text = (amount: bigint) => writeAmount(amount, currency);
  const serviceCode = String(service);
  return {
    kind: timeline.kind,
    referenceNo: timeline.referenceNo,
    partnerId: timeline.partnerId,
    partnerReferenceNo: timeline.partnerReferenceNo,
    externalId: timeline.externalId,
    serviceCode,
    operation: operationByCode(serviceCode)?.name ?? "",
    acceptedAt: formatTimestamp(timeline.acceptedAt),
    status: timeline.status,
    state: timeline.state,
    meaning: timeline.meaning,
    currency,
    amount: timeline.amount === undefined ? undefined : text(timeline.amount),
    fee: timeline.fee === undefined ? undefined : text(timeline.fee),
    rail: timeline.rail,
    traceNo: timeline.traceNo,
    merchantId: timeline.merchantId,
    expiresAt: timeOf(timeline.expiresAt),
    hold: hold && {
      held: text(hold.held),
      captured: text(hold.captured),
      voided: text(hold.voided),
      expired: text(hold.expired),
      remaining: text(hold.remaining),
      refunded: text(hold.refunded),
    },
    counts: bulk && {
      items: bulk.itemCount,
      settled: bulk.settledCount,
      rejected: bulk.rejectedCount,
      returned: bulk.returnedCount,
      open: bulk.openCount,
    },
    bulkId: itemOf?.bulkId,
    bulkPosition: itemOf?.position,
    sides: timeline.sides.map((side) => showSide(side, currency)),
    events: timeline.events.map((event) => showEvent(event, currency)),
    isCut: timeline.isCut,
    actions: timeline.actions,
  };
}

function showSide({ account, entries, ...side }: FoundSide, currency: string): Side {
  return {
    ...side,
    account: account && showAccount(account),
    entries: entries.map(({ kind, amount, balanceAfter, at, referenceNo }) => ({
      kind,
      direction: amount < 0n ? "debit" : "credit",
      amount: writeAmount(amount < 0n ? -amount : amount, currency),
      balanceAfter: writeAmount(balanceAfter, currency),
      at: formatTimestamp(at),
      referenceNo,
    })),
  };
}

function showEvent({ at, amount, service, nextAt, postings, ...event }: FoundEvent, currency: string): TimelineEvent {
  return {
    ...event,
    at: timeOf(at),
    amount: amount === undefined ? undefined : writeAmount(amount, currency),
    serviceCode: service?.toString(),
    nextAt: timeOf(nextAt),
    postings: postings.map((posting) => showPosting(posting, currency)),
  };
}

function showPosting(posting: PostingSummary, currency: string): PostingView {
  const { amount, fromBalanceAfter, toBalanceAfter, at, ...named } = posting;
  return {
    ...named,
    amount: writeAmount(amount, currency),
    fromBalanceAfter: writeAmount(fromBalanceAfter, currency),
    toBalanceAfter: writeAmount(toBalanceAfter, currency),
    at: formatTimestamp(at),
  };
}

/** Payment requests as queries see them: committed rows, nothing locked. */
import type { Pool } from "pg";
import { highestId } from "../../basics/ids.ts";
import { queryRows } from "../postgres/query-rows.ts";
import type { PaymentRequest } from "../../ledger/payment-requests/payment-request.ts";
import type { TextRow } from "../postgres/session.ts";
import { paymentRequestColumns, readPaymentRequest } from "../tables/payment-requests.ts";
import { beyond, type ReadPage } from "./scan-list.ts";

export async function findPaymentRequest(pool: Pool, id: string): Promise<PaymentRequest | undefined> {
  const [row] = await queryRows(pool, {
    name: "read-payment-request",
    text: `select ${paymentRequestColumns.sql} from payment_requests where id = $1::uuid`,
    values: [id],
  });
  return row && readPaymentRequest(row);
}

/** With the request that it was accepted from. */
export interface FoundPaymentRequest {
  readonly paymentRequest: PaymentRequest;
  readonly payerAccountNo: string;
  readonly externalId: string;
  /** Payload of the accepted request, as JSON text. */
  readonly payload: string;
}

const foundColumns = `${paymentRequestColumns.of("p")},
  (select account_no from accounts where accounts.id = p.payer_account_id), r.external_id, r.payload`;
/** With a limit it is looked up for each row: a plan that joins them reads all accepted requests. */
const requestOf = "cross join lateral (select external_id, payload from accepted_requests where id = p.id limit 1) r";

/** The payment request of this id, or the one approved in the journal of this id. */
export async function findPaymentRequestOf(pool: Pool, id: string): Promise<FoundPaymentRequest | undefined> {
  const [row] = await queryRows(pool, {
    name: "read-payment-request-of",
    text: `select ${foundColumns} from payment_requests p ${requestOf}
      where p.id = $1::uuid or p.approval_journal_id = $1::uuid limit 1`,
    values: [id],
  });
  return row && readFound(row);
}

export interface PaymentRequestPage {
  /** Account id. */
  readonly payer: string;
  /** Only those that wait for an answer at this business time (epoch ms); absent: in every state. */
  readonly waitingAt?: number | undefined;
  /** Id below which the page begins; absent: from the newest. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Newest first. Those that wait are few beside all, and sorted once they are found by that. */
export async function listPaymentRequests(
  pool: Pool,
  { payer, waitingAt, before = highestId, limit }: PaymentRequestPage,
): Promise<readonly FoundPaymentRequest[]> {
  const isWaiting = waitingAt === undefined ? "" : "and state = 'waiting' and expires_at > $4::timestamptz";
  const rows = await queryRows(pool, {
    name: waitingAt === undefined ? "list-payment-requests" : "list-waiting-payment-requests",
    text: `with found as ${waitingAt === undefined ? "" : "materialized"}
        (select * from payment_requests where payer_account_id = $1::uuid and id < $2::uuid ${isWaiting})
      select ${foundColumns} from (select * from found order by id desc limit $3::int) p ${requestOf} order by p.id desc`,
    values: [payer, before, limit, ...(waitingAt === undefined ? [] : [new Date(waitingAt).toISOString()])],
  });
  return rows.map(readFound);
}

/** Open requests of one partner to one payer. */
export interface OpenRequestCount {
  readonly payerAccountNo: string;
  readonly partner: string;
  readonly count: number;
  /** Count of all partners' requests to this payer. */
  readonly ofPayer: number;
  /** Business time the first of them was accepted, and the last of them ends (epoch ms). */
  readonly acceptedAt: number;
  readonly expiresAt: number;
}

/** Those that wait for an answer at a business time (epoch ms), by payer and partner: the payers with the most first. */
export async function countOpenRequests(pool: Pool, at: number, limit: number): Promise<readonly OpenRequestCount[]> {
  const rows = await queryRows(pool, {
    name: "count-open-payment-requests",
    text: `select (select account_no from accounts where accounts.id = payer_account_id), partner, count(*),
        sum(count(*)) over (partition by payer_account_id) as of_payer,
        extract(epoch from min(accepted_at)) * 1000, extract(epoch from max(expires_at)) * 1000
      from payment_requests where state = 'waiting' and expires_at > $1::timestamptz
      group by payer_account_id, partner order by of_payer desc, payer_account_id, count(*) desc limit $2::int`,
    values: [new Date(at).toISOString(), limit],
  });
  return rows.map(([payerAccountNo, partner, count, ofPayer, acceptedAt, expiresAt]) => ({
    payerAccountNo: payerAccountNo as string,
    partner: partner as string,
    count: Number(count),
    ofPayer: Number(ofPayer),
    acceptedAt: Number(acceptedAt),
    expiresAt: Number(expiresAt),
  }));
}

/** To every payer, in every state, beyond an id in the order of a list. */
export async function listAllPaymentRequests(
  pool: Pool,
  { start, limit, isOldestFirst }: ReadPage,
): Promise<readonly FoundPaymentRequest[]> {
  const { condition, order, suffix } = beyond(isOldestFirst);
  const rows = await queryRows(pool, {
    name: `list-newest-payment-requests${suffix}`,
    text: `select ${foundColumns} from (select * from payment_requests where ${condition} order by ${order} limit $2::int) p
      ${requestOf} order by p.${order}`,
    values: [start, limit],
  });
  return rows.map(readFound);
}

/** A row of `foundColumns`. */
function readFound(row: TextRow): FoundPaymentRequest {
  const [payerAccountNo, externalId, payload] = row.slice(-3) as string[];
  return {
    paymentRequest: readPaymentRequest(row),
    payerAccountNo: payerAccountNo as string,
    externalId: externalId as string,
    payload: payload as string,
  };
}

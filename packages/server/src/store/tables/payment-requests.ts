/** Payment requests: locked by the batch that decides on them, written once a batch. */
import { minor } from "../../ledger/money.ts";
import type { AnsweredBy, OpenPaymentRequest, PaymentRequest } from "../../ledger/payment-requests/payment-request.ts";
import type { FeeType } from "../../ledger/transfers/fees.ts";
import { readTextList, textList } from "../postgres/sql-arrays.ts";
import { intArray } from "../statements/binary-arrays.ts";
import { code, insertRows, int, plain, text, time, updateRows, uuid } from "../statements/row-statements.ts";
import { selectList } from "../statements/select-list.ts";
import type { Session, Statement, TextRow } from "../postgres/session.ts";
import { createRowLocks } from "./locked-row.ts";

export const paymentRequestColumns = selectList(
  [
    "id, partner, payer_account_id, beneficiary_account_id, currency, requested_amount, fee_type, state",
    "approved_amount, approval_journal_id, answered_by, version",
  ],
  ["expires_at", "accepted_at", "answered_at"],
);

/** Locks of transactions on rows. */
export const paymentRequestLocks = createRowLocks("payment_requests", paymentRequestColumns.sql, readPaymentRequest);

export interface PayerOfRequests {
  readonly accountNo: string;
  /** Number of its open requests that are read at most. */
  readonly max: number;
}

/** By number of the payer's account. */
export type OpenRequests = ReadonlyMap<string, readonly OpenPaymentRequest[]>;

const findOpenStatement: Statement = {
  name: "find-open-payment-requests",
  text: `select payer.account_no, open.id, open.partner, (extract(epoch from open.expires_at) * 1000)::bigint
    from unnest(${readTextList(1)}, $2::int[]) payer (account_no, max) join accounts a on a.account_no = payer.account_no
    cross join lateral (select id, partner, expires_at from payment_requests
      where payer_account_id = a.id and state = 'waiting' order by expires_at desc limit payer.max) open`,
};

/** Requests to these payers that were not answered, those first that expire last: expired ones behind the open ones. */
export async function findOpenRequests(session: Session, payers: readonly PayerOfRequests[]): Promise<OpenRequests> {
  const numbers = textList(payers.map(({ accountNo }) => accountNo));
  const rows = await session.run(findOpenStatement, [numbers, intArray(payers.map(({ max }) => max))]);
  const requests = rows.map(([accountNo, id, partner, expiresAt]) => ({
    accountNo: accountNo as string,
    request: { id: id as string, partner: partner as string, expiresAt: Number(expiresAt) },
  }));
  const byPayer = Map.groupBy(requests, ({ accountNo }) => accountNo);
  return new Map([...byPayer].map(([accountNo, found]) => [accountNo, found.map(({ request }) => request)]));
}

const optionalUuid = plain("uuid");
const optionalBigint = plain("bigint");
const optionalTime = plain("timestamptz");

export const insertPaymentRequests = insertRows<PaymentRequest>(
  "payment_requests",
  {
    id: uuid((row) => row.id),
    partner: uuid((row) => row.partner),
    payer_account_id: uuid((row) => row.payer),
    beneficiary_account_id: optionalUuid((row) => row.beneficiary),
    currency: code((row) => row.currency),
    requested_amount: optionalBigint((row) => row.requestedAmount?.toString()),
    fee_type: text((row) => row.feeType),
    expires_at: time((row) => row.expiresAt),
  },
  { state: "'waiting'", version: "0", accepted_at: "$1::timestamptz" },
);

export interface PaymentRequestUpdate {
  readonly oldVersion: number;
  readonly request: PaymentRequest;
}

/** Writes the answers to locked payment requests; fails with 22012 if one of them is not at its old version. */
export const updatePaymentRequests = updateRows<PaymentRequestUpdate>({
  name: "update-payment-requests",
  table: "payment_requests",
  where: {
    id: uuid(({ request }) => request.id),
    version: int((update) => update.oldVersion),
  },
  set: {
    version: int(({ request }) => request.version),
    state: code(({ request }) => request.state),
    approved_amount: optionalBigint(({ request }) => request.approvedAmount?.toString()),
    approval_journal_id: optionalUuid(({ request }) => request.approvalJournalId),
    answered_at: optionalTime(({ request }) => isoOf(request.answeredAt)),
    answered_by: text(({ request }) => request.answeredBy),
  },
});

function isoOf(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

/** A row of `paymentRequestColumns`. */
export function readPaymentRequest(row: TextRow): PaymentRequest {
  const { at } = paymentRequestColumns;
  const amount = (value: string | null | undefined) => (value == null ? undefined : minor(BigInt(value)));
  const answeredAt = row[at.answered_at];
  return {
    id: row[at.id] as string,
    partner: row[at.partner] as string,
    payer: row[at.payer_account_id] as string,
    beneficiary: row[at.beneficiary_account_id] ?? undefined,
    currency: row[at.currency] as string,
    requestedAmount: amount(row[at.requested_amount]),
    feeType: (row[at.fee_type] ?? undefined) as FeeType | undefined,
    state: row[at.state] as PaymentRequest["state"],
    approvedAmount: amount(row[at.approved_amount]),
    approvalJournalId: row[at.approval_journal_id] ?? undefined,
    answeredAt: answeredAt == null ? undefined : Number(answeredAt),
    answeredBy: (row[at.answered_by] ?? undefined) as AnsweredBy | undefined,
    version: Number(row[at.version]),
    expiresAt: Number(row[at.expires_at]),
    at: Number(row[at.accepted_at]),
  };
}

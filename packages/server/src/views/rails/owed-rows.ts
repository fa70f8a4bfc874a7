/** What payers owe us of payments that were written back: the internal account `restored` of the currency paid for them. */
import type { Pool } from "pg";
import { internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import { type Minor, minor } from "../../ledger/money.ts";
import { postingKinds } from "../../ledger/posting.ts";
import type { RailName } from "../../ledger/rails/terms.ts";
import { queryRows } from "../../store/postgres/query-rows.ts";
import { epochMs } from "../../store/statements/select-list.ts";

export interface OwedPayment {
  /** Of the transfer, or of the bulk. */
  readonly id: string;
  readonly rail: RailName;
  /** Internal id. */
  readonly partner: string;
  readonly payerAccountNo: string;
  readonly currency: string;
  /** Without what was rejected or returned since. */
  readonly amount: Minor;
  /** The operator's. */
  readonly reason: string;
  /** When it was written back (epoch ms). */
  readonly at: number;
}

interface OwedFilter {
  readonly rail?: RailName | undefined;
  /** ISO 4217. */
  readonly currencies: readonly string[];
  readonly limit: number;
}

/** The oldest first. */
export async function listOwed(pool: Pool, { rail, currencies, limit }: OwedFilter): Promise<readonly OwedPayment[]> {
  const rows = await queryRows(pool, {
    name: "list-owed-payments",
    text: `select e.journal_id, t.rail, r.partner, r.payload::json #>> '{request,sourceAccountNo}', e.currency,
        -e.amount - t.given_back, act.reason, ${epochMs("act.at")}
      from accounts a join entries e on e.account_id = a.id and e.kind = ${postingKinds.submission}
        join acts act on act.journal_id = e.journal_id
        cross join lateral (select partner, payload from accepted_requests where id = e.journal_id limit 1) r
        cross join lateral (select min(rail) as rail,
            sum(case state when 'rejected' then amount + fee when 'returned' then amount else 0 end) as given_back
          from transfers where id = e.journal_id or bulk_id = e.journal_id) t
      where a.account_no = any($1::text[]) and ($2::text is null or t.rail = $2) and -e.amount > t.given_back
      order by e.journal_id limit $3::int`,
    values: [currencies.map((currency) => internalAccountNo("restored", currency)), rail, limit],
  });
  return rows.map(([id, of, partner, payerAccountNo, currency, amount, reason, at]) => ({
    id: id as string,
    rail: of as RailName,
    partner: partner as string,
    payerAccountNo: payerAccountNo as string,
    currency: currency as string,
    amount: minor(BigInt(amount as string)),
    reason: reason as string,
    at: Number(at),
  }));
}

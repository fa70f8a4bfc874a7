/**
 * Payments that were written back, and that their payers could not be debited with
 * (docs/reference/rails.md#adopt-what-was-forgotten): the internal account `restored` of the currency paid for them.
 */
import { toReferenceNo } from "../../basics/ids.ts";
import { internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import { postingKinds } from "../../ledger/posting.ts";
import type { RailName } from "../../ledger/rails/terms.ts";
import { queryRows } from "../../store/postgres/query-rows.ts";
import { epochMs } from "../../store/statements/select-list.ts";
import { partnerIdOf, type QueryDeps } from "../query-deps.ts";

/** The oldest first. */
export async function listOwedPayments(
  deps: QueryDeps,
  { rail, limit }: { readonly rail?: RailName | undefined; readonly limit: number },
) {
  const { rails } = deps.reference.current().rails;
  const currencies = new Set(Object.values(rails).map(({ currency }) => currency));
  const rows = await queryRows(deps.pool, {
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
    values: [[...currencies].map((currency) => internalAccountNo("restored", currency)), rail, limit],
  });
  return rows.map(([id, railOf, partner, payerAccountNo, currency, amount, reason, at]) => ({
    /** Reference number of the transfer, or the bulkId. */
    referenceNo: toReferenceNo(id as string),
    partnerId: partnerIdOf(deps, partner as string),
    rail: railOf as RailName,
    payerAccountNo: payerAccountNo as string,
    currency: currency as string,
    /** Minor units, without what was rejected or returned since. */
    amount: BigInt(amount as string),
    /** The operator's. */
    reason: reason as string,
    /** When it was written back (epoch ms). */
    at: Number(at),
  }));
}

/** What counts against an account's daily limits (spec D6): not less than its entries of that day say. */
import { postingKinds } from "../../ledger/posting.ts";
import { lookUp } from "./check.ts";

const { transfer, submission } = postingKinds;
/** The business day of an instant (spec D18). */
const dayOf = (at: string) => `floor((extract(epoch from ${at}) + 25200) / 86400)`;
/** No entry of the day of an account is older: ids are of real time, and the sandbox's day may be ahead of it. */
const someDaysAgo =
  "id_at(least(statement_timestamp(), to_timestamp(a.daily_debit_date::bigint * 86400)) - interval '3 days')";
const entryOf = (account: string, version: string) =>
  `cross join lateral (select * from entries where account_id = ${account} and version = ${version}
    and journal_id >= ${someDaysAgo} limit 1) e`;
const found =
  "a.id, a.account_no, a.daily_debit_date, a.daily_debit_total, a.daily_debit_count, e.version, e.kind, e.amount, e.journal_id, e.created_at";

/** An account's newest entries, back to the day's first: of a busy one so many, which are the least there was. */
const entriesMost = 500;

/** Of a bulk its items count, but for those that were rejected. */
const count = "sum(coalesce(k.item_count - k.rejected_count, 1))";
const total = "sum(coalesce(k.amount - k.rejected_amount, t.daily_limit_amount, -b.amount))";

/**
 * Holds count too, and are not looked for: they have no entries, and nothing finds an account's closed ones. So more may
 * have been used than is found here, and never less.
 * @param from the accounts looked at, as `a`
 */
export const dailyUseCheck = (from: string) => ({
  name: "dailyUseNotBelowDebits",
  text: `with recursive back as (
      select ${found}, 1 as depth ${from} ${entryOf("a.id", "a.version")}
      union all
      select ${found}, a.depth + 1 from back a ${entryOf("a.id", "a.version - 1")}
      where a.depth < ${entriesMost} and ${dayOf("a.created_at")} >= a.daily_debit_date)
    select b.account_no, format('at least %s debits of %s', ${count}, ${total}),
      format('%s debits of %s', b.daily_debit_count, b.daily_debit_total)
    from back b ${lookUp("payment_requests", "p", "approval_journal_id = b.journal_id")}
      ${lookUp("transfers", "t", "id = coalesce(p.id, b.journal_id)")}
      ${lookUp("bulks", "k", "id = b.journal_id")} ${lookUp("transfers", "item", "bulk_id = k.id")}
    where b.amount < 0 and ${dayOf("b.created_at")} >= b.daily_debit_date
      and (b.kind = ${transfer} or b.kind = ${submission} and b.daily_debit_date = case
        when k.id is not null then item.business_date when t.state <> 'rejected' then t.business_date end)
    group by b.id, b.account_no, b.daily_debit_total, b.daily_debit_count
    having ${count} > b.daily_debit_count or ${total} > b.daily_debit_total
    limit $3::int`,
});

/**
 * Check of the debits that count against an account's daily limits (spec D6): not less than its entries of that day.
 */
import { postingKinds } from "../../../ledger/posting.ts";
import { lookUp } from "./check.ts";

const { transfer, submission } = postingKinds;
/** The business day of an instant (spec D18). */
const dayOf = (at: string) => `floor((extract(epoch from ${at}) + 25200) / 86400)`;
/** No entry of the day of an account is older: ids are of real time, and the sandbox's day may be ahead of it. */
const since =
  "id_at(least(statement_timestamp(), to_timestamp(a.daily_debit_date::bigint * 86400)) - interval '3 days') as since";

/** An account's newest entries, back to the day's first: of a busy one so many, which are the least there was. */
const entriesMost = 500;
/** Most accounts have fewer of a day; each further look is at so many times as many. */
const entriesFirst = 4;
const growth = 5;
const found = "a.id, a.account_no, a.version, a.daily_debit_date, a.daily_debit_total, a.daily_debit_count";

/** The items of a bulk count, but for those that were rejected. */
const count = "sum(coalesce(k.item_count - k.rejected_count, 1))";
const total = "sum(coalesce(k.amount - k.rejected_amount, t.daily_limit_amount, -e.amount))";

/** Debits of the day among an account's entries above version `low` up to `high`; a transfer within the bank needs no look-up. */
const debits = `select ${count} as count, ${total} as total
  from (select * from entries where account_id = a.id and version > a.low and version <= a.high
      and journal_id >= a.since offset 0) e
    ${lookUp("payment_requests", "p", `e.kind = ${submission} and approval_journal_id = e.journal_id`)}
    ${lookUp("transfers", "t", `e.kind = ${submission} and id = coalesce(p.id, e.journal_id)`)}
    ${lookUp("bulks", "k", `e.kind = ${submission} and id = e.journal_id`)}
    ${lookUp("transfers", "item", "bulk_id = k.id")}
  where e.amount < 0 and ${dayOf("e.created_at")} >= a.daily_debit_date
    and (e.kind = ${transfer} or e.kind = ${submission} and a.daily_debit_date = case
      when k.id is not null then item.business_date when t.state <> 'rejected' then t.business_date end)`;

/**
 * Holds count too, and are not looked for: they have no entries, and nothing finds an account's closed ones. So more may
 * have been used than is found here, and never less.
 * @param from the accounts looked at, as `a`
 */
export const dailyUseCheck = (from: string) => ({
  name: "dailyUseNotBelowDebits",
  // Further back only where the entry there is of the day.
  text: `with recursive looks as (
      select ${found}, ${since}, greatest(a.version - ${entriesFirst}, 0) as low, a.version as high ${from} where a.version > 0
      union all
      select ${found}, a.since, greatest(a.low - ${growth} * (a.high - a.low), a.version - ${entriesMost}, 0), a.low
      from looks a cross join lateral (select created_at from entries where account_id = a.id and version = a.low
        and journal_id >= a.since limit 1) e
      where a.low > greatest(a.version - ${entriesMost}, 0) and ${dayOf("e.created_at")} >= a.daily_debit_date)
    select a.account_no, format('at least %s debits of %s', sum(d.count), sum(d.total)),
      format('%s debits of %s', a.daily_debit_count, a.daily_debit_total)
    from looks a cross join lateral (${debits}) d
    group by a.id, a.account_no, a.daily_debit_total, a.daily_debit_count
    having sum(d.count) > a.daily_debit_count or sum(d.total) > a.daily_debit_total
    limit $3::int`,
});

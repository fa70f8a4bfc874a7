/** What counts against an account's daily limits (decision D6): not less than its entries of that day say. */
import { movementKinds } from "../../ledger/movement.ts";
import { lookUp } from "./check.ts";

const { transfer, submission } = movementKinds;
/** The business day of an instant (decision D18). */
const dayOf = (at: string) => `floor((extract(epoch from ${at}) + 25200) / 86400)`;
const entryOf = (account: string, version: string) =>
  `cross join lateral (select * from entries where account_id = ${account} and version = ${version} limit 1) e`;
const found =
  "a.id, a.account_no, a.use_day, a.use_total, a.use_count, e.version, e.kind, e.amount, e.journal_id, e.at";

/** An account's newest entries, back to the day's first: of a busy one so many, which are the least there was. */
const entriesMost = 500;

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
      where a.depth < ${entriesMost} and ${dayOf("a.at")} >= a.use_day)
    select b.account_no, format('at least %s debits of %s', count(*), sum(coalesce(t.counted, -b.amount))),
      format('%s debits of %s', b.use_count, b.use_total)
    from back b ${lookUp("transfers", "t", "id = b.journal_id")}
    where b.amount < 0 and ${dayOf("b.at")} >= b.use_day
      and (b.kind = ${transfer} or b.kind = ${submission} and t.state <> 'refused' and t.day = b.use_day)
    group by b.id, b.account_no, b.use_total, b.use_count
    having count(*) > b.use_count or sum(coalesce(t.counted, -b.amount)) > b.use_total
    limit $3::int`,
});

/** What the entries of a slice of journals must say: they balance, and every account's follow one another. */
import { type AuditCheck, entriesOfSlice, lookUp } from "./check.ts";

/** Most entries follow one of the slice, and most others one of the last weeks: only for the rest all partitions are asked. */
const recently = "id_at(time_of($1::uuid) - interval '14 days')";
const entryBefore = (alias: string, condition: string) => `left join lateral (
  select version, balance_after from entries where account_id = e.account_id and version = e.version - 1
    and e.version > 1 and not e.follows and ${condition} limit 1) ${alias} on true`;
/** Of an account whose entry before is in a detached partition; before its last one there, nothing can be said. */
const detachedBefore = `left join lateral (
  select e.version - 1 as version, case version when e.version - 1 then balance_after else e.balance_after - e.amount end as balance_after
  from detached_balances where account_id = e.account_id and version >= e.version - 1 and e.version > 1 and not e.follows
    and recent.version is null and old.version is null) detached on true`;
const isFirst = "(e.version > 1 and e.version_before is null)";

export const journalChecks: readonly AuditCheck[] = [
  {
    name: "journalBalances",
    pass: "journals",
    text: `with ${entriesOfSlice}
      select e.journal_id::text, '0 ' || a.currency, format('%s %s', sum(e.amount), a.currency)
      from entries_of_slice e cross join lateral (select currency from accounts where id = e.account_id limit 1) a
      group by e.journal_id, a.currency having sum(e.amount) <> 0 limit $3::int`,
  },
  {
    name: "entryHasAccount",
    pass: "journals",
    text: `with ${entriesOfSlice}
      select format('%s version %s', e.account_id, e.version), format('an account in %s', e.currency),
        coalesce('one in ' || a.currency, 'none')
      from entries_of_slice e ${lookUp("accounts", "a", "id = e.account_id")}
      where a.currency is distinct from e.currency
      limit $3::int`,
  },
  {
    // The other way round, `accountMatchesEntries` looks for the entry of its version alone.
    name: "entryNotBeyondAccount",
    pass: "journals",
    text: `with ${entriesOfSlice}
      select format('%s version %s', e.account_id, e.version), format('version %s at most', a.version), format('version %s', e.version)
      from entries_of_slice e cross join lateral (select account_no, version from accounts where id = e.account_id limit 1) a
      where e.version > a.version limit $3::int`,
  },
  {
    // Entries form a chain: versions without a gap from 1, none twice, balances that add up.
    name: "entryChain",
    pass: "journals",
    text: `with ${entriesOfSlice}, numbered as (
        select *, coalesce(lag(version) over account = version - 1, false) as follows, lag(version) over account = version as is_twice,
          lag(balance_after) over account as slice_balance
        from entries_of_slice window account as (partition by account_id order by version)),
      chained as (
        select e.*, coalesce(recent.version, old.version, detached.version, case when follows then e.version - 1 end) as version_before,
          coalesce(recent.balance_after, old.balance_after, detached.balance_after, case when follows then slice_balance end, 0)
            as balance_before
        from numbered e ${entryBefore("recent", `journal_id >= ${recently}`)}
          ${entryBefore("old", `recent.version is null and journal_id < ${recently}`)} ${detachedBefore})
      select format('%s version %s', e.account_id, e.version),
        case when e.is_twice then 'one' when ${isFirst} then format('version %s before it', e.version - 1)
          else format('balance %s', e.balance_before + e.amount) end,
        case when e.is_twice then 'two' when ${isFirst} then 'none' else format('balance %s', e.balance_after) end
      from chained e where e.is_twice or ${isFirst} or e.balance_after <> e.balance_before + e.amount limit $3::int`,
  },
];

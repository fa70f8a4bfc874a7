/** Checks of the entries of a slice of journals: they balance, and every account's follow one another. */
import type { AuditCheck } from "./check.ts";

/** Most entries follow one of the slice, and most others one of the last weeks: only for the rest all partitions are asked. */
const recently = "(select id_at(time_of($1::uuid) - interval '14 days'))";
const entryBefore = (alias: string, condition: string) => `left join lateral (
  select version, balance_after from entries where account_id = e.account_id and version = e.version - 1
    and ${condition} limit 1) ${alias} on true`;
/** Joins the accounts whose entry before is in a detached partition; before its last one there, nothing can be said. */
const detachedBefore = `left join lateral (
  select e.version - 1 as version, case version when e.version - 1 then balance_after else e.balance_after - e.amount end as balance_after
  from detached_balances where account_id = e.account_id and version >= e.version - 1
    and recent.version is null and old.version is null) detached on true`;

export const journalChecks: readonly AuditCheck[] = [
  {
    name: "journalBalances",
    pass: "journals",
    readsSliceRows: true,
    text: `select journal_id::text, '0 ' || account_currency, format('%s %s', sum(amount), account_currency)
      from entries_of_slice where account_currency is not null
      group by journal_id, account_currency having sum(amount) <> 0 limit $3::int`,
  },
  {
    name: "entryHasAccount",
    pass: "journals",
    readsSliceRows: true,
    text: `select format('%s version %s', account_id, version), format('an account in %s', currency),
        coalesce('one in ' || account_currency, 'none')
      from entries_of_slice where account_currency is distinct from currency limit $3::int`,
  },
  {
    // The other way round, `accountMatchesEntries` looks for the entry of its version alone.
    name: "entryNotBeyondAccount",
    pass: "journals",
    readsSliceRows: true,
    text: `select format('%s version %s', account_id, version), format('version %s at most', account_version), format('version %s', version)
      from entries_of_slice where version > account_version limit $3::int`,
  },
  {
    // Entries form a chain: versions without a gap from 1, none twice, balances that add up.
    name: "entryChain",
    pass: "journals",
    readsSliceRows: true,
    text: `with numbered as materialized (
        select account_id, version, amount, balance_after, lag(version) over account as version_before,
          lag(balance_after) over account as balance_before
        from entries_of_slice window account as (partition by account_id order by version)),
      chained as (
        select * from numbered where version_before >= version - 1
        union all select account_id, version, amount, balance_after, 0, 0 from numbered
          where version <= 1 and coalesce(version_before < version - 1, true)
        union all select e.account_id, e.version, e.amount, e.balance_after, coalesce(recent.version, old.version, detached.version),
          coalesce(recent.balance_after, old.balance_after, detached.balance_after, 0)
        from (select * from numbered where version > 1 and coalesce(version_before < version - 1, true)) e
          ${entryBefore("recent", `journal_id >= ${recently}`)}
          ${entryBefore("old", `recent.version is null and journal_id < ${recently}`)} ${detachedBefore})
      select format('%s version %s', account_id, version),
        case when version_before = version then 'one' when version_before is null then format('version %s before it', version - 1)
          else format('balance %s', balance_before + amount) end,
        case when version_before = version then 'two' when version_before is null then 'none' else format('balance %s', balance_after) end
      from chained where version_before = version or version_before is null or balance_after <> balance_before + amount limit $3::int`,
  },
];

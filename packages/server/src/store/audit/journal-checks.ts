/** What the entries of a slice of journals must say: they balance, and every account's follow one another. */
import { type AuditCheck, entriesOfSlice, lookUp } from "./check.ts";

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
    // Entries form a chain: versions without a gap from 1, balances that add up.
    name: "entryChain",
    pass: "journals",
    text: `with ${entriesOfSlice}
      select format('%s version %s', e.account_id, e.version),
        case when e.version > 1 and before.version is null then format('version %s before it', e.version - 1)
          else format('balance %s', coalesce(before.balance_after, 0) + e.amount) end,
        case when e.version > 1 and before.version is null then 'none' else format('balance %s', e.balance_after) end
      from entries_of_slice e ${lookUp("entries", "before", "account_id = e.account_id and version = e.version - 1")}
      where (e.version > 1 and before.version is null)
        or e.balance_after <> coalesce(before.balance_after, 0) + e.amount
      limit $3::int`,
  },
];

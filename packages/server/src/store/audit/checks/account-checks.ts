/**
 * Checks of an account's row against its last entry, its minimum balance, the holds on it, the open transfers on it.
 */
import { type AuditCheck, lookUp, suspenseOf } from "./check.ts";
import { dailyUseCheck } from "./daily-use-check.ts";
import { accountsBetween, accountsTouched } from "./touched.ts";

/** The rows of the accounts picked, as `a`. */
const from = (picked: string) => `from (with picked as materialized (${picked})
  select found.* from picked cross join lateral (select * from accounts where id = picked.id limit 1) found) a`;

const checksOf = (picked: string) => [
  {
    // The last entry of an account is its version and its balance; with `entryChain`, so are all before it. Only where no
    // entry says so the last one is looked for, in all partitions.
    name: "accountMatchesEntries",
    text: `select a.account_no,
        format('version %s, balance %s', coalesce(last.version, 0), coalesce(last.balance_after, 0)),
        format('version %s, balance %s', a.version, a.balance)
      ${from(picked)} ${lookUp("entries", "same", "account_id = a.id and version = a.version and balance_after = a.balance")}
        left join lateral (select version, balance_after from entries where same.version is null and account_id = a.id
          union all select version, balance_after from detached_balances where same.version is null and account_id = a.id
          order by version desc limit 1) last on true
      where same.version is null and (a.version <> coalesce(last.version, 0) or a.balance <> coalesce(last.balance_after, 0))
      limit $3::int`,
  },
  {
    name: "availableNotBelowMinimum",
    text: `select a.account_no, format('at least %s available', a.minimum_balance), (a.balance - a.held)::text
      ${from(picked)} where a.balance - a.held < a.minimum_balance limit $3::int`,
  },
  {
    // The held amount is the sum of the remainders of its holds.
    name: "heldMatchesHolds",
    text: `select a.account_no, coalesce(open.remaining, 0)::text, a.held::text
      ${from(picked)} left join lateral (
        select sum(remaining) as remaining from holds where payer_account_id = a.id and is_open) open on true
      where a.held <> coalesce(open.remaining, 0) limit $3::int`,
  },
  {
    // The balance that waits for a rail is that of the transfers that wait for it, part by part, no more and no less. A
    // suspense account has the rail in its number; the open transfers of the rails are read once, and only where there
    // is such an account.
    name: "suspenseMatchesTransfers",
    text: `with suspense as materialized (select a.account_no, a.balance ${from(picked)} where a.purpose = 'suspense'),
      open as materialized (select ${suspenseOf("t")} as account_no, sum(t.amount + t.fee) as total from transfers t
        where t.is_open and t.rail = any(array(select split_part(account_no, ':', 2) from suspense)) group by 1)
      select s.account_no, coalesce(o.total, 0)::text, s.balance::text
      from suspense s left join open o on o.account_no = s.account_no
      where s.balance <> coalesce(o.total, 0) limit $3::int`,
  },
  dailyUseCheck(from(picked)),
];

export const accountChecks: readonly AuditCheck[] = [
  ...checksOf(accountsBetween).map((check) => ({ ...check, pass: "accounts" as const })),
  ...checksOf(accountsTouched).map((check) => ({ ...check, pass: "journals" as const, ofTouched: true as const })),
];

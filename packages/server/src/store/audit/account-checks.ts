/** What an account's row must agree with: its last entry, its floor, the holds on it. */
import type { AuditCheck } from "./check.ts";

/** What a rail's suspense account is for: the rail stands in its number. */
const openOnRail = `select sum(travels + fee) as total from transfers
  where is_open and rail = split_part(a.account_no, ':', 2) and currency = a.currency`;

export const accountChecks: readonly AuditCheck[] = [
  {
    // The last entry of an account is its version and its balance; with `entryChain`, so are all before it.
    name: "accountMatchesEntries",
    pass: "accounts",
    text: `select a.account_no,
        format('version %s, balance %s', coalesce(last.version, 0), coalesce(last.balance_after, 0)),
        format('version %s, balance %s', a.version, a.balance)
      from accounts a left join lateral (
        select version, balance_after from entries where account_id = a.id order by version desc limit 1) last on true
      where a.id > $1::uuid and a.id <= $2::uuid
        and (a.version <> coalesce(last.version, 0) or a.balance <> coalesce(last.balance_after, 0))
      limit $3::int`,
  },
  {
    name: "availableNotBelowFloor",
    pass: "accounts",
    text: `select account_no, format('at least %s available', floor), (balance - held)::text
      from accounts where id > $1::uuid and id <= $2::uuid and balance - held < floor limit $3::int`,
  },
  {
    // What holds still hold on it is what is held, no more and no less.
    name: "heldMatchesHolds",
    pass: "accounts",
    text: `select a.account_no, coalesce(open.remaining, 0)::text, a.held::text
      from accounts a left join lateral (
        select sum(remaining) as remaining from holds where payer = a.id and is_open) open on true
      where a.id > $1::uuid and a.id <= $2::uuid and a.held <> coalesce(open.remaining, 0) limit $3::int`,
  },
  {
    // What waits for a rail is what transfers wait for it, no more and no less.
    name: "suspenseMatchesTransfers",
    pass: "accounts",
    text: `select a.account_no, coalesce(open.total, 0)::text, a.balance::text
      from accounts a left join lateral (${openOnRail}) open on true
      where a.id > $1::uuid and a.id <= $2::uuid and a.purpose = 'suspense' and a.balance <> coalesce(open.total, 0)
      limit $3::int`,
  },
];

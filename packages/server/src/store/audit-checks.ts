/**
 * What the audit holds to be always true, one statement each. A statement sees one snapshot, and a flight commits all
 * its rows at once, so none of them can meet half of a flight: whatever it finds is wrong, load or no load.
 *
 * $1 and $2 bound a slice of ids (above $1, up to $2); $3 is the most findings wanted. Each row is a finding:
 * subject, expected, found.
 */
import { movementKinds } from "../ledger/movement.ts";
import type { Statement } from "./session.ts";

export type AuditPass = "accounts" | "journals";

export interface AuditCheck extends Statement {
  readonly pass: AuditPass;
  /** Whether it reads what calls left as JSON text; rows named in $4 are then left out as unreadable. */
  readonly readsFacts?: true;
}

/** Where a partner's external id is looked up: the formula of `engine/keys.ts`. */
const externalKeyOfWrite = `encode(substr(sha256(convert_to(
  concat_ws(E'\\x1f', w.partner::text, 'x', w.external_id), 'UTF8')), 1, 16), 'hex')::uuid`;

export const auditChecks: readonly AuditCheck[] = [
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
    // Nothing of this release holds money.
    name: "heldMatchesHolds",
    pass: "accounts",
    text: `select account_no, '0', held::text
      from accounts where id > $1::uuid and id <= $2::uuid and held <> 0 limit $3::int`,
  },
  {
    name: "journalBalances",
    pass: "journals",
    text: `select e.journal_id::text, '0 ' || a.currency, format('%s %s', sum(e.amount), a.currency)
      from entries e join accounts a on a.id = e.account_id
      where e.journal_id > $1::uuid and e.journal_id <= $2::uuid
      group by e.journal_id, a.currency having sum(e.amount) <> 0 limit $3::int`,
  },
  {
    name: "entryHasAccount",
    pass: "journals",
    text: `select format('%s version %s', e.account_id, e.version), format('an account in %s', e.currency),
        coalesce('one in ' || a.currency, 'none')
      from entries e left join accounts a on a.id = e.account_id
      where e.journal_id > $1::uuid and e.journal_id <= $2::uuid and a.currency is distinct from e.currency
      limit $3::int`,
  },
  {
    // Every entry stands on the one before it: versions without a gap from 1, balances that add up.
    name: "entryChain",
    pass: "journals",
    text: `select format('%s version %s', e.account_id, e.version),
        case when e.version > 1 and before.version is null then format('version %s before it', e.version - 1)
          else format('balance %s', coalesce(before.balance_after, 0) + e.amount) end,
        case when e.version > 1 and before.version is null then 'none' else format('balance %s', e.balance_after) end
      from entries e left join entries before on before.account_id = e.account_id and before.version = e.version - 1
      where e.journal_id > $1::uuid and e.journal_id <= $2::uuid
        and ((e.version > 1 and before.version is null)
          or e.balance_after <> coalesce(before.balance_after, 0) + e.amount)
      limit $3::int`,
  },
  {
    // An accepted transfer has the journal its record tells of, and every journal of a transfer has its record.
    name: "transferHasJournal",
    pass: "journals",
    readsFacts: true,
    text: `with journals as (
        select e.journal_id as id, case
          when count(*) = 2 and min(e.amount) = -max(e.amount) then format('%s %s from %s to %s', max(e.amount),
            max(a.currency), max(a.account_no) filter (where e.amount < 0), max(a.account_no) filter (where e.amount > 0))
          else format('%s entries', count(*)) end as told
        from entries e left join accounts a on a.id = e.account_id
        where e.journal_id > $1::uuid and e.journal_id <= $2::uuid and e.kind = ${movementKinds.transfer}
        group by e.journal_id
      ), records as (
        select w.id, format('%s %s from %s to %s', ltrim(replace(w.facts::json #>> '{request,amount,value}', '.', ''), '0'),
          w.facts::json #>> '{request,amount,currency}', w.facts::json #>> '{request,sourceAccountNo}',
          w.facts::json #>> '{request,beneficiaryAccountNo}') as told
        from writes w where w.id > $1::uuid and w.id <= $2::uuid and w.service = 17 and w.id <> all($4::uuid[])
      )
      select coalesce(r.id, j.id)::text, coalesce(r.told, 'a record'), coalesce(j.told, 'no journal')
      from records r full join journals j on j.id = r.id
      where r.told is distinct from j.told and coalesce(r.id, j.id) <> all($4::uuid[]) limit $3::int`,
  },
  {
    // A record's external id leads to it; one whose window passed gave the id to a newer record.
    name: "externalIdHasRecord",
    pass: "journals",
    text: `select w.id::text, ${externalKeyOfWrite}::text, coalesce(w.external_key::text, 'none')
      from writes w where w.id > $1::uuid and w.id <= $2::uuid and case
        when w.external_key is null then not exists (select from writes n where n.external_key = ${externalKeyOfWrite})
        else w.external_key <> ${externalKeyOfWrite} end
      limit $3::int`,
  },
  {
    name: "refusalHasNoEffect",
    pass: "journals",
    text: `select r.id::text, 'neither record nor journal', 'one of them' from refusals r
      where r.id > $1::uuid and r.id <= $2::uuid and (exists (select from writes w where w.id = r.id) or r.id in (
        select journal_id from entries where journal_id > $1::uuid and journal_id <= $2::uuid))
      limit $3::int`,
  },
];

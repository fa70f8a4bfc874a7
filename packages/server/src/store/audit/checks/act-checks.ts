/**
 * Money that moved without a request or a rail's result was moved by an act, by exactly the entries that it names. An act of
 * an adoption is besides the request that it wrote back.
 */
import { postingKinds } from "../../../ledger/posting.ts";
import { type AuditCheck, inSlice } from "./check.ts";

const { funding, ...others } = postingKinds;
const { submission } = postingKinds;
/** Other checks lead these to a request (`recordHasJournal`) or to the end of a transfer (`transferEndHasJournal`). */
const explained = Object.values(others).join(", ");

/** As `describeEntries` writes it. */
const entry = "format('%s %s %s', e.account_no, e.amount, e.currency)";

/**
 * Number of the account that paid: the payer's, as the request names it, where an adoption debited `restored` in its place.
 * `account`: alias of the debited one; `journal`: its submission's.
 */
export const payerOf = (account: string, journal: string, requested: string) =>
  `case when ${account}.purpose = 'restored'
      and (select kind from acts where journal_id = ${journal} limit 1) = 'adoption' then ${requested}
    else ${account}.account_no end`;

export const actChecks: readonly AuditCheck[] = [
  {
    name: "journalHasOrigin",
    pass: "journals",
    readsSliceRows: true,
    text: `with acts_of_slice as materialized (
        select journal_id as id, kind, format('%s: %s', kind, entries) as moved from acts where ${inSlice("journal_id")}),
      journals as (select e.journal_id as id, format('%s: %s', case
            when bool_and(e.kind = ${funding}) then case min(a.kind) when 'funding' then 'funding' else 'opening' end
            when bool_and(e.kind = ${submission}) then 'adoption' else 'another kind' end,
          string_agg(${entry}, ', ' order by ${entry} collate "C")) as moved
        from entries_of_slice e left join acts_of_slice a on a.id = e.journal_id
        where e.kind not in (${explained}) or a.id is not null group by e.journal_id)
      select coalesce(a.id, j.id)::text, coalesce(a.moved, 'an act'), coalesce(j.moved, 'no journal')
      from acts_of_slice a full join journals j on j.id = a.id where a.moved is distinct from j.moved limit $3::int`,
  },
];

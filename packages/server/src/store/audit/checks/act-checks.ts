/**
 * Money that moved without a request or a rail's result was moved by an act, by exactly the entries that it names. An act of
 * an adoption is besides the request that it wrote back, and one of a resolution or a return besides the transfer's end.
 */
import { postingKinds } from "../../../ledger/posting.ts";
import { type AuditCheck, inSlice, lookUp } from "./check.ts";

const { funding, withdrawal, correction, move, adoption, ...others } = postingKinds;
const { submission, settlement, fee, reversal, return: returned } = postingKinds;
/** Other checks lead these to a request (`recordHasJournal`), to the end of a transfer (`transferEndHasJournal`) or to another cell. */
const explained = Object.values(others).join(", ");

/** Kinds of postings that acts of the same name make. */
const ofActs = { withdrawal, correction, move };

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

/** Results of transfers that operators recorded, by their journals. */
const endsByOperators = `select resolution_journal_id as id, 'resolution' as kind, id as transfer,
      case state when 'rejected' then 'rejected' else 'settled' end as result from transfers
    where ${inSlice("resolution_journal_id")} and resolved_by = 'operator'
  union all select return_journal_id, 'return', id, 'returned' from transfers
    where ${inSlice("return_journal_id")} and returned_by = 'operator'`;

/** Acts of results, each with the transfer and the result that were approved; null: of an earlier release. */
const actsOfEnds = `select a.journal_id as id, a.kind, s.after ->> 'transfer' as transfer, s.after ->> 'resolution' as result
  from acts a ${lookUp("act_steps", "s", "act_id = a.id and step = 'proposed'")}
  where ${inSlice("a.journal_id")} and a.kind in ('resolution', 'return')`;

export const actChecks: readonly AuditCheck[] = [
  {
    name: "journalHasOrigin",
    pass: "journals",
    readsSliceRows: true,
    text: `with acts_of_slice as materialized (
        select journal_id as id, kind, format('%s: %s', kind, entries) as moved from acts where ${inSlice("journal_id")}),
      journals as (select e.journal_id as id, format('%s: %s', case
            when bool_and(e.kind = ${funding}) then case min(a.kind) when 'funding' then 'funding' else 'opening' end
            ${Object.entries(ofActs)
              .map(([name, kind]) => `when bool_and(e.kind = ${kind}) then '${name}'`)
              .join(" ")}
            when bool_and(e.kind in (${submission}, ${adoption})) then 'adoption' when bool_and(e.kind = ${returned}) then 'return'
            when bool_and(e.kind in (${settlement}, ${fee}, ${reversal})) then 'resolution' else 'another kind' end,
          string_agg(${entry}, ', ' order by ${entry} collate "C")) as moved
        from entries_of_slice e left join acts_of_slice a on a.id = e.journal_id
        where e.kind not in (${explained}) or a.id is not null group by e.journal_id)
      select coalesce(a.id, j.id)::text, coalesce(a.moved, 'an act'), coalesce(j.moved, 'no journal')
      from acts_of_slice a full join journals j on j.id = a.id where a.moved is distinct from j.moved limit $3::int`,
  },
  {
    name: "operatorHasAct",
    pass: "journals",
    readsSliceRows: true,
    text: `with ends as (${endsByOperators}), acts_of_ends as (${actsOfEnds})
      select coalesce(x.id, a.id)::text, coalesce('an act: ' || x.kind, 'no act'), coalesce('an act: ' || a.kind, 'no act')
      from ends x full join acts_of_ends a on a.id = x.id where x.kind is distinct from a.kind
      union all
      select x.id::text, concat_ws(' ', x.result, x.transfer), concat_ws(' ', 'approved:', a.result, a.transfer)
      from ends x join acts_of_ends a on a.id = x.id where a.transfer <> x.transfer::text or a.result <> x.result
      limit $3::int`,
  },
];

/** Money that moved without a request or a rail's result was moved by an act, by exactly the entries that it names. */
import { postingKinds } from "../../ledger/posting.ts";
import { type AuditCheck, inSlice } from "./check.ts";

const { funding: _, ...others } = postingKinds;
/** Other checks lead these to a request (`recordHasJournal`) or to the end of a transfer (`transferEndHasJournal`). */
const explained = Object.values(others).join(", ");

/** As `describeEntries` writes it. */
const entry = "format('%s %s %s', e.account_no, e.amount, e.currency)";

export const actChecks: readonly AuditCheck[] = [
  {
    name: "journalHasOrigin",
    pass: "journals",
    readsSliceRows: true,
    text: `with journals as (select e.journal_id as id, string_agg(${entry}, ', ' order by ${entry} collate "C") as entries
        from entries_of_slice e where e.kind not in (${explained}) group by e.journal_id),
      acts_of_slice as (select journal_id as id, entries from acts where ${inSlice("journal_id")})
      select coalesce(a.id, j.id)::text, coalesce(a.entries, 'an act'), coalesce(j.entries, 'no journal')
      from acts_of_slice a full join journals j on j.id = a.id where a.entries is distinct from j.entries limit $3::int`,
  },
];

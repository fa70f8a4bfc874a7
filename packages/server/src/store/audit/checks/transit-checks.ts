/**
 * Checks of what goes to other cells and comes from them, as far as one database can tell: whether both cells agree is compared
 * between them (`admin/audit/compare-transit.ts`).
 */
import { postingKinds } from "../../../ledger/posting.ts";
import type { AuditCheck } from "./check.ts";

const { transfer, transit, sweep, adoption, relocation } = postingKinds;

const hasEntry = (sign: "<" | ">", condition: string) => `bool_or(e.amount ${sign} 0 and ${condition})`;
const ofTransit = (direction: "in" | "out") =>
  `e.account_purpose = 'transit' and e.account_no like 'transit:${direction}:' || e.account_currency || ':%'`;

export const transitChecks: readonly AuditCheck[] = [
  {
    // A payment to another cell is a transfer; one from there is of a kind of its own, and credits a customer, a merchant or unapplied
    // funds. A merchant's money leaves through its account in the cell, on which it comes first where the settlement account is.
    // What a restored cell wrote back was paid by restored funds, or by an account that had moved. What is on one of these leaves from it, and goes to it.
    name: "transitOnItsAccounts",
    pass: "journals",
    readsSliceRows: true,
    text: `with found as (
        select journal_id as id, string_agg(format('%s %s', account_no, amount), ', ' order by amount, account_no) as moved,
          count(*) = 2 and (
            bool_and(e.kind in (${transit}, ${sweep}, ${relocation})) and ${hasEntry("<", ofTransit("in"))}
              and ${hasEntry(">", "e.account_purpose in ('customer', 'merchant', 'unclaimed')")}
            or bool_and(e.kind in (${transfer}, ${relocation})) and ${hasEntry("<", "e.account_purpose = 'customer'")}
              and ${hasEntry(">", ofTransit("out"))})
          or bool_and(e.kind = ${sweep}) and ${hasEntry("<", "e.account_purpose = 'merchant'")} and ${hasEntry(">", ofTransit("out"))}
            and (count(*) = 2 or count(*) = 4 and count(*) filter (where e.account_purpose = 'merchant') = 2
              and ${hasEntry("<", "e.account_purpose = 'customer'")})
          or bool_and(e.kind = ${adoption} and (e.amount < 0 and e.account_purpose in ('restored', 'customer') or e.amount > 0 and ${ofTransit("out")})) as is_right
        from entries_of_slice e
        where journal_id in (select journal_id from entries_of_slice
          where kind in (${transit}, ${sweep}, ${adoption}, ${relocation}) or account_purpose = 'transit' or account_no like 'transit:%')
        group by journal_id)
      select id::text, 'a payment to another cell, or from one', coalesce(moved, 'none') from found
      where is_right is not true limit $3::int`,
  },
];

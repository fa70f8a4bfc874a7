/** What the holds of a slice must agree with: their lines, their accounts, and the algebra of decision D10. */
import { holdLineKinds } from "../../ledger/hold.ts";
import { type AuditCheck, lookUp } from "./check.ts";
import { holdsBetween, holdsTouched } from "./touched.ts";

const { capture, void: released, expiry, refund } = holdLineKinds;
const told = (of: string) =>
  `format('captured %s, voided %s, expired %s, refunded %s in %s lines', ${["captured", "voided", "expired", "refunded", "lines"].map((name) => `coalesce(${of}.${name}, 0)`).join(", ")})`;
const sumOf = (kind: number) => `sum(amount) filter (where kind = ${kind})`;

/** The rows of the holds picked, as `h`; then their lines, as `l`. */
const from = (picked: string) => `from (with picked as materialized (${picked})
  select found.* from picked cross join lateral (select * from holds where id = picked.id limit 1) found) h`;
const fromLines = (picked: string) => `from (with picked as materialized (${picked})
  select found.* from picked cross join lateral (select * from hold_lines where hold = picked.id order by line offset 0) found) l`;

const checksOf = (picked: string) => [
  {
    name: "holdAlgebra",
    text: `select id::text, format('%s held', held),
        format('%s captured, %s voided, %s expired, %s remaining, %s refunded, %s', captured, voided, expired, remaining,
          refunded, case when is_open then 'open' else 'closed' end)
      ${from(picked)} where captured + voided + expired + remaining <> held or remaining < 0
        or refunded > captured or is_open <> (remaining > 0) limit $3::int`,
  },
  {
    // Every sum is that of its lines, and lines have no gap.
    name: "holdMatchesLines",
    text: `select h.id::text, ${told("l")}, ${told("h")}
      ${from(picked)} left join lateral (
        select ${sumOf(capture)} as captured, ${sumOf(released)} as voided, ${sumOf(expiry)} as expired,
          ${sumOf(refund)} as refunded, case when count(*) = coalesce(max(line), 0) then count(*) else -1 end as lines
        from hold_lines where hold = h.id) l on true
      where ${told("l")} <> ${told("h")} limit $3::int`,
  },
  {
    // What was given back of a capture is what refunds took from it, and never more than it.
    name: "captureMatchesRefunds",
    text: `with lines as materialized (select l.* ${fromLines(picked)})
      select format('%s line %s', hold, line), sum(taken)::text, sum(given)::text
      from (
        select hold, line, 0 as taken, refunded as given from lines where kind = ${capture}
        union all
        select hold, capture, amount, 0 from lines where kind = ${refund}) both_sides
      group by hold, line having sum(taken) <> sum(given) limit $3::int`,
  },
  {
    name: "holdHasAccounts",
    text: `select h.id::text, format('two accounts in %s', h.currency),
        format('%s and %s', coalesce(p.currency, 'none'), coalesce(s.currency, 'none'))
      ${from(picked)} ${lookUp("accounts", "p", "id = h.payer")} ${lookUp("accounts", "s", "id = h.settlement")}
      where p.currency is distinct from h.currency or s.currency is distinct from h.currency
      limit $3::int`,
  },
  {
    // Expiry alone is nobody's call.
    name: "lineHasRecord",
    text: `select format('%s line %s', l.hold, l.line),
        case l.kind when ${capture} then 'a capture' when ${refund} then 'a refund' else 'a void or last capture' end,
        case when w.id is null then 'no record' else format('a record of service %s', w.service) end
      ${fromLines(picked)} ${lookUp("writes", "w", "id = l.command")}
      where l.kind <> ${expiry} and not coalesce(w.service = case l.kind
        when ${capture} then 65 when ${refund} then 69 else case w.service when 65 then 65 else 67 end end, false)
      limit $3::int`,
  },
  {
    name: "lineHasHold",
    text: `select distinct l.hold::text, 'a hold', 'none' ${fromLines(picked)} ${lookUp("holds", "h", "id = l.hold")}
      where h.id is null limit $3::int`,
  },
];

export const holdChecks: readonly AuditCheck[] = [
  ...checksOf(holdsBetween).map((check) => ({ ...check, pass: "holds" as const })),
  ...checksOf(holdsTouched).map((check) => ({ ...check, pass: "journals" as const, ofTouched: true as const })),
];

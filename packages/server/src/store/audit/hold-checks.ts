/** What the holds of a slice must agree with: their lines, their accounts, and the algebra of decision D10. */
import { holdLineKinds } from "../../ledger/hold.ts";
import type { AuditCheck } from "./check.ts";

const { capture, void: released, expiry, refund } = holdLineKinds;
const inSlice = (id: string) => `${id} > $1::uuid and ${id} <= $2::uuid`;
const told = (of: string) =>
  `format('captured %s, voided %s, expired %s, refunded %s in %s lines', ${["captured", "voided", "expired", "refunded", "lines"].map((name) => `coalesce(${of}.${name}, 0)`).join(", ")})`;
const sumOf = (kind: number) => `sum(amount) filter (where kind = ${kind})`;

export const holdChecks: readonly AuditCheck[] = [
  {
    name: "holdAlgebra",
    pass: "holds",
    text: `select id::text, format('%s held', held),
        format('%s captured, %s voided, %s expired, %s remaining, %s refunded, %s', captured, voided, expired, remaining,
          refunded, case when is_open then 'open' else 'closed' end)
      from holds where ${inSlice("id")} and (captured + voided + expired + remaining <> held or remaining < 0
        or refunded > captured or is_open <> (remaining > 0)) limit $3::int`,
  },
  {
    // Every sum is that of its lines, and lines have no gap.
    name: "holdMatchesLines",
    pass: "holds",
    text: `select h.id::text, ${told("l")}, ${told("h")}
      from holds h left join lateral (
        select ${sumOf(capture)} as captured, ${sumOf(released)} as voided, ${sumOf(expiry)} as expired,
          ${sumOf(refund)} as refunded, case when count(*) = coalesce(max(line), 0) then count(*) else -1 end as lines
        from hold_lines where hold = h.id) l on true
      where ${inSlice("h.id")} and ${told("l")} <> ${told("h")} limit $3::int`,
  },
  {
    // What was given back of a capture is what refunds took from it, and never more than it.
    name: "captureMatchesRefunds",
    pass: "holds",
    text: `select format('%s line %s', hold, line), sum(taken)::text, sum(given)::text
      from (
        select hold, line, 0 as taken, refunded as given from hold_lines where ${inSlice("hold")} and kind = ${capture}
        union all
        select hold, capture, amount, 0 from hold_lines where ${inSlice("hold")} and kind = ${refund}) both_sides
      group by hold, line having sum(taken) <> sum(given) limit $3::int`,
  },
  {
    name: "holdHasAccounts",
    pass: "holds",
    text: `select h.id::text, format('two accounts in %s', h.currency),
        format('%s and %s', coalesce(p.currency, 'none'), coalesce(s.currency, 'none'))
      from holds h left join accounts p on p.id = h.payer left join accounts s on s.id = h.settlement
      where ${inSlice("h.id")} and (p.currency is distinct from h.currency or s.currency is distinct from h.currency)
      limit $3::int`,
  },
  {
    // Expiry alone is nobody's call.
    name: "lineHasRecord",
    pass: "holds",
    text: `select format('%s line %s', l.hold, l.line),
        case l.kind when ${capture} then 'a capture' when ${refund} then 'a refund' else 'a void or last capture' end,
        case when w.id is null then 'no record' else format('a record of service %s', w.service) end
      from hold_lines l left join writes w on w.id = l.command
      where ${inSlice("l.hold")} and l.kind <> ${expiry} and not coalesce(w.service = case l.kind
        when ${capture} then 65 when ${refund} then 69 else case w.service when 65 then 65 else 67 end end, false)
      limit $3::int`,
  },
  {
    name: "lineHasHold",
    pass: "holds",
    text: `select distinct l.hold::text, 'a hold', 'none' from hold_lines l
      where ${inSlice("l.hold")} and not exists (select from holds h where h.id = l.hold) limit $3::int`,
  },
];

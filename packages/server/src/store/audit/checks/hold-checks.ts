/** Checks of a slice's holds against their events, their accounts, and the algebra of spec D10. */
import { holdEventKinds } from "../../../ledger/holds/hold.ts";
import { holdColumns } from "../../tables/holds.ts";
import { type AuditCheck, lookUp } from "./check.ts";
import { detachedUntil, hasDetachedEvents } from "../detached.ts";
import { holdsBetween, holdsTouched } from "./touched.ts";

const { capture, void: released, expiry, refund } = holdEventKinds;
const recorded = (of: string) =>
  `format('captured %s, voided %s, expired %s, refunded %s in %s events', ${["captured", "voided", "expired", "refunded", "event_count"].map((name) => `coalesce(${of}.${name}, 0)`).join(", ")})`;
const sumOf = (kind: number) => `sum(amount) filter (where kind = ${kind})`;

const columns = [...Object.keys(holdColumns.at), "remaining", "is_open"].join(", ");

/** The rows of the holds picked, as `h`, each with whether it has moved; then their events, as `e`. */
const from = (picked: string) => `from (with picked as materialized (${picked})
  select found.* from picked cross join lateral (
    select ${columns}, false as is_moved from holds where id = picked.id
    union all select ${columns}, true from closed_holds where id = picked.id) found) h`;
const fromEvents = (picked: string) => `from (with picked as materialized (${picked})
  select found.* from picked cross join lateral (select * from hold_events where hold_id = picked.id order by sequence offset 0) found) e`;

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
    // Every sum is that of its events, and their sequence has no gap.
    name: "holdMatchesEvents",
    text: `select h.id::text, ${recorded("e")}, ${recorded("h")}
      ${from(picked)} left join lateral (
        select ${sumOf(capture)} as captured, ${sumOf(released)} as voided, ${sumOf(expiry)} as expired,
          ${sumOf(refund)} as refunded, case when count(*) = coalesce(max(sequence), 0) then count(*) else -1 end as event_count
        from hold_events where hold_id = h.id) e on true
      where ${recorded("e")} <> ${recorded("h")} and not ${hasDetachedEvents("h.id")} limit $3::int`,
  },
  {
    // A hold that has moved is not in its old table any more.
    name: "holdIsInOneTable",
    text: `select h.id::text, 'holds or closed_holds', 'both' ${from(picked)} ${lookUp("holds", "o", "id = h.id")}
      where h.is_moved and o.id is not null limit $3::int`,
  },
  {
    // The refunded sum of a capture is the sum of its refunds, and at most its amount.
    name: "captureMatchesRefunds",
    text: `with events as materialized (select e.* ${fromEvents(picked)})
      select format('%s event %s', hold_id, sequence), sum(taken)::text, sum(given)::text
      from (
        select hold_id, sequence, 0 as taken, refunded as given from events where kind = ${capture}
        union all
        select hold_id, capture_sequence, amount, 0 from events where kind = ${refund}) both_sides
      group by hold_id, sequence having sum(taken) <> sum(given) limit $3::int`,
  },
  {
    name: "holdHasAccounts",
    text: `select h.id::text, format('two accounts in %s', h.currency),
        format('%s and %s', coalesce(p.currency, 'none'), coalesce(s.currency, 'none'))
      ${from(picked)} ${lookUp("accounts", "p", "id = h.payer_account_id")} ${lookUp("accounts", "s", "id = h.settlement_account_id")}
      where p.currency is distinct from h.currency or s.currency is distinct from h.currency
      limit $3::int`,
  },
  {
    // An expiry has no request.
    name: "eventHasRecord",
    text: `select format('%s event %s', e.hold_id, e.sequence),
        case e.kind when ${capture} then 'a capture' when ${refund} then 'a refund' else 'a void or last capture' end,
        case when r.id is null then 'no record' else format('a record of service %s', r.service) end
      ${fromEvents(picked)} ${lookUp("accepted_requests", "r", "id = e.command_id")}
      where e.kind <> ${expiry} and e.command_id >= coalesce(${detachedUntil}, e.command_id) and not coalesce(r.service = case e.kind
        when ${capture} then 65 when ${refund} then 69 else case r.service when 65 then 65 else 67 end end, false)
      limit $3::int`,
  },
  {
    name: "eventHasHold",
    text: `select distinct e.hold_id::text, 'a hold', 'none' ${fromEvents(picked)} ${lookUp("holds", "h", "id = e.hold_id")}
        ${lookUp("closed_holds", "c", "id = e.hold_id")}
      where h.id is null and c.id is null limit $3::int`,
  },
];

export const holdChecks: readonly AuditCheck[] = [
  ...checksOf(holdsBetween).map((check) => ({ ...check, pass: "holds" as const })),
  ...checksOf(holdsTouched).map((check) => ({ ...check, pass: "journals" as const, ofTouched: true as const })),
];

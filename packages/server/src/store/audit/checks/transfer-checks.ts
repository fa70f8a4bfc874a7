/** Transfers over rails must agree with their records, the journals of their results, and their notifications. */
import { postingKinds } from "../../../ledger/posting.ts";
import { type AuditCheck, inSlice, lookUp, suspenseOf } from "./check.ts";
import { payerOf } from "./act-checks.ts";
import { isBulk, minorOf, payloadField } from "./record-checks.ts";

const { settlement, fee, reversal, return: returned } = postingKinds;
const recordedOf = (sums: readonly [string, string, string, string]) =>
  `format('settled %s, fee %s, reversed %s, returned %s', ${sums.join(", ")})`;
const credited = (kind: number) => `coalesce(sum(e.amount) filter (where e.kind = ${kind} and e.amount > 0), 0)`;

const journalsOfEnds = `select e.journal_id as id,
    ${recordedOf([credited(settlement), credited(fee), credited(reversal), credited(returned)])} as recorded
  from entries_of_slice e
  where e.kind in (${settlement}, ${fee}, ${reversal}, ${returned})
  group by e.journal_id`;

/** Transfers that were settled together name one journal: it has their sums, and no more. */
const ends = `select resolution_journal_id as id, ${recordedOf([
  "coalesce(sum(amount) filter (where state <> 'rejected'), 0)",
  "coalesce(sum(fee) filter (where state <> 'rejected'), 0)",
  "coalesce(sum(amount + fee) filter (where state = 'rejected'), 0)",
  "0",
])} as recorded
  from transfers where ${inSlice("resolution_journal_id")} group by resolution_journal_id
  union all
  select return_journal_id, ${recordedOf(["0", "0", "0", "amount"])} from transfers where ${inSlice("return_journal_id")}`;

const accountsOfEnds = ["resolution_journal_id", "return_journal_id"]
  .map(
    (journal) => `select t.${journal} as id, t.source_account_id as payer, 'unclaimed:' || t.currency as unapplied,
      ${suspenseOf("t")} as suspense, 'clearing:' || t.rail || ':' || t.currency as clearing,
      'fee:' || t.rail || ':' || t.currency as fee
    from transfers t where ${inSlice(`t.${journal}`)}`,
  )
  .join(" union all ");
/** Where an entry of an end belongs; what goes back to the payer may be unapplied funds. */
const accountOfEnd = `case when e.amount < 0 then case e.kind when ${returned} then x.clearing else x.suspense end
  when e.kind = ${settlement} then x.clearing when e.kind = ${fee} then x.fee
  when e.account_id = x.payer then e.account_no else x.unapplied end`;

/** Transfers that were accepted, ended or returned by the journals of the slice, or that have notifications. */
const touched = `select id from transfers where ${inSlice("id")}
  union select id from transfers where ${inSlice("resolution_journal_id")}
  union select id from transfers where ${inSlice("return_journal_id")}
  union select aggregate_id from outbox where ${inSlice("id")}`;
const transfersTouched = `touched as materialized (${touched}),
  transfers_touched as materialized (select t.* from touched cross join lateral (
    select * from transfers where id = touched.id limit 1) t)`;

const expectedNotifications = `select id, partner, case service when 22 then 76 else 75 end as service, status
  from transfers_touched cross join lateral unnest(case state
    when 'settled' then array['00'] when 'rejected' then array['06'] when 'returned' then array['00', '04']
    else array[]::text[] end) recorded (status)
  where service in (22, 23)`;

/**
 * The requested amount as transfer `t` shows it, by fee type: it is sent, or debited, or between the two where the fee is
 * shared.
 */
export const requestedOf = (
  amount: string,
  feeType: string,
) => `case when t.daily_limit_amount <> ${amount} then t.daily_limit_amount
  when coalesce(${feeType}, 'OUR') = 'OUR' then t.amount when ${feeType} = 'BEN' then t.amount + t.fee
  else least(greatest(${amount}, t.amount), t.amount + t.fee) end`;

const terms = (...[amount, currency, account, sent, debited]: readonly string[]) =>
  `format('%s %s from %s, %s sent of %s debited', ${amount}, ${currency}, ${account}, ${sent}, ${debited})`;
const requestedAmount = minorOf(payloadField("request", "amount", "value"));
// The record of an item has what was requested, and nothing of what follows from it.
const requested = terms(
  requestedAmount,
  payloadField("request", "amount", "currency"),
  payloadField("request", "sourceAccountNo"),
  `coalesce(${minorOf(payloadField("sentAmount", "value"))}, t.amount)`,
  `coalesce(${minorOf(payloadField("amount", "value"))}, t.amount + t.fee)`,
);
const kept = terms(
  requestedOf(requestedAmount, payloadField("request", "feeType")),
  "t.currency",
  payerOf("a", "coalesce(t.bulk_id, t.id)", payloadField("request", "sourceAccountNo")),
  "t.amount",
  "t.amount + t.fee",
);

export const transferChecks: readonly AuditCheck[] = [
  {
    name: "transferEndHasJournal",
    pass: "journals",
    readsSliceRows: true,
    text: `with journals as (${journalsOfEnds}), ends as (${ends})
      select coalesce(x.id, j.id)::text, coalesce(x.recorded, 'no end'), coalesce(j.recorded, 'no journal')
      from ends x full join journals j on j.id = x.id where x.recorded is distinct from j.recorded limit $3::int`,
  },
  {
    name: "transferEndOnItsAccounts",
    pass: "journals",
    readsSliceRows: true,
    text: `with ends as (${accountsOfEnds})
      select distinct e.journal_id::text, ${accountOfEnd}, coalesce(e.account_no, 'no account')
      from entries_of_slice e join ends x on x.id = e.journal_id
      where e.kind in (${settlement}, ${fee}, ${reversal}, ${returned}) and e.account_no is distinct from ${accountOfEnd}
      limit $3::int`,
  },
  {
    name: "transferHasRecord",
    pass: "journals",
    readsSliceRows: true,
    text: `with records as (select r.id, r.partner, r.service from records_of_slice r
        where r.service in (18, 19, 20, 22, 23) and r.payload is not null and not ${isBulk}),
      kept as (select id, partner, service from transfers where ${inSlice("id")} and id <> all($4::uuid[]))
      select coalesce(r.id, t.id)::text, case when r.id is null then 'a record' else format('service %s', r.service) end,
        case when t.id is null then 'no transfer' else format('service %s', t.service) end
      from records r full join kept t on t.id = r.id
      where (r.service is distinct from t.service or r.partner is distinct from t.partner)
        and not (r.service = 19 and t.id is null) limit $3::int`,
  },
  {
    // Payment requests are checked by `paymentRequestHasTransfer`.
    name: "transferFollowsRequest",
    pass: "journals",
    readsSliceRows: true,
    text: `select r.id::text, ${requested}, ${kept}
      from records_of_slice r cross join lateral (select * from transfers where id = r.id limit 1) t
        ${lookUp("accounts", "a", "id = t.source_account_id")}
      where r.service in (18, 20, 22, 23) and r.payload is not null and ${requested} is distinct from ${kept} limit $3::int`,
  },
  {
    name: "transferHasResolver",
    pass: "journals",
    text: `with ${transfersTouched} select id::text, case when awaited then 'resolved by nobody'
          when state = 'returned' then 'resolved and returned by somebody' else 'resolved by somebody' end,
        format('resolved by %s, returned by %s', coalesce(resolved_by, 'nobody'), coalesce(returned_by, 'nobody'))
      from (select *, state in ('queued', 'submitted', 'pending') as awaited from transfers_touched) t
      where awaited is distinct from (resolved_by is null) or resolved_by not in ('rail', 'operator')
        or (state = 'returned') is distinct from (returned_by is not null)
        or returned_by not in ('rail', 'operator') limit $3::int`,
  },
  {
    // Spec D14: a notification for every final result of 22 and 23, and for a return.
    name: "resultIsNotified",
    pass: "journals",
    text: `with ${transfersTouched}, expected as (${expectedNotifications}),
      recorded as (select o.* from touched cross join lateral (
        select aggregate_id, partner, service, status from outbox where aggregate_id = touched.id offset 0) o
        where o.service in (75, 76))
      select coalesce(w.id, o.aggregate_id)::text, case when w.id is null then 'nothing' else format('%s by %s', w.status, w.service) end,
        case when o.aggregate_id is null then 'nothing' else format('%s by %s', o.status, o.service) end
      from expected w full join recorded o on o.aggregate_id = w.id and o.status = w.status
      where w.service is distinct from o.service or w.partner is distinct from o.partner limit $3::int`,
  },
];

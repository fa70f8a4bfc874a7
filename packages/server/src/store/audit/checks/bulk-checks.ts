/** Checks of bulks (20) against their records, their items, the results of these, and notification 21. */
import { bulkRail } from "../../../ledger/bulks/bulk.ts";
import { type AuditCheck, inSlice, lookUp } from "./check.ts";
import { payerOf } from "./act-checks.ts";
import { isBulk, minorOf, payloadField } from "./record-checks.ts";
import { bulksBetween, bulksTouched } from "./touched.ts";

const debited = minorOf(payloadField("amount", "value"));
const feeType = `coalesce(${payloadField("request", "feeType")}, 'OUR')`;
const terms = (count: string, account: string, currency: string, amount: string) =>
  `format('%s items from %s, %s %s', ${count}, ${account}, ${amount}, ${currency})`;
const recorded = terms(
  payloadField("itemCount"),
  payloadField("request", "sourceAccountNo"),
  payloadField("amount", "currency"),
  debited,
);
/** Debit of a bulk, by fee type: between the two where the fee is shared. */
const kept = terms(
  "b.item_count",
  payerOf("a", "b.id", payloadField("request", "sourceAccountNo")),
  "b.currency",
  `case ${feeType} when 'OUR' then b.amount + b.fee when 'BEN' then b.amount
    else least(greatest(${debited}, b.amount), b.amount + b.fee) end`,
);

const sums = (...values: readonly string[]) =>
  `format('%s items up to position %s, amounts %s, fees %s, debited %s', ${values.map((one) => `coalesce(${one}, 0)`).join(", ")})`;
const expectedSums = sums("b.item_count", "b.item_count - 1", "b.amount", "b.fee", debited);
const foundSums = sums("i.count", "i.last", "i.amount", "i.fee", "i.debited");

const membership = (...values: readonly string[]) =>
  `format('service %s over %s, %s from %s by %s, request %s', ${values.join(", ")})`;
/** A missing record has a check of its own. */
const requestHash = (record: string, other: string) => `coalesce(${record}.body_hash, ${other}.body_hash)`;
const ofItsBulk = membership(
  "20",
  `'${bulkRail}'`,
  "b.currency",
  "b.source_account_id",
  "b.partner",
  requestHash("rb", "r"),
);
const ofItem = membership(
  "t.service",
  "t.rail",
  "t.currency",
  "t.source_account_id",
  "t.partner",
  requestHash("r", "rb"),
);

const counts = (...values: readonly string[]) =>
  `format('%s settled, %s returned, %s rejected of %s with fees of %s, %s', ${values.join(", ")})`;
const countsOfItems = counts(
  "i.settled",
  "i.returned",
  "i.rejected",
  "coalesce(i.rejected_amount, 0)",
  "coalesce(i.rejected_fee, 0)",
  "case when i.open > 0 then 'open' else 'ended' end",
);
const countsOfBulk = counts(
  "b.settled_count",
  "b.returned_count",
  "b.rejected_count",
  "b.rejected_amount",
  "b.rejected_fee",
  "case when b.is_open <> (b.ended_at is null) then 'open and ended' when b.is_open then 'open' else 'ended' end",
);

/** The bulks picked, as `b`. */
const from = (picked: string) => `from (with picked as materialized (${picked})
  select found.* from picked cross join lateral (select * from bulks where id = picked.id limit 1) found) b`;

const progressChecksOf = (picked: string) => [
  {
    name: "bulkCountsItems",
    text: `select b.id::text, ${countsOfItems}, ${countsOfBulk}
      ${from(picked)} cross join lateral (select count(*) filter (where is_open) as open,
          count(*) filter (where state in ('settled', 'returned')) as settled,
          count(*) filter (where state = 'returned') as returned, count(*) filter (where state = 'rejected') as rejected,
          sum(daily_limit_amount) filter (where state = 'rejected') as rejected_amount,
          sum(fee) filter (where state = 'rejected') as rejected_fee
        from transfers where bulk_id = b.id) i
      where ${countsOfItems} <> ${countsOfBulk} limit $3::int`,
  },
  {
    // With its last result, and of the status of that moment: what was returned since does not change it.
    name: "bulkEndIsNotified",
    text: `select b.id::text, x.expected, o.sent
      ${from(picked)} cross join lateral (select case when b.is_open then 'nothing'
          when b.settled_count = 0 then '06 by 21' else '00 by 21' end as expected offset 0) x
        cross join lateral (select coalesce(string_agg(format('%s by %s', status, service)
            || case when partner <> b.partner then ' to another partner' else '' end, ', ' order by status), 'nothing') as sent
          from outbox where aggregate_id = b.id) o
      where o.sent <> x.expected limit $3::int`,
  },
];

export const bulkChecks: readonly AuditCheck[] = [
  {
    name: "bulkHasRecord",
    pass: "journals",
    readsSliceRows: true,
    text: `with records as materialized (select * from records_of_slice r where ${isBulk}),
      kept as materialized (select * from bulks b where ${inSlice("b.id")} and b.id <> all($4::uuid[]))
      select coalesce(r.id, b.id)::text, case when r.id is null then 'a record' else ${recorded} end,
        case when b.id is null then 'no bulk' else ${kept} end
      from records r full join kept b on b.id = r.id and b.partner = r.partner
        ${lookUp("accounts", "a", "id = b.source_account_id")}
      where r.id is null or b.id is null or ${recorded} is distinct from ${kept} limit $3::int`,
  },
  {
    // Positions are unique, so as many as there should be, up to the last, are all of them.
    name: "bulkHasItems",
    pass: "journals",
    readsSliceRows: true,
    text: `with kept as materialized (select * from bulks where ${inSlice("id")} and id <> all($4::uuid[]))
      select b.id::text, ${expectedSums}, ${foundSums}
      from kept b join records_of_slice r on r.id = b.id
        cross join lateral (select count(*) as count, max(bulk_position) as last, sum(daily_limit_amount) as amount,
            sum(fee) as fee, sum(amount + fee) as debited
          from transfers where bulk_id = b.id and bulk_position >= 0) i
      where ${expectedSums} <> ${foundSums} limit $3::int`,
  },
  {
    name: "itemHasBulk",
    pass: "journals",
    text: `with items as materialized (select * from transfers where ${inSlice("id")} and (bulk_id is not null or service = 20))
      select t.id::text, case when b.id is null then 'a bulk' else ${ofItsBulk} end, ${ofItem}
      from items t ${lookUp("accepted_requests", "r", "id = t.id")} ${lookUp("bulks", "b", "id = t.bulk_id")}
        ${lookUp("accepted_requests", "rb", "id = t.bulk_id")}
      where b.id is null or ${ofItsBulk} <> ${ofItem} limit $3::int`,
  },
  {
    name: "notificationHasBulk",
    pass: "journals",
    text: `select o.id::text, 'a bulk', 'none' from outbox o ${lookUp("bulks", "b", "id = o.aggregate_id")}
      where ${inSlice("o.id")} and o.service = 21 and b.id is null limit $3::int`,
  },
  ...progressChecksOf(bulksBetween).map((check) => ({ ...check, pass: "journals" as const })),
  ...progressChecksOf(bulksTouched).map((check) => ({ ...check, pass: "journals" as const, ofTouched: true as const })),
];

/** Checks of a slice's accepted requests against journals, holds, keys, rejected requests. */
import { holdEventKinds } from "../../../ledger/holds/hold.ts";
import { postingKinds } from "../../../ledger/posting.ts";
import { releasedUntil } from "../../tables/requests/old-external-ids.ts";
import { type AuditCheck, inSlice, lookUp, suspenseOf, transitOutOf } from "./check.ts";
import { hasDetachedEvents } from "../detached.ts";

/**
 * The formula of `engine/batch/idempotency-keys.ts`, as bytes; `bit` is the first one, and `number` ends the hashed text.
 * Null where there is no number.
 */
const keyOf = (bit: 0 | 1, before: string, number: string) => {
  const hashOf = (end: string, bytes: number) => `substr(sha256(convert_to(${before} || ${end}, 'UTF8')), 1, ${bytes})`;
  return `set_bit(${hashOf(`left(${number}, -3)`, 4)} || ${hashOf(number, 12)}, 7, ${bit})`;
};
const asKey = (bytes: string) => `coalesce((encode(${bytes}, 'hex')::uuid)::text, 'a key of nothing')`;
const externalKeyOfWrite = keyOf(0, "r.partner || E'\\x1fx\\x1f'", "r.external_id");

const { transfer, capture, refund, submission } = postingKinds;
/** Field of a row of `records_of_slice`, as `r`. */
export const payloadField = (...path: readonly string[]) => `r.payload #>> '{${path.join()}}'`;
/** Minor units of a decimal text with its currency's decimals. */
export const minorOf = (text: string) => `replace(${text}, '.', '')::bigint`;

/** A record of a bulk, not of one of its items. */
export const isBulk = `(r.service = 20 and ${payloadField("itemCount")} is not null)`;

const requested = (field: string) => payloadField("request", field);
/** By service: the partner's own number, and the hold's reference where it is a number of one hold. */
const numbers = `case r.service
  when 65 then array[${requested("partnerCaptureNo")}, ${requested("originalReferenceNo")}]
  when 67 then array[${requested("partnerVoidNo")}, ${requested("originalReferenceNo")}]
  when 69 then array[${requested("partnerRefundNo")}, ${requested("originalPartnerReferenceNo")}]
  when 20 then case when ${isBulk} then array[${requested("partnerBulkId")}, 'bulk']
    else array[${requested("partnerReferenceNo")}] end
  else array[${requested("partnerReferenceNo")}] end`;
const numberKeyOfWrite = keyOf(
  1,
  "r.partner || E'\\x1fn\\x1f' || r.service || E'\\x1f' || coalesce(n.number[2] || E'\\x1f', '')",
  "n.number[1]",
);

const journalsOfSlice = `select e.journal_id as id, case
    when count(*) = 2 and min(e.amount) = -max(e.amount) then format('%s of %s %s from %s to %s',
      case max(e.kind) when ${transfer} then 'transfer' when ${capture} then 'capture' when ${refund} then 'refund'
        else 'submission' end,
      max(e.amount), max(e.account_currency), max(e.account_no) filter (where e.amount < 0),
      max(e.account_no) filter (where e.amount > 0))
    else format('%s entries', count(*)) end as recorded
  from entries_of_slice e
  where e.kind in (${transfer}, ${capture}, ${refund}, ${submission})
  group by e.journal_id`;

/** The payload of a record begins with the beneficiary's cell, where that is another one. Read as text: it may be no JSON. */
const cellOf = (payload: string) => `substring(${payload} from '^..cell.:([0-9]+)')`;

/**
 * An approved payment request moves money in a journal of its own, later than its record. It credits the beneficiary, or what goes
 * to its cell, or the rail's suspense account.
 */
const approvalsOfSlice = `select p.approval_journal_id, format('%s of %s %s from %s to %s',
    case when p.beneficiary_account_id is null then 'submission' else 'transfer' end, coalesce(t.amount + t.fee, p.approved_amount),
    p.currency, a.account_no,
    coalesce(b.account_no, ${transitOutOf("p.currency", cellOf("q.payload"))}, ${suspenseOf("t")}, 'no account'))
  from payment_requests p ${lookUp("transfers", "t", "id = p.id")} ${lookUp("accounts", "a", "id = p.payer_account_id")}
    ${lookUp("accounts", "b", "id = p.beneficiary_account_id")}
    ${lookUp("accepted_requests", "q", "p.beneficiary_account_id is not null and b.id is null and id = p.id")}
  where ${inSlice("p.approval_journal_id")}`;

const currencyOfRecord = `coalesce(${payloadField("amount", "currency")}, ${payloadField("request", "amount", "currency")})`;
/** The beneficiary of a transfer (17) that is in another cell has its credit there: here what goes to the cell is credited. */
const outOfRecord = `case when r.service = 17 then ${transitOutOf(currencyOfRecord, payloadField("cell"))} end`;

const recordsOfSlice = `select r.id, format('%s of %s %s from %s to %s',
    case r.service when 17 then 'transfer' when 65 then 'capture' when 69 then 'refund' else 'submission' end,
    ${minorOf(`coalesce(${payloadField("amount", "value")}, ${payloadField("request", "amount", "value")})`)},
    ${currencyOfRecord},
    coalesce(${payloadField("from")}, ${payloadField("request", "sourceAccountNo")}),
    coalesce(${outOfRecord}, ${payloadField("to")}, ${payloadField("request", "beneficiaryAccountNo")})) as recorded
  from records_of_slice r where r.service in (17, 18, 20, 22, 23, 65, 69) and r.payload is not null
    and (r.service <> 20 or ${isBulk})
  union all ${approvalsOfSlice}`;

const ofRecord = "id = r.id and partner = r.partner and partner_reference_key = r.partner_reference_key";

const recordsOfHolds = `select r.id, ${minorOf(payloadField("amount", "value"))} as amount
  from records_of_slice r where r.service in (65, 67, 69) and r.payload is not null
    and not ${hasDetachedEvents(`(${payloadField("hold")})::uuid`)}`;

export const recordChecks: readonly AuditCheck[] = [
  {
    // The journals of requests have the recorded postings, and no others.
    name: "recordHasJournal",
    pass: "journals",
    readsSliceRows: true,
    text: `with journals as (${journalsOfSlice}), records as (${recordsOfSlice})
      select coalesce(r.id, j.id)::text, coalesce(r.recorded, 'a record'), coalesce(j.recorded, 'no journal')
      from records r full join journals j on j.id = r.id
      where r.recorded is distinct from j.recorded and coalesce(r.id, j.id) <> all($4::uuid[]) limit $3::int`,
  },
  {
    name: "paymentHasHold",
    pass: "journals",
    readsSliceRows: true,
    text: `select r.id::text, format('%s %s for %s', ${minorOf(payloadField("amount", "value"))}, ${payloadField("amount", "currency")},
          ${payloadField("request", "merchantId")}),
        case when h.merchant_id is null then 'no hold' else format('%s %s for %s', h.held, h.currency, h.merchant_id) end
      from records_of_slice r ${lookUp("holds", "o", ofRecord)} ${lookUp("closed_holds", "c", ofRecord)}
        cross join lateral (select coalesce(o.held, c.held), coalesce(o.currency, c.currency),
          coalesce(o.merchant_id, c.merchant_id)) h (held, currency, merchant_id)
      where r.service = 63 and r.payload is not null
        and format('%s %s for %s', h.held, h.currency, h.merchant_id) is distinct from
          format('%s %s for %s', ${minorOf(payloadField("amount", "value"))}, ${payloadField("amount", "currency")},
            ${payloadField("request", "merchantId")})
      limit $3::int`,
  },
  {
    // The events of a capture, void or refund add up to its amount; what a last capture releases is an event of its own.
    name: "recordHasEvents",
    pass: "journals",
    readsSliceRows: true,
    text: `with recorded as (${recordsOfHolds}),
      events as materialized (select * from hold_events where ${inSlice("command_id")} and kind <> ${holdEventKinds.expiry}),
      found as (
        select e.command_id as id, e.amount from events e
          ${lookUp("hold_events", "before", "hold_id = e.hold_id and sequence = e.sequence - 1")}
        where not (e.kind = ${holdEventKinds.void} and before.command_id is not distinct from e.command_id
          and before.kind = ${holdEventKinds.capture}))
      select id::text, sum(recorded)::text, sum(found)::text
      from (select id, amount as recorded, 0 as found from recorded union all select id, null, amount from found) both_sides
      group by id having sum(recorded) <> sum(found) limit $3::int`,
  },
  {
    // A record's external id leads to it, or its window has passed: a newer record has the id, or it was given up.
    name: "externalIdHasRecord",
    pass: "journals",
    readsSliceRows: true,
    text: `select r.id::text, format('%s to it', ${asKey(externalKeyOfWrite)}), format('%s to %s', r.external_id_key, coalesce(k.request_id::text, 'none'))
      from records_of_slice r ${lookUp("request_keys", "k", "key = r.external_id_key")}
      where r.external_id_key is not null
        and (uuid_send(r.external_id_key) <> ${externalKeyOfWrite} or k.request_id < r.id
          or (k.request_id is null and r.id > coalesce(${releasedUntil}, $1::uuid)))
      limit $3::int`,
  },
  {
    // A partner's number leads to its record for ever. A bulk without a number is known by its items.
    name: "numberHasRecord",
    pass: "journals",
    readsSliceRows: true,
    text: `select r.id::text, format('%s to it', ${asKey(numberKeyOfWrite)}), format('%s to %s', r.partner_reference_key, coalesce(k.request_id::text, 'none'))
      from records_of_slice r ${lookUp("request_keys", "k", "key = r.partner_reference_key")}
        cross join lateral (select ${numbers} as number offset 0) n
      where r.payload is not null and (k.request_id is distinct from r.id
        or (not (${isBulk} and n.number[1] is null) and uuid_send(r.partner_reference_key) is distinct from ${numberKeyOfWrite}))
      limit $3::int`,
  },
  {
    name: "rejectionHasNoEffect",
    pass: "journals",
    readsSliceRows: true,
    text: `select x.id::text, 'neither record nor journal', 'one of them' from rejected_requests x ${lookUp("accepted_requests", "r", "id = x.id")}
      where ${inSlice("x.id")} and (r.id is not null or x.id in (select journal_id from entries_of_slice))
      limit $3::int`,
  },
];

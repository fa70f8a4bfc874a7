/** What a slice of records, of what partners were told, must agree with: journals, holds, keys, refusals. */
import { holdLineKinds } from "../../ledger/hold.ts";
import { movementKinds } from "../../ledger/movement.ts";
import { type AuditCheck, entriesOfSlice, inSlice, lookUp } from "./check.ts";

/** The formula of `engine/keys.ts`: where a repeat of the write is looked up. */
const keyOf = (...parts: readonly string[]) => `encode(substr(sha256(convert_to(
  concat_ws(E'\\x1f', w.partner::text, ${parts.join(", ")}), 'UTF8')), 1, 16), 'hex')::uuid`;
const externalKeyOfWrite = keyOf("'x'", "w.external_id");

const { transfer, capture, refund, submission } = movementKinds;
const fact = (...path: readonly string[]) => `w.facts::json #>> '{${path.join()}}'`;
/** Minor units of a decimal text with its currency's decimals. */
const minorOf = (text: string) => `replace(${text}, '.', '')::bigint`;

const requested = (field: string) => fact("request", field);
/** By service: the partner's own number, and the hold's reference where it is a number of one hold. */
const numbers = `case w.service
  when 65 then array[${requested("partnerCaptureNo")}, ${requested("originalReferenceNo")}]
  when 67 then array[${requested("partnerVoidNo")}, ${requested("originalReferenceNo")}]
  when 69 then array[${requested("partnerRefundNo")}, ${requested("originalPartnerReferenceNo")}]
  else array[${requested("partnerReferenceNo")}] end`;
const numberKeyOfWrite = keyOf("'n'", "w.service::text", "n.number[2]", "n.number[1]");

const journalsOfSlice = `select e.journal_id as id, case
    when count(*) = 2 and min(e.amount) = -max(e.amount) then format('%s of %s %s from %s to %s',
      case max(e.kind) when ${transfer} then 'transfer' when ${capture} then 'capture' when ${refund} then 'refund'
        else 'submission' end,
      max(e.amount), max(a.currency), max(a.account_no) filter (where e.amount < 0),
      max(a.account_no) filter (where e.amount > 0))
    else format('%s entries', count(*)) end as told
  from entries_of_slice e ${lookUp("accounts", "a", "id = e.account_id")}
  where e.kind in (${transfer}, ${capture}, ${refund}, ${submission})
  group by e.journal_id`;

const recordsOfSlice = `select w.id, format('%s of %s %s from %s to %s',
    case w.service when 17 then 'transfer' when 65 then 'capture' when 69 then 'refund' else 'submission' end,
    ${minorOf(`coalesce(${fact("amount", "value")}, ${fact("request", "amount", "value")})`)},
    coalesce(${fact("amount", "currency")}, ${fact("request", "amount", "currency")}),
    coalesce(${fact("from")}, ${fact("request", "sourceAccountNo")}),
    coalesce(${fact("to")}, ${fact("request", "beneficiaryAccountNo")})) as told
  from writes w where ${inSlice("w.id")} and w.service in (17, 18, 22, 23, 65, 69) and w.id <> all($4::uuid[])`;

const recordsOfHolds = `select w.id, ${minorOf(fact("amount", "value"))} as amount
  from writes w where ${inSlice("w.id")} and w.service in (65, 67, 69) and w.id <> all($4::uuid[])`;

export const recordChecks: readonly AuditCheck[] = [
  {
    // What was told to have moved has moved so, and nothing has that was not told.
    name: "recordHasJournal",
    pass: "journals",
    readsFacts: true,
    text: `with ${entriesOfSlice}, journals as (${journalsOfSlice}), records as (${recordsOfSlice})
      select coalesce(r.id, j.id)::text, coalesce(r.told, 'a record'), coalesce(j.told, 'no journal')
      from records r full join journals j on j.id = r.id
      where r.told is distinct from j.told and coalesce(r.id, j.id) <> all($4::uuid[]) limit $3::int`,
  },
  {
    name: "paymentHasHold",
    pass: "journals",
    readsFacts: true,
    text: `select w.id::text, format('%s %s for %s', ${minorOf(fact("amount", "value"))}, ${fact("amount", "currency")},
          ${fact("request", "merchantId")}),
        case when h.id is null then 'no hold' else format('%s %s for %s', h.held, h.currency, h.merchant_id) end
      from writes w ${lookUp("holds", "h", "id = w.id and partner = w.partner and number_key = w.number_key")}
      where ${inSlice("w.id")} and w.service = 63 and w.id <> all($4::uuid[])
        and format('%s %s for %s', h.held, h.currency, h.merchant_id) is distinct from
          format('%s %s for %s', ${minorOf(fact("amount", "value"))}, ${fact("amount", "currency")},
            ${fact("request", "merchantId")})
      limit $3::int`,
  },
  {
    // The lines a capture, void or refund left add up to what it was told; what a last capture releases is its own line.
    name: "recordHasLines",
    pass: "journals",
    readsFacts: true,
    text: `with told as (${recordsOfHolds}),
      lines as materialized (select * from hold_lines where ${inSlice("command")} and kind <> ${holdLineKinds.expiry}),
      found as (
        select l.command as id, l.amount from lines l
          ${lookUp("hold_lines", "before", "hold = l.hold and line = l.line - 1")}
        where not (l.kind = ${holdLineKinds.void} and before.command is not distinct from l.command
          and before.kind = ${holdLineKinds.capture}))
      select id::text, sum(told)::text, sum(found)::text
      from (select id, amount as told, 0 as found from told union all select id, null, amount from found) both_sides
      group by id having sum(told) <> sum(found) limit $3::int`,
  },
  {
    // A record's external id leads to it, or its window has passed and a newer record has the id.
    name: "externalIdHasRecord",
    pass: "journals",
    text: `select w.id::text, ${externalKeyOfWrite}::text, coalesce(w.external_key::text, 'none')
      from writes w ${lookUp("writes", "n", `external_key = ${externalKeyOfWrite}`)}
      where ${inSlice("w.id")} and case
        when w.external_key is null then n.id is null
        else w.external_key <> ${externalKeyOfWrite} end
      limit $3::int`,
  },
  {
    // A partner's number leads to its record for ever; one that a release before freed leads nowhere, and its key is the id.
    name: "numberHasRecord",
    pass: "journals",
    readsFacts: true,
    text: `select w.id::text, ${numberKeyOfWrite}::text, w.number_key::text
      from writes w cross join lateral (select ${numbers} as number offset 0) n
      where ${inSlice("w.id")} and w.id <> all($4::uuid[])
        and w.number_key not in (${numberKeyOfWrite}, w.id)
      limit $3::int`,
  },
  {
    name: "refusalHasNoEffect",
    pass: "journals",
    text: `with ${entriesOfSlice}
      select r.id::text, 'neither record nor journal', 'one of them' from refusals r ${lookUp("writes", "w", "id = r.id")}
      where ${inSlice("r.id")} and (w.id is not null or r.id in (select journal_id from entries_of_slice))
      limit $3::int`,
  },
];

/** Checks of payment requests against their records, and the transfers of those approved over a rail. */
import { type AuditCheck, inSlice, lookUp } from "./check.ts";
import { minorOf, payloadField } from "./record-checks.ts";
import { requestedOf } from "./transfer-checks.ts";

const terms = (amount: string, currency: string, payer: string, beneficiary: string, feeType: string) =>
  `format('%s %s of %s to %s, fee %s', coalesce(${amount}::text, 'an open amount in'), ${currency}, ${payer}, ${beneficiary},
    coalesce(${feeType}, 'OUR'))`;
const requestedBeneficiary = payloadField("request", "beneficiaryAccountNo");
const requested = terms(
  minorOf(payloadField("request", "amount", "value")),
  payloadField("currency"),
  payloadField("request", "sourceAccountNo"),
  requestedBeneficiary,
  payloadField("request", "feeType"),
);
// Its row has the beneficiary's account only if it is ours: an approval credits that one, whatever the record says.
const keptBeneficiary = `case when p.beneficiary_account_id is null then coalesce(${requestedBeneficiary}, 'another bank')
  else coalesce(b.account_no, case when ${payloadField("cell")} is not null then ${requestedBeneficiary} end, 'no account') end`;
const kept = terms("p.requested_amount", "p.currency", "a.account_no", keptBeneficiary, "p.fee_type");

/** Accepted, or approved by the journals of the slice. */
const touched = `select id from payment_requests where ${inSlice("id")}
  union select id from payment_requests where ${inSlice("approval_journal_id")}`;
const transferOf = (amount: string, currency: string, payer: string) =>
  `format('a transfer of %s %s from %s', ${amount}, ${currency}, ${payer})`;

export const paymentRequestChecks: readonly AuditCheck[] = [
  {
    name: "paymentRequestHasRecord",
    pass: "journals",
    readsSliceRows: true,
    text: `with records as materialized (select * from records_of_slice r
        where r.service = 19 and r.payload is not null),
      kept as materialized (select * from payment_requests p where ${inSlice("p.id")} and p.id <> all($4::uuid[]))
      select coalesce(r.id, p.id)::text, case when r.id is null then 'a record' else ${requested} end,
        case when p.id is null then 'no payment request' else ${kept} end
      from records r full join kept p on p.id = r.id and p.partner = r.partner
        ${lookUp("accounts", "a", "id = p.payer_account_id")} ${lookUp("accounts", "b", "id = p.beneficiary_account_id")}
      where r.id is null or p.id is null or ${requested} is distinct from ${kept} limit $3::int`,
  },
  {
    // Approved over a rail, it is a transfer of the same id; within the bank, waiting or declined, it is none.
    name: "paymentRequestHasTransfer",
    pass: "journals",
    text: `with touched as materialized (${touched})
      select p.id::text, x.expected, x.found from touched
        cross join lateral (select * from payment_requests where id = touched.id limit 1) p
        ${lookUp("transfers", "t", "id = p.id")}
        cross join lateral (select
          case when p.state = 'approved' and p.beneficiary_account_id is null
            then ${transferOf("p.approved_amount", "p.currency", "p.payer_account_id")} else 'no transfer' end as expected,
          case when t.id is null then 'no transfer'
            else ${transferOf(requestedOf("p.approved_amount", "p.fee_type"), "t.currency", "t.source_account_id")} end as found offset 0) x
      where x.expected <> x.found limit $3::int`,
  },
];

/** The bodies of the calls; `id` is the partner's number. */
import { formatTimestamp } from "@titian/contract";
import { toReferenceNo } from "../../packages/server/src/basics/ids.ts";
import type { Hold } from "../../packages/server/src/ledger/holds/hold.ts";
import type { Sides } from "../transfers/pick-accounts.ts";

const amount = { value: "1.00", currency: "IDR" };

export function intrabankBody(id: string, { from, to }: Sides): object {
  return {
    partnerReferenceNo: id,
    amount,
    beneficiaryAccountNo: to,
    customerReference: "INV 10052031",
    feeType: "OUR",
    remark: "Invoice 10052031",
    sourceAccountNo: from,
    transactionDate: formatTimestamp(Date.now()),
  };
}

/** To an account of another bank, whatever its number; the payer pays the fee. */
export function interbankBody(id: string, { from, to }: Sides): object {
  return {
    partnerReferenceNo: id,
    amount,
    beneficiaryAccountName: "Siti Rahayu",
    beneficiaryAccountNo: to,
    beneficiaryBankCode: "014",
    customerReference: "INV 10052031",
    feeType: "OUR",
    remark: "Invoice 10052031",
    sourceAccountNo: from,
    transactionDate: formatTimestamp(Date.now()),
  };
}

export function captureBody(id: string, { id: hold, partnerReferenceNo, merchantId }: Hold): object {
  return {
    originalReferenceNo: toReferenceNo(hold),
    originalPartnerReferenceNo: partnerReferenceNo,
    merchantId,
    partnerCaptureNo: id,
    title: "Invoice 10052031",
    captureAmount: amount,
  };
}

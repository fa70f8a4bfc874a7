/** The bodies of the calls; `id` is the partner's number. */
import { formatTimestamp } from "@titian/contract";
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
export function interbankBody(id: string, sides: Sides): object {
  return { ...intrabankBody(id, sides), beneficiaryAccountName: "Siti Rahayu", beneficiaryBankCode: "014" };
}

/** A hold as captures name it. */
export interface HeldFor {
  readonly originalReferenceNo: string;
  readonly originalPartnerReferenceNo: string;
  readonly merchantId: string;
}

interface HoldTerms {
  /** Account number. */
  readonly payer: string;
  readonly merchantId: string;
  /** Number of captures, of one rupiah each, that it is enough for. */
  readonly captures: number;
}

export function authPaymentBody(id: string, { payer, merchantId, captures }: HoldTerms): object {
  return {
    partnerReferenceNo: id,
    merchantId,
    title: "Deposit 10052031",
    amount: { value: `${captures}.00`, currency: "IDR" },
    additionalInfo: { sourceAccountNo: payer },
  };
}

export function captureBody(id: string, hold: HeldFor): object {
  return { ...hold, partnerCaptureNo: id, title: "Invoice 10052031", captureAmount: amount };
}

/** Transfers over a rail (18, 22, 23, approved 19, items of 20) as answers. */
import { array, boolean, choice, integer, object, optional, type Static, string } from "@titian/contract";
import {
  amount,
  type Found,
  postingView,
  time,
  type TransferDetails,
  type TransferSummary,
} from "@titian/server/admin";
import { accountView } from "../accounts/account-view.ts";
import { openAct } from "../acts/act-view.ts";
import { beneficiaryMembers, flatten } from "./beneficiary.ts";

/** Inquiries to the rail about the result of an open transfer. */
export const inquiryMembers = {
  inquiryCount: integer(),
  nextInquiryAt: optional(time({ description: "absent: it has its result, or waits for its turn in its bulk" })),
};

export const rejectionMembers = {
  kind: string({ description: "such as insufficientFunds" }),
  responseCode: string({ description: "as it was or would be answered" }),
  responseMessage: string(),
};
export const rejectionView = object(rejectionMembers);

const summary = {
  referenceNo: string(),
  rail: string(),
  serviceCode: string(),
  payerAccountNo: string({ personal: "account" }),
  ...beneficiaryMembers,
  currency: string(),
  amount: amount({ description: "what the beneficiary gets" }),
  fee: amount(),
  state: string(),
  bulk: optional(object({ bulkId: string(), position: integer() }, { description: "of an item of a bulk" })),
  acceptedAt: time(),
  ...inquiryMembers,
};
export const openTransferView = object(summary);
export type OpenTransferView = Static<typeof openTransferView>;

const result = object({
  by: optional(string({ description: "rail or operator; absent: not recorded" })),
  referenceNo: string({ description: "of its journal" }),
});

export const transferDetailsView = object({
  ...summary,
  partnerId: string(),
  partnerReferenceNo: string(),
  externalId: string(),
  traceNo: optional(string({ description: "of the rail" })),
  payer: optional(accountView),
  beneficiaryBankName: optional(string({ description: "absent: an unknown bank" })),
  status: string({ description: "latestTransactionStatus" }),
  meaning: string({ description: "of the state, as a sentence" }),
  debited: amount({ description: "of the payer: amount and fee" }),
  currentAccountNo: optional(string({ description: "holds the amount now", personal: "account" })),
  clearingAccountNo: string({ description: "is credited when the rail settles it" }),
  resolution: optional(result),
  isResolvedSynchronously: boolean({ description: "within its call, without a 202 response" }),
  return: optional(result),
  rejection: optional(rejectionView),
  possibleDecisions: array(choice(["settled", "rejected", "returned"]), { description: "an operator may record now" }),
  openAct,
  postings: array(postingView, { description: "oldest first" }),
});
export type TransferDetailsView = Static<typeof transferDetailsView>;

export function showOpenTransfer<Transfer extends TransferSummary>({ beneficiary, service, ...transfer }: Transfer) {
  return { ...transfer, ...flatten(beneficiary), serviceCode: String(service), amount: transfer.sentAmount };
}

export function showTransfer(found: TransferDetails): Found<Omit<TransferDetailsView, "openAct">> {
  return { ...found, ...showOpenTransfer(found), debited: found.sentAmount + found.fee };
}

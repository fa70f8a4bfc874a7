/** What became of a transfer: 36 and 53 look in the same records, and answer alike (decision D15). */
import {
  type CaseName,
  type RequestOf,
  responseCode,
  type TransactionStatusCode,
  transactionStatuses,
} from "@titian/contract";
import type { Call, Handler, Reply } from "../call.ts";
import { externalKey, numberKey } from "../engine/keys.ts";
import { fromReferenceNo, toReferenceNo } from "../ids.ts";
import { firstResult } from "../ledger/transfer-result.ts";
import type { RailTransfer } from "../ledger/rail-transfer.ts";
import { transferStates } from "../ledger/transfer-states.ts";
import type { Reads } from "../store/reads/reads.ts";
import type { WantedWrite } from "../store/reads/writes.ts";
import { parseFacts, type TransferFacts } from "./facts.ts";
import { withDecimals } from "./money-text.ts";
import { caseOfRefusal } from "./refusal-cases.ts";

type Inquiry = RequestOf<"statusInquiryBank">;

export function inquireStatus({ reads }: { readonly reads: Reads }): Handler {
  return async (call) => {
    // 53 says four more things, which nothing is looked up by.
    const inquiry = call.request as Inquiry;
    const wanted = wantedBy(call, inquiry);
    if (!wanted) return notFound;
    const accepted = await reads.findAcceptedWrite(wanted);
    if (accepted) {
      const { status, told } = await whatBecame(accepted, reads);
      const { request } = parseFacts<TransferFacts>(accepted.facts);
      const referenceNo = toReferenceNo(accepted.id);
      return found(inquiry.serviceCode, request, status, responseCode(told, inquiry.serviceCode), {
        referenceNumber: referenceNo,
        originalReferenceNo: referenceNo,
        originalExternalId: accepted.externalId,
      });
    }
    const refused = await reads.findNewestRefusal(wanted);
    if (!refused) return notFound;
    const { request } = parseFacts<TransferFacts>(refused.facts);
    const code = responseCode(caseOfRefusal(refused.kind), inquiry.serviceCode);
    // Mandatory in the answer, and a refused transfer has none.
    return found(inquiry.serviceCode, request, "06", code, { referenceNumber: "" });
  };
}

interface Became {
  readonly status: TransactionStatusCode;
  /** The case its call was answered with. */
  readonly told: CaseName;
}

/** A transfer within the bank was final at once; one that left it has a row of its own. */
async function whatBecame(
  { id, service }: { readonly id: string; readonly service: number },
  reads: Reads,
): Promise<Became> {
  const transfer = service === 17 ? undefined : await reads.findTransfer(id);
  if (!transfer) return { status: "00", told: "success" };
  return { status: transferStates[transfer.state].status, told: service === 18 ? caseOf(transfer) : "success" };
}

/** 18 is answered by its rail's result, if that comes within the call. */
function caseOf(transfer: RailTransfer): CaseName {
  const first = firstResult(transfer);
  switch (first.kind) {
    case "settled":
      return "success";
    case "refused":
      return caseOfRefusal(first.refusal);
    case "open":
      return "requestInProgress";
  }
}

const notFound: Reply = {
  case: "transactionNotFound",
  fields: statusFields("07"),
};

/** Undefined when a reference cannot be one of ours. */
function wantedBy(call: Call, inquiry: Inquiry): WantedWrite | undefined {
  const { originalPartnerReferenceNo, originalReferenceNo, originalExternalId, serviceCode } = inquiry;
  const partner = call.partner.key;
  const id = originalReferenceNo === undefined ? undefined : fromReferenceNo(originalReferenceNo);
  if (originalReferenceNo !== undefined && id === undefined) return undefined;
  return {
    partner,
    service: Number(serviceCode),
    id,
    externalKey: originalExternalId === undefined ? undefined : externalKey(partner, originalExternalId),
    numberKey:
      originalPartnerReferenceNo === undefined
        ? undefined
        : numberKey(partner, serviceCode, originalPartnerReferenceNo),
  };
}

/** All values are the record's; what the inquiry said of them is not repeated. */
function found(
  serviceCode: string,
  transfer: TransferFacts["request"],
  status: TransactionStatusCode,
  previousResponseCode: string,
  references: Readonly<Record<string, string>>,
): Reply {
  return {
    case: "success",
    fields: {
      ...references,
      originalPartnerReferenceNo: transfer.partnerReferenceNo,
      serviceCode,
      transactionDate: transfer.transactionDate,
      // A refused request is kept as it was sent; answers carry the currency's decimals.
      amount: withDecimals(transfer.amount),
      beneficiaryAccountNo: transfer.beneficiaryAccountNo,
      beneficiaryBankCode: transfer.beneficiaryBankCode,
      sourceAccountNo: transfer.sourceAccountNo,
      previousResponseCode,
      ...statusFields(status),
    },
  };
}

function statusFields(status: TransactionStatusCode): Readonly<Record<string, string>> {
  return { latestTransactionStatus: status, transactionStatusDesc: transactionStatuses[status].description };
}

/** Status inquiries of a transfer, for banks (36) and others (53): both read the same records and answer alike (spec D15). */
import { type RequestOf, responseCode, type TransactionStatusCode, transactionStatuses } from "@titian/contract";
import type { Call, Handler, Reply } from "../../call.ts";
import { externalIdKey, partnerReferenceKey } from "../../engine/batch/idempotency-keys.ts";
import { fromReferenceNo, toReferenceNo } from "../../ids.ts";
import { type Minor, zero } from "../../ledger/money.ts";
import { firstResult } from "../../ledger/transfers/first-result.ts";
import type { RailTransfer } from "../../ledger/transfers/transfer.ts";
import { transferStates } from "../../ledger/transfers/states.ts";
import type { Reads } from "../../store/reads/reads.ts";
import type { RequestReferences } from "../../store/reads/accepted-requests.ts";
import { parseFacts, type TransferFacts } from "../stored-facts.ts";
import { withDecimals, writeMoney } from "../money.ts";
import { rejectionOf } from "../rejection-cases.ts";

type Inquiry = RequestOf<"statusInquiryBank">;

export function handleStatusInquiry({ reads }: { readonly reads: Reads }): Handler {
  return async (call) => {
    // 53 has four more fields, which are not looked up.
    const inquiry = call.request as Inquiry;
    const { serviceCode } = inquiry;
    const references = referencesIn(call, inquiry);
    if (!references) return notFound;
    const accepted = await reads.findAcceptedRequest(references);
    if (accepted) {
      const { request } = parseFacts<TransferFacts>(accepted.facts);
      const referenceNo = toReferenceNo(accepted.id);
      return found(serviceCode, request, await statusOf(accepted, serviceCode, reads), {
        referenceNumber: referenceNo,
        originalReferenceNo: referenceNo,
        originalExternalId: accepted.externalId,
      });
    }
    const rejected = await reads.findRejectedRequest(references);
    if (!rejected) return notFound;
    const { kind, field, facts } = rejected;
    const rejection = rejectionOf({ kind, field }, serviceCode);
    const became: StatusResult = { status: "06", previous: rejection.responseCode, fee: zero, rejection };
    // Mandatory in the answer, and a rejected transfer has none.
    return found(serviceCode, parseFacts<TransferFacts>(facts).request, became, { referenceNumber: "" });
  };
}

interface StatusResult {
  readonly status: TransactionStatusCode;
  /** The response code its call was answered with. */
  readonly previous: string;
  /** The fee, unless it was returned. */
  readonly fee: Minor;
  /** Of a rejected transfer: the code and message of the rejection. */
  readonly rejection?: ReturnType<typeof rejectionOf>;
}

/** An intrabank transfer is final at once; a transfer over a rail has a row of its own. */
async function statusOf(
  { id, service }: { readonly id: string; readonly service: number },
  serviceCode: string,
  reads: Reads,
): Promise<StatusResult> {
  const success = responseCode("success", serviceCode);
  const transfer = service === 17 ? undefined : await reads.findTransfer(id);
  if (!transfer) return { status: "00", previous: success, fee: zero };
  const { state, rejection } = transfer;
  const isRejected = state === "rejected";
  return {
    status: transferStates[state].status,
    previous: service === 18 ? firstCode(transfer, serviceCode) : success,
    fee: isRejected ? zero : transfer.fee,
    ...(isRejected && { rejection: rejectionOf({ kind: rejection ?? "rejectedByRail" }, serviceCode) }),
  };
}

/** The first response to an interbank transfer (18) has the rail's result, if that came within the call. */
function firstCode(transfer: RailTransfer, serviceCode: string): string {
  const first = firstResult(transfer);
  if (first.kind === "rejected") return rejectionOf({ kind: first.rejection }, serviceCode).responseCode;
  return responseCode(first.kind === "settled" ? "success" : "requestInProgress", serviceCode);
}

const notFound: Reply = {
  case: "transactionNotFound",
  fields: statusFields("07"),
};

/** Undefined when a reference cannot be one of ours. */
function referencesIn(call: Call, inquiry: Inquiry): RequestReferences | undefined {
  const { originalPartnerReferenceNo, originalReferenceNo, originalExternalId, serviceCode } = inquiry;
  const partner = call.partner.key;
  const id = originalReferenceNo === undefined ? undefined : fromReferenceNo(originalReferenceNo);
  if (originalReferenceNo !== undefined && id === undefined) return undefined;
  return {
    partner,
    service: Number(serviceCode),
    id,
    externalIdKey: originalExternalId === undefined ? undefined : externalIdKey(partner, originalExternalId),
    partnerReferenceKey:
      originalPartnerReferenceNo === undefined
        ? undefined
        : partnerReferenceKey(partner, serviceCode, originalPartnerReferenceNo),
  };
}

/** All values are from the record, none from the inquiry. */
function found(
  serviceCode: string,
  transfer: TransferFacts["request"],
  { status, previous, fee, rejection }: StatusResult,
  references: Readonly<Record<string, string>>,
): Reply {
  const { currency } = transfer.amount;
  return {
    case: "success",
    fields: {
      ...references,
      originalPartnerReferenceNo: transfer.partnerReferenceNo,
      serviceCode,
      transactionDate: transfer.transactionDate,
      // A rejected request is kept as it was sent; answers carry the currency's decimals.
      amount: withDecimals(transfer.amount),
      beneficiaryAccountNo: transfer.beneficiaryAccountNo,
      beneficiaryBankCode: transfer.beneficiaryBankCode,
      sourceAccountNo: transfer.sourceAccountNo,
      previousResponseCode: previous,
      ...statusFields(status),
      ...(rejection && { transactionStatusDesc: describeRejection(rejection) }),
      additionalInfo: { fee: writeMoney({ amount: fee, currency }).value, rejection },
    },
  };
}

/** As much of code and message as the field holds (the standard's 50 characters). */
function describeRejection({ responseCode: code, responseMessage }: NonNullable<StatusResult["rejection"]>): string {
  return `${code} ${responseMessage}`.slice(0, 50);
}

function statusFields(status: TransactionStatusCode): Readonly<Record<string, string>> {
  return { latestTransactionStatus: status, transactionStatusDesc: transactionStatuses[status].description };
}

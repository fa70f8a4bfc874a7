/** What `titian transfer show --partner` prints. */
import { formatTimestamp } from "@titian/contract";
import type { AcceptedTransferRequest, RejectedTransferRequest, TransferOfPartner } from "@titian/server/admin";
import { CliError } from "../cli-error.ts";
import { formatPaymentRequest } from "../payment-requests/payment-request-tables.ts";
import { formatPostings } from "../tables/postings.ts";
import { formatTransfer } from "./transfer-tables.ts";

/** @throws CliError when the partner or number is unknown, or the number has more than one transfer. */
export function formatTransferOfPartner(found: TransferOfPartner, partnerId: string, number: string): string {
  switch (found.kind) {
    case "rail":
      return formatTransfer(found.transfer);
    case "intrabank": {
      const { referenceNo, settledAt, postings, currency } = found.transfer;
      const heading = `Transfer ${referenceNo}, intrabank: settled ${formatTimestamp(settledAt)}, within the call.`;
      return `${heading}\n\n${formatPostings(postings, currency)}`;
    }
    case "paymentRequest":
      return formatPaymentRequest(found.paymentRequest);
    case "rejected":
      return formatRejections(number, found.rejections);
    case "bulk":
      throw new CliError(isBulkMessage(number, found.bulkId));
    case "several":
      throw new CliError(describeSeveral(partnerId, number, found.requests));
    case "unknownNumber":
      throw new CliError(
        `No transfer of ${partnerId} has the partnerReferenceNo or the X-EXTERNAL-ID ${number}: it was never received, or rejected before processing (a signature, a token, an invalid field).`,
      );
    case "unknownPartner":
      throw new CliError(`There is no partner ${partnerId}: titian partner list.`);
  }
}

/** Of a number that names no transfer. */
export function isBulkMessage(number: string, bulkId: string): string {
  return `${number} is a bulk transfer (20), whose items are transfers: titian bulk show ${bulkId}`;
}

function describeSeveral(partnerId: string, number: string, requests: readonly AcceptedTransferRequest[]): string {
  const list = requests.map(
    ({ referenceNo, service, acceptedAt }) =>
      `  ${referenceNo}  service ${service}, accepted ${formatTimestamp(acceptedAt)}`,
  );
  return `${partnerId} has several transfers with the number ${number}. Show one by its referenceNo:\n${list.join("\n")}`;
}

export function formatRejections(number: string, rejections: readonly RejectedTransferRequest[]): string {
  const lines = rejections.map(
    ({ service, kind, responseMessage, rejectedAt }) =>
      `  service ${service}, ${formatTimestamp(rejectedAt)}: ${kind} (${responseMessage})`,
  );
  return [`${number} was rejected; no money moved. A new request with the same number may succeed.`, ...lines].join(
    "\n",
  );
}

/** Bodies of notifications 21, 75 and 76, from the records (spec D13, D14). */
import { isObject, responseCode, responseMessage } from "@titian/contract";
import { toReferenceNo } from "../../ids.ts";
import type { Notification, WriteNotification } from "../../notifications.ts";
import type { Reads } from "../../store/reads/reads.ts";
import type { BulkFacts } from "../bulks/bulk-facts.ts";
import { unpackFreeForm } from "../free-form.ts";
import { withDecimals } from "../money.ts";
import { rejectionOf } from "../rejection-cases.ts";
import { parseFacts } from "../stored-facts.ts";
import type { RailFacts } from "../transfers/rail-transfer.ts";

type Fields = Readonly<Record<string, unknown>>;
type AcceptedRequest = NonNullable<Awaited<ReturnType<Reads["findAcceptedRequest"]>>>;

export interface NotificationRecords extends Pick<Reads, "findTransfer" | "listItemResults"> {
  /** The request of a transfer or bulk, by its id. */
  findRequest(id: string): Promise<AcceptedRequest | undefined>;
}

/** Service code of what a notification is about. */
const services: Readonly<Record<number, number>> = { 21: 20, 75: 23, 76: 22 };

export function createNotificationWriter(reads: NotificationRecords): WriteNotification {
  return async (notification) => {
    const { resource, partner, service } = notification;
    const record = await reads.findRequest(resource);
    if (record?.partner !== partner || record.service !== services[service]) {
      throw new Error(`the record of notification ${notification.id} is missing`);
    }
    const fields = service === 21 ? await bulkResults(record, reads) : await settlement(notification, record, reads);
    return Buffer.from(JSON.stringify(fields));
  };
}

/** 21: an item that was returned since has settled all the same. */
async function bulkResults({ id, facts }: AcceptedRequest, reads: NotificationRecords): Promise<Fields> {
  const bulkId = toReferenceNo(id);
  const { partnerBulkId = bulkId } = parseFacts<BulkFacts>(facts).request;
  const settled = { responseCode: responseCode("success", "20"), responseMessage: responseMessage("success") };
  const results = await reads.listItemResults(id);
  return {
    bulkId,
    partnerBulkId,
    bulkObject: results.map(({ partnerReferenceNo, rejection }) => ({
      partnerReferenceNo,
      ...(rejection === undefined ? settled : rejectionOf({ kind: rejection }, "20")),
    })),
  };
}

/** 75 and 76. */
async function settlement(
  { status }: Notification,
  record: AcceptedRequest,
  reads: NotificationRecords,
): Promise<Fields> {
  const { id, service, externalId, facts } = record;
  const { request } = parseFacts<RailFacts>(facts);
  const transfer = status === "06" ? await reads.findTransfer(id) : undefined;
  const rejection = transfer && rejectionOf({ kind: transfer.rejection ?? "rejectedByRail" }, String(service));
  const additionalInfo = { ...readAdditionalInfo(record), ...(rejection && { rejection }) };
  return {
    originalPartnerReferenceNo: request.partnerReferenceNo,
    originalReferenceNo: toReferenceNo(id),
    originalExternalId: externalId,
    latestTransactionStatus: status,
    beneficiaryAccountName: request.beneficiaryAccountName,
    beneficiaryAccountNo: request.beneficiaryAccountNo,
    beneficiaryBankCode: request.beneficiaryBankCode,
    sourceAccountNo: request.sourceAccountNo,
    transactionDate: request.transactionDate,
    amount: withDecimals(request.amount),
    ...(Object.keys(additionalInfo).length > 0 && { additionalInfo }),
  };
}

/** That of the request, parsed and so written anew; what is no object is left out. */
function readAdditionalInfo({ freeForm }: AcceptedRequest): Fields {
  const received = unpackFreeForm(freeForm, "additionalInfo");
  const value: unknown = received && JSON.parse(received.toString("utf8"));
  return isObject(value) ? value : {};
}

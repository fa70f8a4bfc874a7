/** Bodies of notifications 21, 75 and 76, from the records (spec D13, D14). */
import { isObject, operationByCode, operations, reportedBy, responseCode, responseMessage } from "@titian/contract";
import {
  canonicalize,
  type Members,
  membersOf,
  readMembers,
  writeCanonicalJson,
  writeMembers,
} from "../../basics/canonical-json.ts";
import { toReferenceNo } from "../../basics/ids.ts";
import type { RailTransfer } from "../../ledger/transfers/transfer.ts";
import type { Notification, WriteNotification } from "../../interfaces/notifications.ts";
import type { Reads } from "../../store/reads/reads.ts";
import type { BulkPayload } from "../bulks/bulk-payload.ts";
import { unpackFreeForm } from "../free-form.ts";
import { withDecimals } from "../money.ts";
import { rejectionOf } from "../rejection-cases.ts";
import { parsePayload } from "../stored-payload.ts";
import type { RailPayload } from "../transfers/rail-transfer.ts";

type Fields = Readonly<Record<string, unknown>>;
type AcceptedRequest = NonNullable<Awaited<ReturnType<Reads["findAcceptedRequest"]>>>;

export interface NotificationRecords extends Pick<Reads, "listItemResults"> {
  findTransfer(id: string): Promise<Pick<RailTransfer, "rejection"> | undefined>;
  /** The request of a transfer or bulk, by its id. */
  findRequest(id: string): Promise<AcceptedRequest | undefined>;
}

export function createNotificationWriter(reads: NotificationRecords): WriteNotification {
  return async (notification, partnerId) => {
    const { subject, partner, service, bodyVersion } = notification;
    const record = await reads.findRequest(subject);
    const operation = operationByCode(service);
    const reported = operation && reportedBy(operation.name);
    if (record?.partner !== partner || record.service !== Number(reported?.code)) {
      throw new Error(`the record of notification ${notification.id} is missing`);
    }
    const isBulk = operation?.about.noun === "bulk";
    const fields = isBulk ? await bulkResults(record, reads) : settlement(notification, record);
    const rejection = isBulk ? undefined : await rejectionIn(notification, record, reads);
    const text = isBulk ? undefined : unpackFreeForm(record.freeForm, "additionalInfo")?.toString("utf8");
    if (text === undefined && bodyVersion !== 1) {
      return Buffer.from(writeCanonicalJson({ additionalInfo: { partnerId, ...rejection }, ...fields }));
    }
    const received = readReceived(text);
    const passed = [...received].filter(([name]) => !namesPartner(name));
    // One that names a partner would be taken for ours by a receiver that expects it.
    if (bodyVersion === 1 && passed.length === received.size)
      return Buffer.from(writeFirstVersion(fields, text, rejection));
    const additionalInfo = writeMembers(new Map([...passed, ...membersOf({ ...rejection, partnerId })]));
    return Buffer.from(writeMembers(new Map([...membersOf(fields), ["additionalInfo", additionalInfo]])));
  };
}

/** In any case of its letters: some readers of JSON ignore it (Go's structs), and would take the partner's for ours. */
function namesPartner(name: string): boolean {
  return name.toLowerCase() === "partnerid";
}

function readReceived(received: string | undefined): Members {
  if (received === undefined) return new Map();
  return readMembers(received) ?? new Map([["value", canonicalize(received)]]);
}

/** As releases before `partnerId` wrote it: a notification that one of them may have sent keeps its body. */
function writeFirstVersion(fields: Fields, received: string | undefined, rejection: Fields | undefined): string {
  const value: unknown = received === undefined ? undefined : JSON.parse(received);
  const additionalInfo = { ...(isObject(value) && value), ...rejection };
  const text = JSON.stringify(fields, firstVersionNames);
  if (Object.keys(additionalInfo).length === 0) return text;
  return `${text.slice(0, -1)},"additionalInfo":${JSON.stringify(additionalInfo)}}`;
}

/** In its order. */
const firstVersionNames = (
  "originalPartnerReferenceNo originalReferenceNo originalExternalId latestTransactionStatus beneficiaryAccountName " +
  "beneficiaryAccountNo beneficiaryBankCode sourceAccountNo transactionDate amount value currency " +
  "bulkId partnerBulkId bulkObject partnerReferenceNo responseCode responseMessage"
).split(" ");

const bulkService = operations.interbankBulkTransfer.code;

/** 21: an item that was returned since has settled all the same. */
async function bulkResults({ id, payload }: AcceptedRequest, reads: NotificationRecords): Promise<Fields> {
  const bulkId = toReferenceNo(id);
  const { partnerBulkId = bulkId } = parsePayload<BulkPayload>(payload).request;
  const settled = { responseCode: responseCode("success", bulkService), responseMessage: responseMessage("success") };
  const results = await reads.listItemResults(id);
  return {
    bulkId,
    bulkObject: results.map(({ partnerReferenceNo, rejection }) => ({
      partnerReferenceNo,
      ...(rejection === undefined ? settled : rejectionOf({ kind: rejection }, bulkService)),
    })),
    partnerBulkId,
  };
}

/** 75 and 76, without `additionalInfo`. Its keys are in canonical order, which writes them fastest. */
function settlement({ status }: Notification, { id, externalId, payload }: AcceptedRequest): Fields {
  const { request } = parsePayload<RailPayload>(payload);
  const { currency, value } = withDecimals(request.amount);
  return {
    amount: { currency, value },
    beneficiaryAccountName: request.beneficiaryAccountName,
    beneficiaryAccountNo: request.beneficiaryAccountNo,
    beneficiaryBankCode: request.beneficiaryBankCode,
    latestTransactionStatus: status,
    originalExternalId: externalId,
    originalPartnerReferenceNo: request.partnerReferenceNo,
    originalReferenceNo: toReferenceNo(id),
    sourceAccountNo: request.sourceAccountNo,
    transactionDate: request.transactionDate,
  };
}

/** `rejection` in `additionalInfo` of a transfer that was rejected. */
async function rejectionIn({ status }: Notification, { id, service }: AcceptedRequest, reads: NotificationRecords) {
  const transfer = status === "06" ? await reads.findTransfer(id) : undefined;
  return transfer && { rejection: rejectionOf({ kind: transfer.rejection ?? "rejectedByRail" }, String(service)) };
}

/** The three notifications: their paths, sizes, handlers, and the event that each one reports. */
import { hash } from "node:crypto";
import {
  type OperationRow,
  operations,
  type ReadFault,
  type ReadResult,
  type RequestOf,
  type ResponseOf,
  readRequest,
} from "@titian/contract";
import type { Signal } from "../platform.ts";
import type { NotificationKey } from "./notification-store.ts";
import { type BulkResult, type ReceivedBulk, readBulk } from "./received-bulk.ts";

/** Second argument of a handler, beside the notification. */
export interface NotificationContext extends NotificationKey {
  /** The body as sent, for your own record; it also has the numbers that JavaScript does not hold exactly. */
  readonly rawBody: Uint8Array;
  /** Aborted when the time limit passes. The provider is answered 500 then and sends the notification again. */
  readonly signal: Signal;
}

/** Fields that the reply to a bulk notification (21) may carry beside the envelope. */
export type BulkReply = Partial<Pick<ResponseOf<"bulkNotification">, "bulkId" | "partnerBulkId" | "additionalInfo">>;

type Handler<Notification, Result> = (
  notification: Notification,
  context: NotificationContext,
) => Result | Promise<Result>;

/**
 * Each is called once for an event whose notification verifies, and again after it failed. It resolves when the result
 * is stored; what it throws is answered 500xx00, and the provider sends the notification again.
 */
export interface NotificationHandlers {
  /** Result of an RTGS transfer (76). */
  readonly rtgs?: Handler<RequestOf<"rtgsNotification">, void> | undefined;
  /** Result of an SKNBI transfer (75). */
  readonly skn?: Handler<RequestOf<"sknNotification">, void> | undefined;
  /** Results of a bulk transfer (21). */
  readonly bulk?: Handler<ReceivedBulk, BulkReply | void> | undefined;
}

/** The transfer or bulk that a notification is about, and its status there. */
export interface NotificationSubject {
  /** The provider's: `originalReferenceNo`, or `bulkId`. */
  readonly referenceNo: string | undefined;
  /** The partner's: `originalPartnerReferenceNo`, or `partnerBulkId`. */
  readonly partnerReferenceNo: string | undefined;
  readonly status: string;
}

/** The handler with its notification; resolves to the fields of the reply. */
export type RunHandler = (context: NotificationContext) => Promise<object>;

export interface NotificationRoute {
  readonly row: OperationRow;
  readonly serviceCode: NotificationKey["serviceCode"];
  readonly maxBytes: number;
  /** Reads the notification from parsed JSON. */
  readonly read: (
    json: unknown,
  ) => ReadFault | { readonly ok: true; readonly run: RunHandler; readonly subject: NotificationSubject };
}

/** The `additionalInfo` of a request has up to 64 KiB; the members of the provider come on top. */
const maxBytes = 131_072;
const maxBulkBytes = 8_388_608;

/** A notification without a handler has no route: its provider is answered 404 and keeps it. */
export function createRoutes({ rtgs, skn, bulk }: NotificationHandlers): NotificationRoute[] {
  const { rtgsNotification, sknNotification, bulkNotification } = operations;
  const rtgsRoute = rtgs && {
    row: rtgsNotification,
    serviceCode: rtgsNotification.code,
    maxBytes,
    read: reader((json) => readRequest(rtgsNotification, json), settlementSubject, envelopeOnly(rtgs)),
  };
  const sknRoute = skn && {
    row: sknNotification,
    serviceCode: sknNotification.code,
    maxBytes,
    read: reader((json) => readRequest(sknNotification, json), settlementSubject, envelopeOnly(skn)),
  };
  const bulkRoute = bulk && {
    row: bulkNotification,
    serviceCode: bulkNotification.code,
    maxBytes: maxBulkBytes,
    read: reader(readBulk, bulkSubject, withBulkReply(bulk)),
  };
  return [rtgsRoute, sknRoute, bulkRoute].filter((route) => route !== undefined);
}

function reader<Notification>(
  read: (json: unknown) => ReadResult<Notification>,
  subjectOf: (notification: Notification) => NotificationSubject,
  handle: (notification: Notification, context: NotificationContext) => Promise<object>,
): NotificationRoute["read"] {
  return (json) => {
    const result = read(json);
    if (!result.ok) return result;
    const { value } = result;
    return { ok: true, subject: subjectOf(value), run: (context) => handle(value, context) };
  };
}

type Settlement = RequestOf<"rtgsNotification"> | RequestOf<"sknNotification">;

const settlementSubject = ({
  originalReferenceNo,
  originalPartnerReferenceNo,
  latestTransactionStatus,
}: Settlement): NotificationSubject => ({
  referenceNo: originalReferenceNo,
  partnerReferenceNo: originalPartnerReferenceNo,
  status: latestTransactionStatus,
});

/** Results stand for the status: some providers send several for one bulk, each with the items that ended since. */
const bulkSubject = ({ bulkId, partnerBulkId, bulkObject }: ReceivedBulk): NotificationSubject => ({
  referenceNo: bulkId,
  partnerReferenceNo: partnerBulkId,
  status: hash("sha256", bulkObject.map(lineOf).join("\n")),
});

const lineOf = ({ partnerReferenceNo, originalReferenceNo, responseCode }: BulkResult): string =>
  `${partnerReferenceNo ?? originalReferenceNo ?? ""} ${responseCode}`;

/** The replies to 75 and 76 have no further field, whatever a handler returns. */
function envelopeOnly<Notification>(
  handler: (notification: Notification, context: NotificationContext) => void | Promise<void>,
) {
  return async (notification: Notification, context: NotificationContext) => {
    await handler(notification, context);
    return {};
  };
}

function withBulkReply(handler: NonNullable<NotificationHandlers["bulk"]>) {
  return async (notification: ReceivedBulk, context: NotificationContext) => {
    const { bulkId, partnerBulkId, additionalInfo } = (await handler(notification, context)) ?? {};
    return { bulkId, partnerBulkId, additionalInfo };
  };
}

/** The three notifications: their paths, sizes and handlers. */
import { operations, type ReadFault, type RequestOf, type ResponseOf, readRequest } from "@titian/contract";
import type { NotificationKey } from "./notification-store.ts";

/** What a handler gets beside the notification. */
export interface NotificationContext extends NotificationKey {
  /** The body as sent, for your own record. */
  readonly rawBody: Uint8Array;
  /** Aborted when the time limit passes. The provider is answered 500 then and sends the notification again. */
  readonly signal: AbortSignal;
}

/** What the reply to a bulk notification (21) may carry beside the envelope. */
export type BulkReply = Partial<Pick<ResponseOf<"bulkNotification">, "bulkId" | "partnerBulkId" | "additionalInfo">>;

type NotificationName = "rtgsNotification" | "sknNotification" | "bulkNotification";
type Handler<Name extends NotificationName, Result> = (
  notification: RequestOf<Name>,
  context: NotificationContext,
) => Result | Promise<Result>;

/**
 * Each is called once for a notification whose signature verifies, and again after it failed. It resolves when the result
 * is stored; what it throws is answered 500xx00, and the provider sends the notification again.
 */
export interface NotificationHandlers {
  /** Result of an RTGS transfer (76). */
  readonly rtgs?: Handler<"rtgsNotification", void> | undefined;
  /** Result of an SKNBI transfer (75). */
  readonly skn?: Handler<"sknNotification", void> | undefined;
  /** Results of a bulk transfer (21). */
  readonly bulk?: Handler<"bulkNotification", BulkReply | void> | undefined;
}

/** The handler with its notification; resolves to the fields of the reply. */
export type RunHandler = (context: NotificationContext) => Promise<object>;

export interface NotificationRoute {
  readonly row: (typeof operations)[NotificationName];
  readonly maxBytes: number;
  /** Reads the notification from parsed JSON. */
  readonly read: (json: unknown) => ReadFault | { readonly ok: true; readonly run: RunHandler };
}

const maxBytes = 65_536;
const maxBulkBytes = 8_388_608;

/** A notification without a handler has no route: its provider is answered 404 and keeps it. */
export function createRoutes({ rtgs, skn, bulk }: NotificationHandlers): NotificationRoute[] {
  return [
    ...(rtgs === undefined ? [] : [createRoute(operations.rtgsNotification, maxBytes, envelopeOnly(rtgs))]),
    ...(skn === undefined ? [] : [createRoute(operations.sknNotification, maxBytes, envelopeOnly(skn))]),
    ...(bulk === undefined ? [] : [createRoute(operations.bulkNotification, maxBulkBytes, withBulkReply(bulk))]),
  ];
}

function createRoute<Row extends NotificationRoute["row"]>(
  row: Row,
  limit: number,
  handle: (notification: RequestOf<Row["name"]>, context: NotificationContext) => Promise<object>,
): NotificationRoute {
  return {
    row,
    maxBytes: limit,
    read(json) {
      const read = readRequest(row, json);
      return read.ok ? { ok: true, run: (context) => handle(read.value, context) } : read;
    },
  };
}

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
  return async (notification: RequestOf<"bulkNotification">, context: NotificationContext) => {
    const { bulkId, partnerBulkId, additionalInfo } = (await handler(notification, context)) ?? {};
    return { bulkId, partnerBulkId, additionalInfo };
  };
}

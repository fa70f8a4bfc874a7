/** Notifications to partners (spec D14): added in the commit of their event, never changed. */
import { code, insertRows, int, uuid } from "../../statements/row-statements.ts";

export interface NewNotification {
  readonly id: string;
  readonly partner: string;
  /** Service code of the notification: 21, 75 or 76. */
  readonly service: number;
  /** Id of the transfer or bulk it is about. */
  readonly subject: string;
  /** `latestTransactionStatus`. */
  readonly status: string;
}

/** Version of the bodies that this release writes (0013-notification-bodies.sql). */
export const bodyVersion = 2;

export const insertOutbox = insertRows<NewNotification>(
  "outbox",
  {
    id: uuid((notification) => notification.id),
    partner: uuid((notification) => notification.partner),
    service: int((notification) => notification.service),
    aggregate_id: uuid((notification) => notification.subject),
    status: code((notification) => notification.status),
  },
  { created_at: "$1::timestamptz", body_version: String(bodyVersion) },
);

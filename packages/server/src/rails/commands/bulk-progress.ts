/** Progress of a bulk by the result of an item: the counts, and with the last result its notification (spec D13). */
import { operations } from "@titian/contract";
import type { Bulk } from "../../ledger/bulks/bulk.ts";
import { countResult, hasEnded } from "../../ledger/bulks/count-result.ts";
import { bulkStatus } from "../../ledger/bulks/status.ts";
import type { RailTransfer } from "../../ledger/transfers/transfer.ts";
import type { NewNotification } from "../../store/tables/notifications/outbox.ts";

interface BulkProgress {
  readonly bulks: readonly Bulk[];
  readonly notifications: readonly NewNotification[];
}

const bulkNotification = Number(operations.bulkNotification.code);

/** `item`: as the event leaves it. `eventId`: of the notification, if there is one. @throws when the bulk is missing. */
export function bulkProgress(bulk: Bulk | undefined, item: RailTransfer, now: number, eventId: string): BulkProgress {
  if (!bulk) throw new Error(`the bulk of item ${item.id} is missing`);
  const next = countResult(bulk, item, now);
  if (!next) return { bulks: [], notifications: [] };
  const { id, partner } = bulk;
  const { status } = bulkStatus(next);
  const notification: NewNotification = { id: eventId, partner, service: bulkNotification, subject: id, status };
  return { bulks: [next], notifications: hasEnded(bulk, next) ? [notification] : [] };
}

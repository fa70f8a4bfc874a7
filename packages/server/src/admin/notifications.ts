/** Notifications for operators: what became of each, and sending it again (spec D14). */
import type { Clock } from "../basics/clock.ts";
import { externalIdOf, fromReferenceNo, toReferenceNo } from "../basics/ids.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import {
  listNotifications,
  type AttemptRow,
  type NotificationRow,
  type NotificationState,
} from "../store/reads/notifications.ts";
import { idRangeOf, type ListFilter, type ListPage, type RowCount, scanList } from "../store/reads/scan-list.ts";
import {
  countReplayable,
  explainNoReplay,
  type NoReplay,
  replayDeliveries,
} from "../store/tables/notifications/replays.ts";

export interface NotificationDeps {
  readonly clock: Clock;
  /** By `X-PARTNER-ID`. */
  byPartnerId(partnerId: string): { readonly key: string } | undefined;
  readonly reads: StatementPool;
  /** For plain statements. */
  readonly database: StatementPool;
}

export interface NotificationFilter extends Pick<ListPage, "isOldestFirst" | "isCounted"> {
  readonly partnerId?: string | undefined;
  /** Reference number of a transfer, or the `bulkId` of a bulk. */
  readonly referenceNo?: string | undefined;
  readonly state?: NotificationState | undefined;
  /** Those that have no index of their own. */
  readonly filter?: Pick<ListFilter, "serviceCode" | "from" | "to">;
  /** `next` of the page before. */
  readonly cursor?: string | undefined;
  /** At most 100. */
  readonly limit?: number | undefined;
}

export interface SentNotification extends Omit<NotificationRow, "id" | "partner" | "subject"> {
  /** `X-EXTERNAL-ID` of every attempt. */
  readonly externalId: string;
  readonly referenceNo: string;
  readonly attempts: readonly AttemptRow[];
}

export interface NotificationList {
  readonly notifications: readonly SentNotification[];
  readonly next: string | null;
  readonly count: RowCount | undefined;
}

const pageMax = 100;

/** Newest first unless asked otherwise; none for a reference or partner that there is not. */
export async function findNotifications(
  deps: Pick<NotificationDeps, "reads" | "byPartnerId"> & { readonly clock: Pick<Clock, "now" | "real"> },
  wanted: NotificationFilter,
): Promise<NotificationList> {
  const { state, cursor, isOldestFirst, limit = pageMax } = wanted;
  const whose = whoseOf(deps, wanted);
  const id = cursor === undefined ? undefined : fromReferenceNo(cursor);
  if (!whose || (cursor !== undefined && id === undefined)) return { notifications: [], next: null, count: undefined };
  const { rows, next, count } = await scanList(
    { ...wanted, limit: Math.min(limit, pageMax) },
    idRangeOf(wanted, id, deps.clock),
    {
      read: (start, size) => listNotifications(deps.reads, { ...whose, state, start, limit: size, isOldestFirst }),
      idOf: (row) => row.id,
      factsOf: ({ service, createdAt }) => ({ serviceCode: String(service), at: createdAt }),
    },
  );
  return { notifications: rows.map(toSent), next: next === undefined ? null : toReferenceNo(next), count };
}

function toSent({ id, partner: _, subject, ...row }: NotificationRow): SentNotification {
  return { ...row, externalId: externalIdOf(id), referenceNo: toReferenceNo(subject) };
}

export interface ReplayInput {
  readonly partnerId?: string | undefined;
  readonly referenceNo?: string | undefined;
  /** Business times of the events (epoch ms), from (included) to (excluded). */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Only what was given up after its last attempt. */
  readonly dead?: boolean | undefined;
  /** Instead of the partner's address. */
  readonly url?: string | undefined;
}

export interface Replayed {
  readonly replayed: number;
  /** Reason why there is none. */
  readonly reason?: NoReplay;
}

/** For people: a sentence for each reason. */
export const noReplayTexts: Readonly<Record<NoReplay, string>> = {
  notFound: "There is no such notification.",
  noneDead: "None is dead.",
  waiting:
    "It is on its first way to the partner and waits for its next attempt; it can be replayed once it is delivered or dead.",
  newerAccepted: "Its return was sent since: the partner would take the older status for the newer.",
};

/**
 * Sends notifications again, with the same ids and bodies, signed anew. A replay takes the place of one that waits; one to
 * another address is a single attempt.
 */
export async function replayNotifications(deps: NotificationDeps, input: ReplayInput): Promise<Replayed> {
  const selection = selectionOf(deps, input);
  const now = deps.clock.now();
  const replayed = selection ? await replayDeliveries(deps.database, { ...selection, url: input.url, now }) : 0;
  return replayed > 0 ? { replayed } : { replayed, reason: await explain(deps, selection) };
}

/** Counts the notifications that `replayNotifications` would send now. */
export async function countReplay(
  deps: Omit<NotificationDeps, "clock" | "database">,
  input: ReplayInput,
): Promise<Replayed> {
  const selection = selectionOf(deps, input);
  const replayed = selection ? await countReplayable(deps.reads, selection) : 0;
  return replayed > 0 ? { replayed } : { replayed, reason: await explain(deps, selection) };
}

async function explain(
  { reads }: Pick<NotificationDeps, "reads">,
  selection: ReturnType<typeof selectionOf>,
): Promise<NoReplay> {
  return selection ? explainNoReplay(reads, selection) : "notFound";
}

/** Undefined for a reference or partner that there is not. */
function selectionOf(
  deps: Pick<NotificationDeps, "byPartnerId">,
  { partnerId, referenceNo, from, to, dead = false }: ReplayInput,
) {
  const whose = whoseOf(deps, { partnerId, referenceNo });
  return whose && { ...whose, from, to, dead };
}

/** A partner's and a subject's own ids; undefined for one given that there is not. */
function whoseOf(
  { byPartnerId }: Pick<NotificationDeps, "byPartnerId">,
  { partnerId, referenceNo }: Pick<NotificationFilter, "partnerId" | "referenceNo">,
) {
  const subject = referenceNo === undefined ? undefined : fromReferenceNo(referenceNo);
  const partner = partnerId === undefined ? undefined : byPartnerId(partnerId)?.key;
  if (referenceNo !== undefined && subject === undefined) return undefined;
  if (partnerId !== undefined && partner === undefined) return undefined;
  return { partner, subject };
}

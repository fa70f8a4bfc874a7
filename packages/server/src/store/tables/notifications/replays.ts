/** Notifications that are sent again, at an operator's word (spec D14). */
import type { Pool } from "pg";
import { lowestId } from "../../../basics/ids.ts";
import { inTransaction } from "../../postgres/in-transaction.ts";
import { queryRows } from "../../postgres/query-rows.ts";
import type { TextRow } from "../../postgres/session.ts";
import { isoOf } from "./deliveries.ts";

const sliceSize = 1_000;

/** Selection of notifications to replay. */
export interface ReplaySelection {
  readonly partner?: string | undefined;
  /** Id of a transfer or bulk. */
  readonly subject?: string | undefined;
  /** Business times of the events (epoch ms): from (included) to (excluded). */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Only those that were given up after their last attempt. */
  readonly dead: boolean;
  /** Instead of the partner's address. */
  readonly url?: string | undefined;
  /** Business time (epoch ms). */
  readonly now: number;
}

/** On its first way to the partner: it is not taken from there. A replay that waits gives way to a newer one. */
const isOnFirstWay = "o.state = 'waiting' and o.state_before_replay is null";

/** Condition of the selected ones; `$1` to `$4` are the values of `selected`. */
const matching = ({
  subject,
  dead,
}: Selected) => `${dead ? "o.state = 'dead' and" : ""} ($1::uuid is null or o.partner = $1::uuid) and ${subject === undefined ? "$2::uuid is null" : "o.aggregate_id = $2::uuid"}
  and ($3::timestamptz is null or o.created_at >= $3::timestamptz) and ($4::timestamptz is null or o.created_at < $4::timestamptz)`;

/** Condition of those of it that a replay takes. */
const replayable = (selection: Selected) => `${matching(selection)} and not (${isOnFirstWay})
  and not (o.status <> '04' and exists (select from outbox later where later.aggregate_id = o.aggregate_id and later.status = '04'
    and (later.state = 'delivered' or later.delivered_at is not null or later.state = 'waiting' and later.attempt_count > later.attempts_before_replay)))`;

type Selected = Omit<ReplaySelection, "url" | "now">;

function selected({ partner, subject, from, to }: Selected) {
  return [partner, subject, from === undefined ? undefined : isoOf(from), to === undefined ? undefined : isoOf(to)];
}

/** A statement of a replay has a text for each of these. */
const variantOf = ({ subject, dead }: Selected) =>
  `${subject === undefined ? "" : "-of-subject"}${dead ? "-dead" : ""}`;

/** Counts notifications that a replay would send now. */
export async function countReplayable(pool: Pool, selection: Selected): Promise<number> {
  const rows = await queryRows(pool, countStatement(selection));
  return Number(rows[0]?.[0]);
}

export function countStatement(selection: Selected) {
  return {
    name: `count-replayable${variantOf(selection)}`,
    text: `select count(*) from outbox o where ${replayable(selection)}`,
    values: selected(selection),
  };
}

/** Reasons why a replay would send nothing. */
export type NoReplay = "notFound" | "noneDead" | "waiting" | "newerAccepted";

/** Explains a selection of which nothing is replayed. Those that wait come first: they may be replayed later. */
export async function explainNoReplay(pool: Pool, selection: Selected): Promise<NoReplay> {
  const rows = await queryRows(pool, {
    name: `explain-no-replay${variantOf(selection)}`,
    text: `select count(*), count(*) filter (where ${isOnFirstWay}) from outbox o where ${matching(selection)}`,
    values: selected(selection),
  });
  const [count, waiting] = (rows[0] ?? []).map(Number);
  if (count === 0) return selection.dead ? "noneDead" : "notFound";
  return waiting === 0 ? "newerAccepted" : "waiting";
}

/**
 * Makes notifications due again, with their ids and bodies; returns how many. One with an earlier status is not
 * replayed once the last status of its subject was accepted, or is being sent again: it would tell less than its receiver
 * knows.
 */
export async function replayDeliveries(pool: Pool, selection: ReplaySelection): Promise<number> {
  let replayed = 0;
  for (let last = lowestId, isOver = false; !isOver; ) {
    const picked = await queryRows(pool, pickStatement(selection, last));
    if (picked.length > 0) replayed += await replayPicked(pool, selection, picked);
    isOver = picked.length < sliceSize;
    last = picked.reduce((highest, [id]) => (id !== null && id !== undefined && id > highest ? id : highest), last);
  }
  return replayed;
}

/** The next ones that may be replayed, whose id is above `last`, each with its subject. */
export function pickStatement(selection: Selected, last: string) {
  return {
    name: `pick-replayable${variantOf(selection)}`,
    text: `select o.id, o.aggregate_id from outbox o where o.id > $5::uuid and ${replayable(selection)} order by o.id limit ${sliceSize}`,
    values: [...selected(selection), last],
  };
}

/**
 * All rows of each subject are locked, in the order of their ids as by everybody, before it is decided: the claim of a later
 * status locks the rows before it, so that one of both sees what the other did.
 */
function replayPicked(pool: Pool, selection: ReplaySelection, picked: readonly TextRow[]): Promise<number> {
  return inTransaction(pool, async (client) => {
    await queryRows(client, {
      name: "lock-subjects-to-replay",
      text: "select from outbox where aggregate_id = any($1::uuid[]) order by id for no key update",
      values: [picked.map(([, subject]) => subject)],
    });
    const replayed = await queryRows(client, {
      name: `replay-deliveries${variantOf(selection)}`,
      text: `update outbox o set state = 'waiting', next_attempt_at = $5::timestamptz, attempts_before_replay = attempt_count, replay_url = $6,
          state_before_replay = case when state = 'waiting' then state_before_replay else state end
        where o.id = any($7::uuid[]) and ${replayable(selection)} returning o.id`,
      values: [...selected(selection), isoOf(selection.now), selection.url, picked.map(([id]) => id)],
    });
    return replayed.length;
  });
}

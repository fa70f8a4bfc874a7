/** Notifications that are sent again, at an operator's word (spec D14). */
import type { Pool } from "pg";
import { lowestId } from "../../ids.ts";
import { queryRows } from "../postgres/query-rows.ts";
import { isoOf } from "./deliveries.ts";

const sliceSize = 1_000;

/** Which notifications are replayed. */
export interface ReplaySelection {
  readonly partner?: string | undefined;
  /** Id of a transfer or bulk. */
  readonly resource?: string | undefined;
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

/** What is asked for; `$1` to `$4` are the values of `selected`. */
const matching = ({
  resource,
  dead,
}: Selected) => `${dead ? "o.state = 'dead' and" : ""} ($1::uuid is null or o.partner = $1::uuid) and ${resource === undefined ? "$2::uuid is null" : "o.aggregate_id = $2::uuid"}
  and ($3::timestamptz is null or o.created_at >= $3::timestamptz) and ($4::timestamptz is null or o.created_at < $4::timestamptz)`;

/** What of it a replay takes. */
const replayable = (selection: Selected) => `${matching(selection)} and not (${isOnFirstWay})
  and not (o.status <> '04' and exists (select from outbox later where later.aggregate_id = o.aggregate_id and later.status = '04'
    and (later.state = 'delivered' or later.delivered_at is not null or later.state = 'waiting' and later.attempt_count > later.attempts_before_replay)))`;

type Selected = Omit<ReplaySelection, "url" | "now">;

function selected({ partner, resource, from, to }: Selected) {
  return [partner, resource, from === undefined ? undefined : isoOf(from), to === undefined ? undefined : isoOf(to)];
}

/** A statement of a replay has a text for each of these. */
const variantOf = ({ resource, dead }: Selected) =>
  `${resource === undefined ? "" : "-of-resource"}${dead ? "-dead" : ""}`;

/** How many a replay would send now. */
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

/** Why a replay would send nothing. */
export type NoReplay = "notFound" | "noneDead" | "waiting" | "newerAccepted";

/** Of a selection of which nothing is replayed. Those that wait come first: they may be replayed later. */
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
 * replayed once the last status of its resource was accepted, or is being sent again: it would tell less than its receiver
 * knows.
 */
export async function replayDeliveries(pool: Pool, selection: ReplaySelection): Promise<number> {
  let replayed = 0;
  for (let last = lowestId, isOver = false; !isOver; ) {
    const rows = await queryRows(pool, replayStatement(selection, last));
    replayed += rows.length;
    isOver = rows.length < sliceSize;
    last = rows.reduce((highest, [id]) => (id !== null && id !== undefined && id > highest ? id : highest), last);
  }
  return replayed;
}

/** Replays the next ones whose id is above `last`. */
export function replayStatement(selection: ReplaySelection, last: string) {
  return {
    name: `replay-deliveries${variantOf(selection)}`,
    text: `with picked as (select id from outbox o where o.id > $7::uuid and ${replayable(selection)}
        order by o.id limit ${sliceSize} for no key update)
      update outbox set state = 'waiting', next_attempt_at = $5::timestamptz, attempts_before_replay = attempt_count, replay_url = $6,
        state_before_replay = case when state = 'waiting' then state_before_replay else state end
      from picked where outbox.id = picked.id returning outbox.id`,
    values: [...selected(selection), isoOf(selection.now), selection.url, last],
  };
}

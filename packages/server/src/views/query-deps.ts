/**
 * Queries for people: what the command line and a console show. Plain objects; amounts in minor units, times in epoch ms.
 * What is seen of a noun is declared once, by the function that makes it: its type is inferred from there (`Shown`).
 */
import type { Clock } from "../basics/clock.ts";
import { fromReferenceNo } from "../basics/ids.ts";
import { idRangeOf, type ListPage } from "../store/reads/scan-list.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import type { ReferenceData } from "../admin/reference/reference-data.ts";

/** Dependencies of queries; a started core (`startCore`) has all of them. */
export interface QueryDeps {
  /** Committed rows; nothing is locked. */
  readonly pool: StatementPool;
  /** Number of the cell that is read; absent: home. */
  readonly cell?: number;
  /** Connections to home, which keeps the calls of all cells; absent: `pool` leads there. */
  readonly keptCalls?: StatementPool;
  /** Business time, and the real time that ids are of. */
  readonly clock: Pick<Clock, "now" | "real">;
  readonly reference: Pick<ReferenceData, "current" | "byPartnerId">;
}

/** A page of a list, newest first. */
export interface NewestFirst {
  /** Number that the page starts before, the `next` of the page before it; undefined: the newest. */
  readonly before?: string | undefined;
  readonly limit: number;
}

type Plain<Value> = Value extends bigint ? bigint : Value;
type ReadOnly<Found> = { readonly [Name in keyof Found]: Plain<Found[Name]> };

/** Result of a query where it finds something. */
export type Shown<Query extends (...args: never) => unknown> = ReadOnly<NonNullable<Awaited<ReturnType<Query>>>>;

/** `X-PARTNER-ID` of an internal id; empty when the partner is unknown. */
export function partnerIdOf({ reference }: Pick<QueryDeps, "reference">, key: string): string {
  return reference.current().partners.get(key)?.partnerId ?? "";
}

/** Ids of a page of a list. */
export function rangeOf({ clock }: Pick<QueryDeps, "clock">, page: ListPage) {
  return idRangeOf(page, idOf(page.isOldestFirst ? page.after : page.before), clock);
}

/** Id of one of our numbers, where one is given. */
export function idOf(number: string | undefined): string | undefined {
  return number === undefined ? undefined : fromReferenceNo(number);
}

/** Pages of lists: how many rows, where they begin, in which order, which of them, and how many there are. */
import { boolean, choice, integer, object, optional, string } from "@titian/contract";
import { countedMax, dateOf, dayOf, instantOf, type ListPage } from "@titian/server/admin";
import { invalidField } from "../control-error.ts";
import { amountDescription } from "../money-text.ts";

/** Completes "must be …" for where a page begins. */
export const nextOfBefore = "the `next` of the page before";

export const limit = optional(string({ pattern: "^([1-9][0-9]{0,2}|1000)$", description: "from 1 to 1000" }));

/** A number of ours that a page begins at. */
export const numberOfBefore = string({ pattern: "^[0-7][0-9A-HJKMNP-TV-Z]{25}$", description: nextOfBefore });

/** Newest first: it begins before a number of ours. */
const page = { limit, before: optional(numberOfBefore) };

export const flag = choice(["true", "false"], { description: '"true" or "false"' });

const day = optional(
  string({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", description: 'a business day such as "2026-11-26"' }),
);
const decimal = optional(string({ pattern: "^[0-9]{1,16}([.][0-9]{1,4})?$", description: amountDescription }));

/** `count=true` counts the rows that fit. */
export const counted = { count: optional(flag) };
export const ordered = { order: optional(choice(["newest", "oldest"], { description: '"newest" or "oldest"' })) };
/** Business days, both included: those of Jakarta. */
export const days = { from: day, to: day };
export const amounts = { minimum: decimal, maximum: decimal };
export const ofPartner = { partnerId: optional(string({ description: "the X-PARTNER-ID of a partner" })) };

/** From the oldest on it begins after a number of ours. */
export const listed = { ...page, after: optional(numberOfBefore), ...ordered, ...counted, ...ofPartner, ...days };

export const countView = optional(
  object(
    {
      rows: integer({ description: `that fit, at most ${countedMax}` }),
      isExact: boolean({ description: "false: there may be more" }),
    },
    { description: "with count=true" },
  ),
);

const pageDefault = 50;

export function limitOf(query: { readonly limit?: string }): number {
  return query.limit === undefined ? pageDefault : Number(query.limit);
}

export function pageOf(query: { readonly limit?: string; readonly before?: string }) {
  return { before: query.before, limit: limitOf(query) };
}

interface ListQuery {
  readonly limit?: string;
  readonly before?: string;
  readonly after?: string;
  readonly order?: "newest" | "oldest";
  readonly count?: "true" | "false";
  readonly partnerId?: string;
  readonly state?: string;
  readonly serviceCode?: string;
  readonly from?: string;
  readonly to?: string;
  readonly minimum?: string;
  readonly maximum?: string;
}

interface Partners {
  byPartnerId(partnerId: string): unknown;
}

/** @throws ControlError for a partner or a day that there is not, and for the cursor of the other order */
export function listPageOf(query: ListQuery, partners: Partners): ListPage {
  const { before, after, order, count, partnerId, state, serviceCode, from, to, minimum, maximum } = query;
  const isOldestFirst = order === "oldest";
  const [wrong, right] = isOldestFirst ? (["before", "after"] as const) : (["after", "before"] as const);
  if (query[wrong] !== undefined) {
    throw invalidField(
      wrong,
      `${wrong} belongs to the other order: with the ${order ?? "newest"} first give ${right}.`,
    );
  }
  if (partnerId !== undefined && partners.byPartnerId(partnerId) === undefined) {
    throw invalidField("partnerId", `There is no partner ${partnerId}.`);
  }
  const filter = { partnerId, state, serviceCode, minimum, maximum, ...daysOf({ from, to }) };
  return { limit: limitOf(query), before, after, isOldestFirst, isCounted: count === "true", filter };
}

/** Business times from the beginning of the first day (included) to the end of the last (excluded). */
export function daysOf({ from, to }: { readonly from?: string | undefined; readonly to?: string | undefined }) {
  return {
    from: from === undefined ? undefined : instantOf(readDay("from", from), 0),
    to: to === undefined ? undefined : instantOf(readDay("to", to) + 1, 0),
  };
}

function readDay(field: string, text: string): number {
  const found = dayOf(text);
  if (!Number.isNaN(found) && dateOf(found) === text) return found;
  throw invalidField(field, `${field} must be a business day such as "2026-11-26".`);
}

/** @throws ControlError where members of a query do not go with another one */
export function goesWith(query: object, member: string, others: readonly string[]): void {
  const known = ["limit", "before", member, ...others];
  const stray = Object.keys(query).find((name) => !known.includes(name));
  if (stray !== undefined) throw invalidField(stray, `${stray} does not go with ${member}.`);
}

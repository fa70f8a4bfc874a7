/** Pages of lists: how many rows, and where they begin. */
import { object, optional, type Static, string } from "@titian/contract";

/** Completes "must be …" for where a page begins, by a number of ours. */
const numberDescription = "the `next` of the page before";

export const limitOption = optional(
  string({ pattern: "^([1-9]|[1-9][0-9]|1[0-9][0-9]|200)$", description: "from 1 to 200" }),
);

/** Newest first: it begins before a number of ours. */
export const pageOptions = {
  limit: limitOption,
  before: optional(string({ pattern: "^[0-7][0-9A-HJKMNP-TV-Z]{25}$", description: numberDescription })),
};
export const PageQuery = object(pageOptions);

const pageDefault = 50;

export function limitOf({ limit }: { readonly limit?: string }): number {
  return limit === undefined ? pageDefault : Number(limit);
}

export function pageOf(query: Static<typeof PageQuery>): {
  readonly before?: string | undefined;
  readonly limit: number;
} {
  return { before: query.before, limit: limitOf(query) };
}

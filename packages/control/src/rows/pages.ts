/** Pages of lists: how many rows, and where they begin. */
import { optional, string } from "@titian/contract";

/** Completes "must be …" for where a page begins. */
export const nextOfBefore = "the `next` of the page before";

export const limit = optional(
  string({ pattern: "^([1-9]|[1-9][0-9]|1[0-9][0-9]|200)$", description: "from 1 to 200" }),
);

/** Newest first: it begins before a number of ours. */
export const page = {
  limit,
  before: optional(string({ pattern: "^[0-7][0-9A-HJKMNP-TV-Z]{25}$", description: nextOfBefore })),
};

const pageDefault = 50;

export function limitOf(query: { readonly limit?: string }): number {
  return query.limit === undefined ? pageDefault : Number(query.limit);
}

export function pageOf(query: { readonly limit?: string; readonly before?: string }) {
  return { before: query.before, limit: limitOf(query) };
}

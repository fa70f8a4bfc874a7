/** Pages of lists: how many rows, and where they begin. */
import { choice, optional, string } from "@titian/contract";

/** Completes "must be …" for where a page begins. */
export const nextOfBefore = "the `next` of the page before";

export const limit = optional(string({ pattern: "^([1-9][0-9]{0,2}|1000)$", description: "from 1 to 1000" }));

/** A number of ours that a page begins at. */
export const numberOfBefore = string({ pattern: "^[0-7][0-9A-HJKMNP-TV-Z]{25}$", description: nextOfBefore });

/** Newest first: it begins before a number of ours. */
export const page = { limit, before: optional(numberOfBefore) };

export const flag = choice(["true", "false"], { description: '"true" or "false"' });

const pageDefault = 50;

export function limitOf(query: { readonly limit?: string }): number {
  return query.limit === undefined ? pageDefault : Number(query.limit);
}

export function pageOf(query: { readonly limit?: string; readonly before?: string }) {
  return { before: query.before, limit: limitOf(query) };
}

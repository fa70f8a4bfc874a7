/** `--limit` of commands that list: how many rows a page has. */

export const pageSizeDefault = "50";
const most = 1_000;

/** What is no number counts as not given. */
export function pageSizeOf(limit: string): number {
  return Math.min(most, Math.max(1, Number.parseInt(limit, 10) || Number(pageSizeDefault)));
}

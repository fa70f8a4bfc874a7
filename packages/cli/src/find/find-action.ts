/** Action of `titian find`. */
import { type ExitCode, exitCodes } from "../cli-error.ts";
import { withCalls } from "../control/with-calls.ts";
import { plain } from "../tables/plain.ts";
import { formatJson, note, print } from "../output.ts";
import { formatMatches } from "./match-tables.ts";

export interface FindFlags {
  readonly partner?: string;
  readonly json?: true;
}

export async function findRecords(words: readonly string[], { partner, json }: FindFlags): Promise<ExitCode> {
  const query = { number: words.join(" "), partnerId: partner };
  const found = await withCalls((call) => call("GET /search", { query }));
  const { matches, hasMore, needsPartner, missingSince, unknownWords } = found;
  if (json === true) print(formatJson(found));
  else if (matches.length > 0) print(formatMatches(matches));
  else note(`Nothing has all of this: ${query.number}`);
  if (unknownWords.length > 0) note(`No record has ${unknownWords.map((word) => `"${plain(word)}"`).join(" or ")}.`);
  if (hasMore) note("\nThere may be more: add a word, such as the day or a name.");
  if (needsPartner)
    note("\nExternal ids of rejected requests are found with --partner <id>: there are very many partners.");
  if (missingSince !== undefined) {
    note(`\nRecords since ${missingSince} may be found by their numbers alone: their other words are being made.`);
  }
  return matches.length > 0 ? exitCodes.done : exitCodes.failed;
}

/** Actions of `titian database` about the search. */
import { endSearchKeysBefore, rebuildSearch as rebuild } from "@titian/server/admin";
import { type ExitCode, exitCodes } from "../cli-error.ts";
import { confirm } from "../confirm.ts";
import { note, print } from "../output.ts";
import { openUrl } from "./open-url.ts";
import { readDate } from "./read-date.ts";

export interface ConfirmFlags {
  readonly yes?: true;
}

export interface EndKeysFlags extends ConfirmFlags {
  readonly before: string;
}

export async function rebuildSearch({ yes }: ConfirmFlags): Promise<ExitCode> {
  const url = openUrl();
  if (yes !== true && !(await confirm("Remove the words of the search, so that they are made again?"))) {
    note("Nothing was removed.");
    return exitCodes.failed;
  }
  await rebuild(url);
  print("Removed the words of the search: a running service makes them again.");
  return exitCodes.done;
}

export async function endKeys({ before, yes }: EndKeysFlags): Promise<ExitCode> {
  const time = readDate("--before", before);
  const url = openUrl();
  const question = `End for good the search for names and accounts at other banks of the months that end before ${before}?`;
  if (yes !== true && !(await confirm(question))) {
    note("No key was ended.");
    return exitCodes.failed;
  }
  const { month, count } = await endSearchKeysBefore(url, time);
  print(`Ended the keys of all months up to ${month}: ${count} that were in use.`);
  return exitCodes.done;
}

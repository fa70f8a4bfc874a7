/** Numbers that Titian assigned, on the command line. */
import { fromReferenceNo } from "@titian/server/admin";
import { usageError } from "../cli-error.ts";

/** @param what it should be, such as `the number of a hold`. Undefined when it is not given. @throws CliError */
export function readNumber(option: string, text: string | undefined, what: string): string | undefined {
  if (text === undefined || fromReferenceNo(text) !== undefined) return text;
  throw usageError(`${option} ${text} is not ${what}.`);
}

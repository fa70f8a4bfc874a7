/** Names of accounts. */
import { type AdminResult, rejected } from "../result.ts";

const nameLengthMax = 100;

export function rejectName(): AdminResult<never> {
  return rejected(
    "invalidField",
    `A name has 1 to ${nameLengthMax} characters, none of them a control character.`,
    "name",
  );
}

export function isName(name: string): boolean {
  return name.trim() !== "" && name.length <= nameLengthMax && name.isWellFormed() && !/\p{Cc}/u.test(name);
}

/** Command that a person types to run this program: hints are commands to copy. */
import { givenDataDir, npmParent } from "@titian/server/config";
import { cellOption } from "./chosen-cell.ts";
import { typeCommandsBy } from "./output.ts";

/** Where TITIAN_DATA_DIR is set, a command that is pasted needs it too. */
export const programName = (): string => `${dataDirectory()}${commandNames().titian}`;

/** In a checkout both are scripts of npm. `start` serves. */
export function commandNames(): { readonly titian: string; readonly start: string } {
  const npm = npmParent();
  if (npm !== undefined && !npm.isNpx) return { titian: "npm run -s titian --", start: "npm start" };
  const titian = npm === undefined ? "titian" : "npx titian";
  return { titian, start: `${titian} serve` };
}

function dataDirectory(): string {
  const given = givenDataDir();
  if (given === undefined) return "";
  const isPlain = /^[\w./@%+-]+$/.test(given);
  return `TITIAN_DATA_DIR=${isPlain ? given : `'${given.replaceAll("'", String.raw`'\''`)}'`} `;
}

const names =
  "account|act|audit|auth-code|bulk|call|completion|database|explain|find|grant|help|hold|keys|ledger|listen|log|merchant|migrate|notification|partner|payment-request|rails?|sandbox|serve|transfer|trigger";
// One that comes with settings of its own is typed as it is.
const command = new RegExp(
  String.raw`(?<![\w./=-])(?<!TITIAN_DATA_DIR=\S+ (?:\S+ )?)(?:titian( --cell \d+)?(?= (${names})\b)|npm start\b)`,
  "g",
);

/** The text with each command in it as a person types it here. */
function asTyped(text: string): string {
  return text.replaceAll(command, (found, cell?: string, name?: string) =>
    name === undefined ? `${dataDirectory()}${found}` : `${programName()}${cell ?? cellOption(name)}`,
  );
}

typeCommandsBy(asTyped);

/** Command that a person types to run this program: hints are commands to copy. */
import { givenDataDir, npmParent } from "@titian/server/config";
import { typeCommandsBy } from "./output.ts";

/** In a checkout it is a script of npm. Where TITIAN_DATA_DIR is set, a command that is pasted needs it too. */
export function programName(): string {
  const npm = npmParent();
  const name = npm === undefined ? "titian" : npm.isNpx ? "npx titian" : "npm run -s titian --";
  return `${dataDirectory()}${name}`;
}

function dataDirectory(): string {
  const given = givenDataDir();
  if (given === undefined) return "";
  const isPlain = /^[\w./@%+-]+$/.test(given);
  return `TITIAN_DATA_DIR=${isPlain ? given : `'${given.replaceAll("'", String.raw`'\''`)}'`} `;
}

const names =
  "account|audit|auth-code|bulk|call|completion|database|explain|find|grant|help|hold|keys|listen|log|merchant|migrate|notification|partner|payment-request|rails?|sandbox|serve|transfer|trigger";
// One that comes with settings of its own is typed as it is.
const command = new RegExp(
  String.raw`(?<![\w./=-])(?<!TITIAN_DATA_DIR=\S+ (?:\S+ )?)(?:titian(?= (?:${names})\b)|npm start\b)`,
  "g",
);

/** The text with each command in it as a person types it here. */
function asTyped(text: string): string {
  return text.replaceAll(command, (found) => (found === "titian" ? programName() : `${dataDirectory()}${found}`));
}

typeCommandsBy(asTyped);

/** Secrets of this operator's sessions by service, in a file for its owner alone. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { CliError } from "../cli-error.ts";

type Sessions = Readonly<Record<string, string>>;

const pathOf = () => join(homedir(), ".config", "titian", "sessions.json");

export const readSession = (url: string): string | undefined => readAll()[url];

export function keepSession(url: string, secret: string): void {
  writeAll({ ...readAll(), [url]: secret });
}

export function forgetSession(url: string): void {
  const { [url]: _, ...others } = readAll();
  writeAll(others);
}

function readAll(): Sessions {
  try {
    const kept: unknown = JSON.parse(readFileSync(pathOf(), "utf8"));
    const entries = typeof kept === "object" && kept !== null ? Object.entries(kept as Record<string, unknown>) : [];
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw new CliError(`${pathOf()} cannot be read.`, undefined, { cause: error });
  }
}

/** In one step, so that a second command never reads half of it. */
function writeAll(sessions: Sessions): void {
  const path = pathOf();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const beside = `${path}.${process.pid}`;
  writeFileSync(beside, `${JSON.stringify(sessions, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  renameSync(beside, path);
}

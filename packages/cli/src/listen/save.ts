/** Notifications as files: the body as its bytes, and the headers, with the command that verifies them. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { usageError } from "../cli-error.ts";
import { note } from "../output.ts";
import { plain } from "../tables/plain.ts";
import type { Incoming } from "./incoming.ts";
import type { Provider } from "./provider.ts";

export interface Saved {
  readonly body: string;
  readonly headers: string;
  /** Command for a shell in the repository's root; absent in mode 1, in which no public key verifies. */
  readonly verify?: string;
}

export type Save = (incoming: Incoming, mode: 1 | 2) => Saved | undefined;

/**
 * Makes the directory, with the provider's public key in it. Files that are there stay: numbers go on behind theirs.
 * @throws CliError when it cannot be written.
 */
export function createSave(directory: string, { partnerId, publicKey }: Provider): Save {
  const key = join(directory, "provider.pem");
  try {
    mkdirSync(directory, { recursive: true });
    writeFileSync(key, publicKey);
  } catch (error) {
    throw usageError(`--save ${directory} cannot be written: ${messageOf(error)}`);
  }
  const write = createWriter(directory);
  return (incoming, mode) => {
    try {
      const { body, headers } = write(incoming);
      return { body, headers, ...(mode === 2 && { verify: verifyCommand({ key, partnerId, body }, incoming) }) };
    } catch (error) {
      note(`The notification was not saved: ${messageOf(error)}`);
      return undefined;
    }
  };
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Headers hold the token in mode 1, so the files are the user's own. */
const newFile = { flag: "wx", mode: 0o600 } as const;

function createWriter(directory: string) {
  let number = 0;
  return (incoming: Incoming) => {
    do number += 1;
    while (existsSync(join(directory, `${number}.body`)));
    const files = { body: join(directory, `${number}.body`), headers: join(directory, `${number}.headers`) };
    const lines = incoming.rawHeaders.map((text, index) => `${text}${index % 2 === 0 ? ": " : "\n"}`);
    writeFileSync(files.body, incoming.body, newFile);
    writeFileSync(files.headers, lines.join(""), newFile);
    return files;
  };
}

interface Files {
  readonly key: string;
  readonly partnerId: string;
  readonly body: string;
}

function verifyCommand({ key, partnerId, body }: Files, { target, headers }: Incoming): string {
  const [timestamp, signature] = ["x-timestamp", "x-signature"].map((name) => String(headers[name] ?? ""));
  const words = [key, partnerId, target, timestamp ?? "", signature ?? ""].map(quoted).join(" ");
  return `npx node --conditions=source examples/calls/javascript/verify.mjs ${words} < ${quoted(body)}`;
}

/** A word of any shell; what arrived cannot steer the terminal either. */
function quoted(text: string): string {
  return /^[\w./:@%+-][\w./:@%+=-]*$/.test(text) ? text : `'${plain(text).replaceAll("'", String.raw`'\''`)}'`;
}

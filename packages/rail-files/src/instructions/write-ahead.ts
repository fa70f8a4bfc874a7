/**
 * What is about to be appended to a file that somebody else reads, made durable first: a line that a reader sees is never
 * lost, because whatever the file lost in a crash is appended again from here. It holds the last lines only.
 */
import { hash } from "node:crypto";
import { openToAppend } from "../files/durable-files.ts";

export interface WriteAhead {
  /** Resolves when the lines for the file of that name are durable here; they take the place of those before. */
  keep(name: string, text: string): Promise<void>;
  /** What was kept last: the lines, and the name of their file; undefined when a crash cut it off. */
  readonly last: { readonly name: string; readonly text: string } | undefined;
  close(): Promise<void>;
}

export async function openWriteAhead(path: string): Promise<WriteAhead> {
  const file = await openToAppend(path);
  const last = read(await file.readFile("utf8"));
  return {
    last,
    keep: async (name, text) => {
      await file.truncate(0);
      await file.appendFile(`${name} ${hash("sha256", text)}\n${text}`);
      await file.datasync();
    },
    close: () => file.close(),
  };
}

function read(kept: string): WriteAhead["last"] {
  const head = kept.indexOf("\n");
  const [name = "", sum] = kept.slice(0, Math.max(0, head)).split(" ");
  const text = kept.slice(head + 1);
  return head > 0 && sum === hash("sha256", text) ? { name, text } : undefined;
}

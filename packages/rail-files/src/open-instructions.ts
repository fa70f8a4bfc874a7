/** What must be remembered of the files of earlier days: their instructions whose transfers are open. One small file. */
import { readFile } from "node:fs/promises";
import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import { replaceFile } from "./durable-files.ts";

const OpenInstructions = Type.Object({
  /** Name of the newest file of which this is all that need be known; empty: of none. */
  upTo: Type.String(),
  /** Content by number. */
  open: Type.Record(Type.String(), Type.String()),
});

export type OpenInstructions = Static<typeof OpenInstructions>;

/** @throws when what is there cannot be read: an open instruction that is forgotten is handed over twice. */
export async function readOpen(path: string): Promise<OpenInstructions> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return '{"upTo":"","open":{}}';
    throw error;
  });
  const open = parse(text);
  if (open === undefined) {
    throw new Error(
      `${path} cannot be read. Restore it; or delete it when all files of instructions are there: all are read then.`,
    );
  }
  return open;
}

export function writeOpen(path: string, open: OpenInstructions): Promise<void> {
  return replaceFile(path, `${JSON.stringify(open)}\n`);
}

function parse(text: string): OpenInstructions | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Check(OpenInstructions, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Up to where each file of results was taken: one small file, replaced as a whole. */
import { readFile } from "node:fs/promises";
import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import { replaceFile } from "./durable-files.ts";

const Offset = Type.Integer({ minimum: 0 });

/** Offsets of bytes, by the file's name: everything before `upTo` is taken, and the lines that begin at `beyond`. */
const Taken = Type.Record(Type.String(), Type.Object({ upTo: Offset, beyond: Type.Array(Offset) }));

export type Taken = Static<typeof Taken>;

/** @throws when what is there cannot be read: without it, everything would come again. */
export async function readTaken(path: string): Promise<Taken> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "{}";
    throw error;
  });
  const taken = parse(text);
  if (taken === undefined) {
    throw new Error(
      `${path} cannot be read. Restore it; or delete it, and every result comes again, which does no harm.`,
    );
  }
  return taken;
}

export function writeTaken(path: string, taken: Taken): Promise<void> {
  return replaceFile(path, `${JSON.stringify(taken)}\n`);
}

function parse(text: string): Taken | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Check(Taken, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

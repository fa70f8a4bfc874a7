/** A small JSON file that is replaced as a whole. */
import type { Static, TSchema } from "typebox";
import { Check } from "typebox/value";
import { replaceFile } from "./durable-files.ts";
import { readIfThere } from "./read-if-there.ts";

export interface JsonFile<Value> {
  /** @throws when the file cannot be read, with what the operator can do. */
  read(): Value;
  write(value: Value): Promise<void>;
}

/** `absent`: its value when there is no file. */
export function openJsonFile<Schema extends TSchema>(
  path: string,
  { schema, absent, advice }: { readonly schema: Schema; readonly absent: Static<Schema>; readonly advice: string },
): JsonFile<Static<Schema>> {
  return {
    read: () => {
      const text = readIfThere(path);
      const value = text === undefined ? absent : parse(text);
      if (!Check(schema, value)) throw new Error(`${path} cannot be read. Restore it; or ${advice}`);
      return value;
    },
    write: (value) => replaceFile(path, `${JSON.stringify(value)}\n`),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

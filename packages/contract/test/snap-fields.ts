/** `vectors/snap-fields.json`, typed. */
import { readFileSync } from "node:fs";

export interface SnapField {
  /** `[].x` is a field of an entry of `bulkObject`. */
  readonly name: string;
  readonly type: "string" | "Money" | "array" | "object" | null;
  /** Presence by the specification; null when it does not list the field. */
  readonly spec: "M" | "O" | "C" | "S" | null;
  readonly max: string | null;
  readonly format?: string | null;
}

interface SnapFields {
  readonly operations: Readonly<Record<string, { readonly request: SnapField[]; readonly response: SnapField[] }>>;
}

const file = new URL("../../../vectors/snap-fields.json", import.meta.url);
export const snapFields: SnapFields = JSON.parse(readFileSync(file, "utf8"));

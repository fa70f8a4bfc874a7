/** One data file: a JSON list of entries, read strictly. Every fault is kept, with its place and what would be right. */
import { readFileSync } from "node:fs";
import { fits, type Schema, type SchemaFault, schemaFaults } from "@titian/contract";

export interface DataFile {
  readonly path: string;
  /** @param place such as `[1].hours.from`; empty for the whole file. */
  fault(place: string, text: string): void;
  /** True when it has had no fault so far. */
  isClean(): boolean;
}

export interface FileEntry<Value> {
  /** Its place in the file, such as `[1]`. */
  readonly place: string;
  readonly value: Value;
}

const shownMost = 60;

/** A file whose faults go to the list. */
export function dataFile(path: string, faults: string[]): DataFile {
  let isClean = true;
  return {
    path,
    fault: (place, text) => {
      isClean = false;
      faults.push(`${path}${place === "" ? "" : `, ${place}`}: ${text}`);
    },
    isClean: () => isClean,
  };
}

/** The entries that are as the schema says; `description` of a member completes "must be …". The others are faults. */
export function readEntries<Value>(file: DataFile, schema: Schema<Value>): readonly FileEntry<Value>[] {
  const list = readJson(file);
  if (list === undefined) return [];
  if (!Array.isArray(list)) {
    file.fault("", "must be a JSON list");
    return [];
  }
  return list.flatMap((value: unknown, index) => {
    const place = `[${index}]`;
    if (fits(schema, value)) return [{ place, value }];
    for (const fault of schemaFaults(schema, value)) report(file, place, fault);
    return [];
  });
}

/** An entry whose value stands in the file already is a fault; `what` tells the reader which value. */
export function rejectRepeated<Value>(
  file: DataFile,
  entries: readonly FileEntry<Value>[],
  member: keyof Value & string,
): void {
  const newHolds = new Map<unknown, string>();
  for (const { place, value } of entries) {
    const before = newHolds.get(value[member]);
    if (before === undefined) newHolds.set(value[member], place);
    else file.fault(`${place}.${member}`, `${show(value[member])} stands at ${before} already; take one of them out`);
  }
}

/** A value as a message shows it. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > shownMost ? `${text.slice(0, shownMost)}…` : text;
}

function readJson({ path, fault }: DataFile): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path)));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof SyntaxError) fault("", `is no JSON: ${reason}`);
    else if (error instanceof TypeError) fault("", "is no text in UTF-8");
    else fault("", `cannot be read: ${reason}`);
    return undefined;
  }
}

function report(file: DataFile, place: string, { kind, path, schema, value }: SchemaFault): void {
  const at = path.reduce<string>(
    (before, step) => before + (typeof step === "number" ? `[${step}]` : `.${step}`),
    place,
  );
  const { description = "valid", properties = {} } = schema;
  if (kind === "missing") file.fault(at, `is missing: give ${description}`);
  else if (kind === "unknown") file.fault(at, `is no member; there may be ${Object.keys(properties).join(", ")}`);
  else file.fault(at, `must be ${description}, not ${show(value)}`);
}

/** One data file: a JSON list of entries, read strictly. Every fault is kept, with its place and what would be right. */
import { readFileSync } from "node:fs";
import type { Static, TObject, TSchema } from "typebox";
import { Errors, Check } from "typebox/value";

export interface DataFile {
  readonly path: string;
  /** @param place such as `[1].hours.from`; empty for the whole file. */
  fault(place: string, text: string): void;
  /** Whether it has had no fault so far. */
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
export function readEntries<Schema extends TObject>(
  file: DataFile,
  schema: Schema,
): readonly FileEntry<Static<Schema>>[] {
  const list = readJson(file);
  if (list === undefined) return [];
  if (!Array.isArray(list)) {
    file.fault("", "must be a JSON list");
    return [];
  }
  return list.flatMap((value: unknown, index) => {
    const place = `[${index}]`;
    if (Check(schema, value)) return [{ place, value }];
    for (const error of Errors(schema, value)) reportError(file, schema, { place, value }, error);
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

type SchemaError = ReturnType<typeof Errors>[number];

function reportError(file: DataFile, schema: TSchema, { place, value }: FileEntry<unknown>, error: SchemaError): void {
  const steps = stepsOf(error.instancePath);
  const at = steps.reduce((path, step) => path + (/^\d+$/.test(step) ? `[${step}]` : `.${step}`), place);
  const about = follow(schema, stepsOf(error.schemaPath.slice(1)));
  if (error.keyword === "required") {
    const { requiredProperties } = error.params;
    for (const name of requiredProperties) {
      file.fault(`${at}.${name}`, `is missing: give ${describe(follow(about, ["properties", name]))}`);
    }
  } else if (error.keyword === "boolean") {
    const parent = follow(schema, stepsOf(error.schemaPath.slice(1)).slice(0, -1));
    const known = Object.keys(follow(parent, ["properties"]) ?? {});
    file.fault(at, `is no member; there may be ${known.join(", ")}`);
  } else if (error.keyword !== "additionalProperties") {
    file.fault(at, `must be ${describe(about)}, not ${show(follow(value, steps))}`);
  }
}

function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function follow(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>(
    (inner, step) =>
      typeof inner === "object" && inner !== null ? (inner as Readonly<Record<string, unknown>>)[step] : undefined,
    value,
  );
}

function describe(schema: unknown): string {
  const description = follow(schema, ["description"]);
  return typeof description === "string" ? description : "valid";
}

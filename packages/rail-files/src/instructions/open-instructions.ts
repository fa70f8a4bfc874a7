/** What must be remembered of the files of earlier days: their instructions whose transfers are open. */
import { type Static, Type } from "typebox";
import { type JsonFile, openJsonFile } from "../files/json-file.ts";
import type { Remembered } from "./instruction-line.ts";

const OpenInstructions = Type.Object({
  /** Name of the newest file of which this is all that need be known; empty: of none. */
  upTo: Type.String(),
  /** Content by number. */
  open: Type.Record(Type.String(), Type.String()),
  /** Key by number; absent in files of releases before there were keys. */
  keys: Type.Optional(Type.Record(Type.String(), Type.String())),
});

type OpenInstructions = Static<typeof OpenInstructions>;

/** What is remembered, by number. */
export function openAfter({ open, keys = {} }: OpenInstructions): readonly (readonly [string, Remembered])[] {
  return Object.entries(open).map(([referenceNo, content]) => [referenceNo, { content, key: keys[referenceNo] }]);
}

export function toOpenInstructions(upTo: string, known: readonly (readonly [string, Remembered])[]): OpenInstructions {
  const open: Record<string, string> = {};
  const keys: Record<string, string> = {};
  for (const [referenceNo, { content, key }] of known) {
    open[referenceNo] = content;
    if (key !== undefined) keys[referenceNo] = key;
  }
  return { upTo, open, keys };
}

/** One that cannot be read stops the rail: an open instruction that is forgotten would be submitted twice. */
export function openInstructionsIn(path: string): JsonFile<OpenInstructions> {
  return openJsonFile(path, {
    schema: OpenInstructions,
    absent: { upTo: "", open: {} },
    advice: "delete it when all files of instructions are there: all are read then.",
  });
}

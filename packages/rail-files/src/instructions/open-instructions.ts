/** What must be remembered of the files of earlier days: their instructions whose transfers are open. */
import { type Static, Type } from "typebox";
import { type JsonFile, openJsonFile } from "../files/json-file.ts";

const OpenInstructions = Type.Object({
  /** Name of the newest file of which this is all that need be known; empty: of none. */
  upTo: Type.String(),
  /** Content by number. */
  open: Type.Record(Type.String(), Type.String()),
});

/** One that cannot be read stops the rail: an open instruction that is forgotten would be submitted twice. */
export function openInstructionsIn(path: string): JsonFile<Static<typeof OpenInstructions>> {
  return openJsonFile(path, {
    schema: OpenInstructions,
    absent: { upTo: "", open: {} },
    advice: "delete it when all files of instructions are there: all are read then.",
  });
}

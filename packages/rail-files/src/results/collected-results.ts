/** Up to where each file of results was collected. */
import { type Static, Type } from "typebox";
import { type JsonFile, openJsonFile } from "../files/json-file.ts";

const Offset = Type.Integer({ minimum: 0 });

/** Offsets in bytes, by the file's name: everything before `upTo` is collected, and the lines that begin at `beyond`. */
const Collected = Type.Record(Type.String(), Type.Object({ upTo: Offset, beyond: Type.Array(Offset) }));

export type Collected = Static<typeof Collected>;

/** Without it, every result would come again. */
export function collectedResultsIn(path: string): JsonFile<Collected> {
  return openJsonFile(path, {
    schema: Collected,
    absent: {},
    advice: "delete it, and every result comes again, which does no harm.",
  });
}

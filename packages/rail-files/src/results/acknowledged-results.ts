/** Up to where each file of results was acknowledged. */
import { type Static, Type } from "typebox";
import { type JsonFile, openJsonFile } from "../files/json-file.ts";

const Offset = Type.Integer({ minimum: 0 });

/** Offsets in bytes, by the file's name: everything before `upTo` is acknowledged, and the lines that begin at `beyond`. */
const Acknowledged = Type.Record(Type.String(), Type.Object({ upTo: Offset, beyond: Type.Array(Offset) }));

export type Acknowledged = Static<typeof Acknowledged>;

/** Without it, every result would come again. */
export function acknowledgedResultsIn(path: string): JsonFile<Acknowledged> {
  return openJsonFile(path, {
    schema: Acknowledged,
    absent: {},
    advice: "delete it, and every result comes again, which does no harm.",
  });
}

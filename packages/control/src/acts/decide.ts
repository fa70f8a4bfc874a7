import { ControlError } from "../control-error.ts";

const actsLocked = "Nothing was changed: another operator's transaction holds the acts. Repeat it once that has ended.";

/** A step of an act, by a function of the database: PostgreSQL says which right the operator lacks. @throws ControlError */
export async function decide<Result>(deciding: Promise<Result>): Promise<Result> {
  return deciding.catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error)) throw error;
    if (error.code === "55P03") throw new ControlError(503, "actsLocked", actsLocked);
    if (error.code === "42501") throw new ControlError(403, "notPermitted", `Nothing was changed: ${error.message}.`);
    if (error.code === "22023")
      throw new ControlError(409, "actChanged", `Nothing was changed: ${error.message}.`, "hash");
    throw error;
  });
}

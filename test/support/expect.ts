/** Assertions that hand on what they looked at. */
import assert from "node:assert/strict";
import type { AdminResult } from "../../packages/server/src/admin/result.ts";

/** The value of a command that must have been carried out. */
export function valueOf<Value>(result: AdminResult<Value, string>): Value {
  if (!result.ok)
    assert.fail(`rejected: ${result.rejection.kind} ${result.rejection.field ?? ""}: ${result.rejection.message}`);
  return result.value;
}

/** `kind` and `field` of a rejection as one text. */
export function rejectionOf(result: AdminResult<unknown, string>): string {
  assert.equal(result.ok, false, "the command was carried out");
  return result.ok ? "" : `${result.rejection.kind} ${result.rejection.field ?? "-"}`;
}

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

/** A result of administration, which may be an act that waits. */
export interface Waiting {
  readonly ok: boolean;
  readonly rejection?: { readonly kind: string; readonly message: string };
}

/** Id of the act that waits for its approval. */
export function waiting(result: Waiting): string {
  assert.equal(result.rejection?.kind, "waitsForApproval", JSON.stringify(result));
  return /act show ([0-9a-f-]{36})/.exec(result.rejection.message)?.[1] ?? assert.fail(result.rejection.message);
}

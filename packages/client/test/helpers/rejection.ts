/** Returns the error that a promise rejects with; fails when it does not reject. */
import assert from "node:assert/strict";

export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  assert.fail(`resolved to ${JSON.stringify(value)}`);
}

/** The operators' calls as rows, and answers compared with them. */
import assert from "node:assert/strict";
import { schemaFaults } from "@titian/contract";
import { type AnyCall, controlCalls } from "@titian/control";
import { sandboxCalls } from "../../packages/sandbox/src/control/sandbox-routes.ts";

export const controlRows: readonly AnyCall[] = [...controlCalls, ...sandboxCalls];

/** @param path after the mount, with its query */
export function checkControlAnswer(method: string, path: string, answer: unknown): void {
  const [target = ""] = path.split("?");
  const row = controlRows.find((one) => one.method === method && patternOf(one.path).test(target));
  assert.ok(row, `no row has ${method} ${path}`);
  if (row.answer === undefined) return;
  const faults = schemaFaults(row.answer, answer).map(({ kind, path: place }) => `${kind} ${place.join(".")}`);
  assert.deepEqual(faults, [], `the answer to ${method} ${path} is not of the row's schema`);
}

const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);

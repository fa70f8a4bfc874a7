/** The operators' calls as rows, and answers compared with them. */
import assert from "node:assert/strict";
import { fits, type ObjectSchema, schemaFaults } from "@titian/contract";
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

/** A path of the row, of a record that there is not. */
export const pathOf = ({ path }: Pick<AnyCall, "path">) => path.replaceAll(/\{\w+\}/g, "none");

export type Members = Readonly<Record<string, unknown>>;

/** Makes an input that a schema asks for, and no more. */
export function rightInput({ properties, required }: ObjectSchema): Members {
  return Object.fromEntries(
    required.map((name) => {
      const member = properties[name] ?? {};
      const { enum: choices = [], type, minimum = 1 } = member;
      const text = ["1", "0".repeat(64), "https://login.bank.example"].find((one) => fits(member, one));
      if (type === "array") return [name, []];
      return [name, choices[0] ?? (type === "integer" || type === "number" ? minimum : (text ?? "1"))];
    }),
  );
}

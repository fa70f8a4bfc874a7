/** Checks of answers that suites share, whatever operation they are of. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer, Json } from "./caller.ts";
import { expectCode } from "./transfers.ts";

/** It has the form of our numbers, and nothing has it. */
export const unknownNumber = "01JD7K3M9QZ8V2X4B6N8P0R2T4";

/** Nodes follow a change of reference data within 2 s; on a machine under load all of it takes many times as long. */
const patienceMs = 60_000;

/** Asks until there is a response that is not false: for what comes by itself, however long a slow machine takes. */
export async function eventually<Value>(
  ask: () => Value | undefined | false | Promise<Value | undefined | false>,
  everyMs = 100,
): Promise<Value> {
  for (const end = performance.now() + patienceMs; ; await sleep(everyMs)) {
    const value = await ask();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > end) assert.fail(`It has not come to be within ${patienceMs / 1_000} s: ${String(ask)}`);
  }
}

/** Asserts a rejection that names a field (400xx01, 400xx02). */
export function expectField(answer: Answer, code: string, field: string): void {
  expectCode(answer, code);
  const text = code.endsWith("02") ? "Invalid Mandatory Field" : "Invalid Field Format";
  assert.equal(answer.message, `${text} ${field}`, answer.text);
}

/** The fields of a response without its code and message. */
export function fieldsOf({ body }: Answer): Json {
  const { responseCode: _, responseMessage: __, ...fields } = body;
  return fields;
}

/** Every choice of one or more of the names. */
export function choicesOf(names: readonly string[]): readonly (readonly string[])[] {
  const all = names.reduce<readonly string[][]>((sets, name) => [...sets, ...sets.map((set) => [...set, name])], [[]]);
  return all.filter((set) => set.length > 0);
}

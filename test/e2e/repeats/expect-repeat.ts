/** Members that a response to a repeat has (spec D7), and those it must not have. */
import assert from "node:assert/strict";
import type { Answer, Json } from "../../support/black-box/caller.ts";
import { expectCode } from "../../support/black-box/transfers.ts";
import type { Write } from "../../support/black-box/writes/write.ts";

export const statusIn = ({ body }: Answer) => (body["additionalInfo"] as Json | undefined)?.["latestTransactionStatus"];

/** The response carries the first one and the status now, has its mandatory fields, and nothing that only a success has. */
export function expectOriginal(
  { mandatory, onSuccess }: Pick<Write, "mandatory" | "onSuccess">,
  answer: Answer,
  code: string,
  { first, status }: { readonly first: Answer; readonly status: unknown },
): void {
  expectCode(answer, code);
  assert.deepEqual(answer.body["additionalInfo"], { originalResponse: first.body, latestTransactionStatus: status });
  for (const name of mandatory) assert.ok(answer.body[name] !== undefined, `${name} in ${answer.text}`);
  for (const name of onSuccess) assert.equal(name in answer.body, false, answer.text);
}

/** The response says nothing of the first one. */
export function expectNoOriginal(answer: Answer, code: string): void {
  expectCode(answer, code);
  assert.equal(answer.message, "Conflict [X-EXTERNAL-ID was used for another request]");
  for (const name of ["additionalInfo", "referenceNo"]) assert.equal(name in answer.body, false, answer.text);
}

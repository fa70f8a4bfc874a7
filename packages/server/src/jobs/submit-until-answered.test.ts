import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command, Outcome } from "../engine/command.ts";
import { submitUntilAnswered } from "./submit-until-answered.ts";

type Kind = "unknown" | "overloaded" | "nothing";

/** The outcome after tries with these outcomes; no try begins after the last. */
async function outcomeAfter(...kinds: readonly Kind[]): Promise<string> {
  let tries = 0;
  const clock = { real: () => tries };
  const submit = async () => ({ kind: kinds[tries++] ?? "nothing" }) as Outcome<never>;
  const outcome = await submitUntilAnswered({ engine: { submit }, clock }, () => ({}) as Command<never>, kinds.length);
  return outcome.kind;
}

test("an unknown result stays unknown until the ledger answers", async () => {
  assert.equal(await outcomeAfter("overloaded", "overloaded"), "overloaded");
  assert.equal(await outcomeAfter("unknown", "overloaded"), "unknown");
  assert.equal(await outcomeAfter("unknown", "nothing"), "nothing");
});

// Mistakes of real clients are named rightly, and nothing is named that is not so. Figures: npm test -- explain.
import assert from "node:assert/strict";
import { test } from "node:test";
import { alpha, beta, body, delta, evidenceOf, explain, gamma } from "./calls.ts";
import { pairs, singles } from "./mistakes/all-mistakes.ts";
import type { Mistake } from "./mistakes/mistake.ts";
import { sources } from "./mistakes/sources.ts";
import { draftOf } from "./wrong-signer.ts";

const singlesMin = 140;
const namedShareMin = 0.97;
/** 64 KiB: what a refused call of that length costs is the figure that matters. */
const longBody = JSON.stringify({ ...JSON.parse(body), additionalInfo: { note: "a b/c ".repeat(10_700) } });

function make({ mode, make: change }: Mistake, text: string) {
  const own = mode === "asymmetric" ? gamma : alpha;
  const draft = draftOf(own, text);
  change(draft, { own, other: beta, otherInMode2: delta });
  return evidenceOf(draft, own);
}

interface Outcome {
  readonly unnamed: readonly string[];
  readonly wrong: readonly string[];
  readonly cpuMs: readonly number[];
}

function nameAll(mistakes: readonly Mistake[], text: string): Outcome {
  const unnamed: string[] = [];
  const wrong: string[] = [];
  const cpuMs: number[] = [];
  for (const mistake of mistakes) {
    const explained = explain(make(mistake, text));
    assert.ok(explained !== undefined, `not rejected: ${mistake.name}`);
    cpuMs.push(explained.cpuMs);
    const { cause, sentence, sentenceId } = explained.report.diagnosis;
    const ids = sentenceId.split("+").toSorted().join("+");
    if (cause === "unknown") unnamed.push(mistake.name);
    else if (cause !== mistake.cause || ids !== mistake.sentenceId) {
      wrong.push(`${mistake.name}: ${cause} ${sentenceId} (${sentence})`);
    }
    const printed = JSON.stringify(explained.report);
    for (const { clientSecret } of [alpha, beta]) assert.ok(!printed.includes(clientSecret), mistake.name);
    assert.ok(!printed.includes("AAAAAAAAAA") && !printed.includes("BBBBBBBBBB"), `token shown: ${mistake.name}`);
  }
  return { unnamed, wrong, cpuMs: cpuMs.toSorted((a, b) => a - b) };
}

test("a right call is not explained", () => {
  for (const own of [alpha, gamma]) assert.equal(explain(evidenceOf(draftOf(own, body), own)), undefined);
});

test("the list has at least 140 mistakes, none twice, and a use for each source", () => {
  assert.ok(singles.length >= singlesMin, String(singles.length));
  assert.equal(new Set(singles.map(({ name }) => name)).size, singles.length);
  const unused = Object.keys(sources).filter((source) => !singles.some((single) => single.source === source));
  assert.deepEqual(unused, []);
});

for (const [name, mistakes, text] of [
  ["mistakes", singles, body],
  ["pairs of mistakes", pairs, body],
  ["of the mistakes, in calls of 64 KiB", singles.filter(isOfAnyLength).filter((_, at) => at % 4 === 0), longBody],
] as const) {
  test(`${mistakes.length} ${name}: at least 97 % are named, and none wrongly`, (t) => {
    const { unnamed, wrong, cpuMs } = nameAll(mistakes, text);
    const share = 1 - unnamed.length / mistakes.length;
    const cpu = `median ${cpuMs.at(cpuMs.length >> 1)?.toFixed(1)} ms, most ${cpuMs.at(-1)?.toFixed(1)} ms`;
    t.diagnostic(`${(share * 100).toFixed(1)} % named; CPU: ${cpu}; not named: ${unnamed.join(", ") || "none"}`);
    assert.deepEqual(wrong, []);
    assert.ok(share >= namedShareMin, unnamed.join(", "));
  });
}

/** Long bodies are not written in other orders or without a member; JSON and fields are the same at any length. */
function isOfAnyLength({ group, sentenceId }: Mistake): boolean {
  return group !== "JSON" && !["bodyHash.otherOrder", "bodyHash.memberLeftOut"].includes(sentenceId);
}

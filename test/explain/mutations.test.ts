// Single mutations of right calls get no wrong name. Most get none: they are no mistakes that clients make.
import assert from "node:assert/strict";
import { test } from "node:test";
import { randomNumbers } from "../torture/random-numbers.ts";
import { alpha, body, evidenceOf, explain, gamma } from "./calls.ts";
import { mutateDraft } from "./mutations.ts";
import { draftOf } from "./wrong-signer.ts";

const seed = Number(process.env["TITIAN_TEST_SEED"] ?? Date.now() % 1_000_000);
/** `TITIAN_TEST_RUNS=1000` for a long run. */
const runs = Number(process.env["TITIAN_TEST_RUNS"] ?? 150);
const random = randomNumbers(seed);
const below = (limit: number) => Math.floor(random() * limit);

test(`none of ${runs} mutations of signed calls is named wrongly`, (t) => {
  t.diagnostic(`seed ${seed}`);
  const wrong: string[] = [];
  const counts = { named: 0, unnamed: 0, accepted: 0 };
  for (let run = 0; run < runs; run += 1) {
    const own = below(2) === 0 ? alpha : gamma;
    const draft = draftOf(own, body);
    const { name, causes, member } = mutateDraft(draft, own, below);
    const explained = explain(evidenceOf(draft, own));
    if (explained === undefined) {
      counts.accepted += 1;
      continue;
    }
    const { cause, part, sentence } = explained.report.diagnosis;
    counts[cause === "unknown" ? "unnamed" : "named"] += 1;
    const isRightCause = cause === "unknown" || causes.includes(cause);
    const isRightField = cause !== "field" || part.startsWith(member ?? "");
    if (!isRightCause || !isRightField) wrong.push(`run ${run}, ${name} of ${own.partnerId}: ${part}: ${sentence}`);
  }
  t.diagnostic(`${counts.named} named, ${counts.unnamed} not, ${counts.accepted} accepted as they are`);
  assert.deepEqual(wrong, []);
  assert.ok(counts.named > 0 && counts.unnamed > 0);
});

/** Goal: results that nobody read for long are all reported, however many they are. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { useDatabase } from "../../support/database/database.ts";
import { openFileRail } from "../contract/open-rail.ts";
import { scratchDirectory, tell } from "./file-side.ts";

test("thousands of results are reported page by page, each until it is acknowledged, in the order of their files", async () => {
  const database = await useDatabase();
  after(() => database.drop());
  const directory = scratchDirectory();
  const rail = await openFileRail({ name: "skn", directory, url: database.url }, { lines: [] });
  after(() => rail.close());
  const numbers = Array.from({ length: 5_000 }, (_, index) => `N${index}`);
  const results = numbers.map((referenceNo) => ({ referenceNo, result: "settled" }));
  tell(directory, "a.jsonl", ...results.slice(0, 4_500));
  tell(directory, "b.jsonl", ...results.slice(4_500));
  const reported = new Set<string>();
  for (let page = await rail.results(256); page.length > 0; page = await rail.results(256)) {
    for (const { referenceNo } of page) reported.add(referenceNo);
    await rail.acknowledge(page);
  }
  assert.deepEqual([...reported], numbers);
});

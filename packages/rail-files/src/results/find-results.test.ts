/** Goal: results that cannot be read are never taken for none. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { findResults } from "./find-results.ts";

const root = mkdtempSync(join(tmpdir(), "titian-find-results-"));
after(() => rmSync(root, { recursive: true, force: true }));
const find = (folder: string) => findResults(folder, { ledgerId: "ours", numbers: new Set(["N1"]) });

test("a folder that is not there has no results; what cannot be read is named, and the other files are read", async () => {
  assert.deepEqual(await find(join(root, "none")), { byNumber: new Map(), unread: [] });
  const folder = join(root, "results");
  mkdirSync(join(folder, "b.jsonl"), { recursive: true });
  writeFileSync(join(folder, "a.jsonl"), '{"referenceNo":"N1","result":"settled"}\n');
  symlinkSync("a.jsonl", join(folder, "c.jsonl"));
  const { byNumber, unread } = await find(folder);
  assert.deepEqual(
    byNumber.get("N1")?.map(({ state }) => state.kind),
    ["settled"],
  );
  assert.deepEqual(unread, ["b.jsonl: it is no file", "c.jsonl: it is a symbolic link, which is not followed"]);
  writeFileSync(join(root, "file"), "");
  await assert.rejects(find(join(root, "file")), /ENOTDIR/);
});

// Old files have one line each: a lease is renewed between them, however many are one page.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { volumeOf } from "../files/volume.ts";
import { listFiles, nameOf, readPages } from "./read-directory.ts";

test("each file of a page is told, before the page", async (t) => {
  const directory = mkdtempSync(join(tmpdir(), "titian-pages-"));
  t.after(() => rmSync(directory, { recursive: true }));
  for (let day = 1; day <= 28; day += 1)
    writeFileSync(join(directory, nameOf(`2026-02-${String(day).padStart(2, "0")}`, 1)), "{}\n");
  const volume = await volumeOf(directory);
  let told = 0;
  const onFile = async () => void (told += 1);
  const pages: [lines: number, told: number][] = [];
  for await (const page of readPages({ volume, directory, onFile }, await listFiles(volume, directory), ""))
    pages.push([page.length, told]);
  assert.deepEqual(pages, [[28, 28]]);
});

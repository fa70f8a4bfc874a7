/** Rails are data: a service works by the operator's files, and tells its callers' fees from them. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { startSandbox } from "../support/black-box/start-sandbox.ts";

const directory = mkdtempSync(join(tmpdir(), "titian-rail-files-"));
after(() => rmSync(directory, { recursive: true }));

test("sandbox.json has the fees of the file that TITIAN_RAILS_FILE names", async () => {
  const path = join(directory, "rails.json");
  const rail = (name: string, fee: string) => ({ name, currency: "IDR", least: "1.00", fee, sharedFeeMost: "1000.00" });
  writeFileSync(path, JSON.stringify([rail("skn", "0"), rail("interbank", "1999.50"), rail("rtgs", "30000")]));
  await using sandbox = await startSandbox({ TITIAN_RAILS_FILE: path });
  assert.deepEqual(sandbox.file.fees, { interbank: "1999.50", rtgs: "30000.00", skn: "0.00" });
});

test("without one they are those that come with the release", async () => {
  await using sandbox = await startSandbox();
  assert.deepEqual(sandbox.file.fees, { interbank: "2500.00", rtgs: "25000.00", skn: "2900.00" });
});

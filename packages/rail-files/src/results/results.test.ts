/** Goal: what a node that answers inquiries alone has read is handled once more, and kept, as soon as it has the lease. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { BadResultLine, ExportLease } from "@titian/server/rails";
import { volumeOf } from "../files/volume.ts";
import { createResults } from "./results.ts";

const folder = mkdtempSync(join(tmpdir(), "titian-results-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("a line that cannot be understood, and was read for inquiries alone first, is set aside by the lease that comes", async () => {
  writeFileSync(join(folder, "a.jsonl"), "no JSON\n");
  const [setAside, told]: [BadResultLine[], BadResultLine[]] = [[], []];
  const lease = (): ExportLease =>
    ({
      setLineAside: async (line: BadResultLine) => {
        setAside.push(line);
        return setAside.length === 1;
      },
      recordReports: async () => [],
    }) as unknown as ExportLease;
  let current: ExportLease | undefined;
  const results = createResults({
    volume: await volumeOf(folder),
    folder,
    records: {
      origin: async () => ({ ledgerId: "ours", systemIdentifier: "", timeline: 1 }),
      positions: async () => ({}),
    },
    lease: () => current,
    clock: { real: Date.now, monotonic: () => performance.now() } as never,
    isAwaitedHere: () => false,
    readsOnly: () => current === undefined,
    onBadLine: (line) => void told.push(line),
  });
  for (let times = 0; times < 2; times += 1) assert.equal(await results.read(), 0);
  assert.deepEqual([setAside.length, told.length], [0, 1]);
  for (let times = 0; times < 2; times += 1) {
    current = lease();
    for (let again = 0; again < 2; again += 1) assert.equal(await results.read(), 0);
  }
  const { file, line } = setAside[0] ?? assert.fail("it was not set aside");
  assert.deepEqual([file, line, setAside.length], ["a.jsonl", 1, 1]);
});

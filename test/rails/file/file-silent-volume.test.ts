/** Goal: a rail whose volume hangs says so and gives its lease to others, and it goes on once the volume answers. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, constants, existsSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { volumeOf } from "../../../packages/rail-files/src/files/volume.ts";
import { RailDown } from "../../../packages/server/src/rails/rail.ts";
import { eventually } from "../../support/black-box/answers.ts";
import { confirmed } from "../../support/confirmed-commit.ts";
import { useDatabase } from "../../support/database/database.ts";
import { queryRows } from "../../support/database/with-client.ts";
import { openFileRail } from "../contract/open-rail.ts";
import { instructionTo, kindOf, timeout } from "../contract/other-side.ts";

test("results and instructions wait for a volume that hangs, and for nothing else", async () => {
  const database = await useDatabase();
  after(() => database.drop());
  // A volume of its own, where there is one: other tests have rails on that of temporary files.
  const directory = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "titian-silent-"));
  after(() => rmSync(directory, { recursive: true }));
  const lines: string[] = [];
  const rail = await openFileRail({ name: "skn", directory, url: database.url }, { lines });
  after(() => rail.close());
  assert.equal(kindOf(await rail.submit(instructionTo("1000000001"), timeout(), confirmed)), "pending");
  const pipe = join(directory, "pipe");
  execFileSync("mkfifo", [pipe]);
  const volume = await volumeOf(join(directory, "results"));
  await assert.rejects(
    volume.run(async () => (await open(pipe, "r")).close()),
    /the volume of .* does not answer/,
  );
  const holder = async () => (await queryRows(database.url, "select holder from rail_leases"))[0];
  await eventually(async () => (await holder())?.["holder" as never] === null, 5);
  await assert.rejects(rail.results(1), (error) => error instanceof RailDown && /does not answer/.test(error.message));
  assert.ok(lines.some((line) => /rail.export_failed.*does not answer/.test(line)));
  closeSync(openSync(pipe, constants.O_RDWR));
  await eventually(async () => (await holder())?.["holder" as never] !== null, 5);
  assert.equal(kindOf(await rail.submit(instructionTo("1000000001"), timeout(), confirmed)), "pending");
  assert.deepEqual(await rail.results(1), []);
});

// A volume that hangs: operations on it fail, those on others go on, and so do the threads that all share.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { createVolumes, VolumeSilent } from "./volume.ts";

const folder = mkdtempSync(join(tmpdir(), "titian-volume-"));
after(() => rmSync(folder, { recursive: true }));

/** A pipe that nobody writes: an operation that opens it takes a thread until `free`. */
function makePipe(name: string) {
  const path = join(folder, name);
  execFileSync("mkfifo", [path]);
  return { path, free: () => closeSync(openSync(path, constants.O_RDWR)) };
}

test("an operation that hangs fails, and nothing more is begun on its volume until it has ended", async () => {
  const openVolume = createVolumes(100);
  const [hanging, other] = [openVolume("one"), openVolume("other")];
  const pipe = makePipe("pipe");
  const late: string[] = [];
  const openPipe = async () => {
    await using file = await open(pipe.path, "r");
    return file.fd === -1 ? "closed" : "opened";
  };
  const calls = Array.from({ length: 8 }, () => hanging.run(openPipe, (value) => void late.push(value)));
  const ended = await Promise.allSettled(calls);
  assert.ok(ended.every((one) => one.status === "rejected" && one.reason instanceof VolumeSilent));
  assert.equal(hanging.silentBecause(), "the volume of one does not answer");
  let begun = 0;
  const count = async () => void (begun += 1);
  await assert.rejects(hanging.run(count), VolumeSilent);
  await hanging.end(count);
  assert.equal(begun, 0);
  // Threads are left for another volume, and for what is no rail's.
  assert.match(await other.run(() => readFile(import.meta.filename, "utf8")), /A volume that hangs/);
  assert.match(await readFile(import.meta.filename, "utf8"), /A volume that hangs/);
  const back = Promise.withResolvers<void>();
  await hanging.end(async () => back.resolve());
  pipe.free();
  await back.promise;
  assert.deepEqual(late, ["opened", "opened"], "two had begun");
  assert.equal(begun, 1);
  assert.equal(hanging.silentBecause(), undefined);
  assert.equal(await hanging.run(async () => 7), 7);
});

test("one thread is left where several volumes hang, and what cannot begin fails in time", async () => {
  const openVolume = createVolumes(100);
  const pipe = makePipe("other-pipe");
  const openPipe = async () => (await open(pipe.path, "r")).close();
  const calls = ["a", "b", "c"].flatMap((name) => [1, 2].map(() => openVolume(name).run(openPipe)));
  const ended = await Promise.allSettled(calls);
  assert.ok(ended.every((one) => one.status === "rejected" && one.reason instanceof VolumeSilent));
  const healthy = openVolume("d");
  // Its rail gives the lease back as well: another node may write the files.
  assert.match(healthy.silentBecause() ?? "", /volumes of other rails/);
  await assert.rejects(
    healthy.run(async () => undefined),
    VolumeSilent,
  );
  const closed = Promise.withResolvers<void>();
  await healthy.end(async () => closed.resolve());
  assert.match(await readFile(import.meta.filename, "utf8"), /several volumes hang/);
  pipe.free();
  await closed.promise;
  assert.equal(healthy.silentBecause(), undefined);
  assert.equal(await healthy.run(async () => 7), 7);
});

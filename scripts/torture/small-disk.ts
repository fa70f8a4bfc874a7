/** A small disk in memory, which a long run fills to its last byte. Linux, as root, which may mount it. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fail } from "./command-line.ts";

/** Gives the disk's directory to the work, and unmounts it behind that. `size`: as tmpfs reads it. */
export async function withSmallDisk(size: string, work: (directory: string) => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) fail("it mounts a small disk: run it as root");
  const directory = mkdtempSync(join(tmpdir(), "titian-disk-"));
  run("mount", "-t", "tmpfs", "-o", `size=${size}`, "tmpfs", directory);
  try {
    await work(directory);
  } finally {
    run("umount", "-l", directory);
    rmdirSync(directory);
  }
}

function run(program: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args);
  if (status !== 0) fail(`${program}: ${String(stderr)}`);
}

/** To the last byte. */
export function fill(path: string): void {
  for (let bytes = 16_777_216; bytes >= 4_096; bytes /= 2) {
    for (let isFull = false; !isFull; ) {
      try {
        writeFileSync(path, Buffer.alloc(bytes), { flag: "a" });
      } catch {
        isFull = true;
      }
    }
  }
}

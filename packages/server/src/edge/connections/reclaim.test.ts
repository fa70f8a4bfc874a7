import assert from "node:assert/strict";
import { test } from "node:test";
import { createReclaim } from "./reclaim.ts";

const mib = 1_048_576;

test("young memory is collected every 8 MiB, old memory when it has grown by 128 MiB", () => {
  const collected: string[] = [];
  let external = 100 * mib;
  const reclaim = createReclaim({
    externalBytes: () => external,
    collect: (type) => {
      collected.push(type);
      if (type === "major") external = 60 * mib;
    },
  });
  const readMiB = (count: number) => {
    collected.length = 0;
    for (let i = 0; i < count; i += 1) reclaim.read(mib);
    return collected.join(" ");
  };
  assert.equal(readMiB(7), "");
  assert.equal(readMiB(1), "minor");
  external = 227 * mib;
  assert.equal(readMiB(8), "minor");
  external = 228 * mib;
  assert.equal(readMiB(8), "minor major");
  external = 187 * mib;
  assert.equal(readMiB(8), "minor", "grown by 127 MiB since then");
  external = 20 * mib;
  assert.equal(readMiB(8), "minor", "V8 has collected");
  external = 148 * mib;
  assert.equal(readMiB(8), "minor major");
});

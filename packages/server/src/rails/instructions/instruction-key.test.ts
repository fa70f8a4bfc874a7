import assert from "node:assert/strict";
import { test } from "node:test";
import { instructionKey } from "./instruction-key.ts";

const partner = "0190abcd-ef01-7234-8567-89abcdef0123";

test("keys of instructions are those of docs/reference/rails.md: rails keep them for ever", () => {
  const rows = [
    [18, "2026112100000000000001", "2A5N5MS1KMC07GD3H1VB0BJ5QXXHV4PK"],
    [20, "2026112100000000000001", "724PP2YNGAC33RWJAKCWMD0HSFMAPZC6"],
    [23, 'é😀"\\', "1DD6VFZN1DGZDAQWC4Y63BCK81D9TGGW"],
  ] as const;
  for (const [service, partnerReferenceNo, key] of rows)
    assert.equal(instructionKey({ partner, service, partnerReferenceNo }), key);
});

test("no two intents have one key", () => {
  const keys = [
    instructionKey({ partner, service: 18, partnerReferenceNo: "1" }),
    instructionKey({ partner, service: 1, partnerReferenceNo: "81" }),
    instructionKey({ partner, service: 18, partnerReferenceNo: '","' }),
    instructionKey({ partner: `${partner}","18`, service: 18, partnerReferenceNo: "1" }),
  ];
  assert.equal(new Set(keys).size, keys.length);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { PartnerCredentials } from "../../interfaces/call.ts";
import { SealError } from "../../basics/secrets.ts";
import { checkMasterKey } from "./check-master-key.ts";

const partnerWith = (...secrets: readonly string[]) => ({ secrets }) as unknown as PartnerCredentials;
const damaged = new SealError("damaged");
const ofOtherKey = (id: string) => new SealError("sealed with another key", id);

const starting: readonly (readonly [string, readonly PartnerCredentials[], readonly SealError[]])[] = [
  ["no secret at all", [partnerWith()], []],
  ["every secret opens", [partnerWith("a")], []],
  ["one opens of many", [partnerWith(), partnerWith("a")], [damaged, ofOtherKey("k1"), ofOtherKey("k1")]],
  ["the only secret is damaged: it names our key", [partnerWith()], [damaged]],
];
for (const [name, partners, unreadable] of starting) {
  test(`a node starts: ${name}`, () => checkMasterKey(partners, unreadable));
}

const refused: readonly (readonly [string, readonly SealError[], RegExp])[] = [
  [
    "the only one names another key",
    [ofOtherKey("k1")],
    /^The only sealed client secret does not open.*key they name is k1\./,
  ],
  ["none of several opens", [damaged, damaged], /^None of the 2 sealed client secrets opens with TITIAN_MASTER_KEY/],
  [
    "they name another key",
    [ofOtherKey("k1"), ofOtherKey("k1")],
    /key they name is k1\. Set .*TITIAN_MASTER_KEY_PREVIOUS/,
  ],
];
for (const [name, unreadable, message] of refused) {
  test(`a node does not start: ${name}`, () => {
    assert.throws(() => checkMasterKey([partnerWith(), partnerWith()], unreadable), { name: "SealError", message });
  });
}

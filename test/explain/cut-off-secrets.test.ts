/** Client secrets of which a sentence shows only the start: texts of a call are cut off in explanations. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type CallEvidence, explainRefusal, type PartnerSecrets } from "@titian/explain";
import { makeSigner } from "./wrong-signer.ts";

const secret = "sk5f0c1d2e3b4a59687766554433221100";
const signer = makeSigner("alpha", "symmetric");
const partner: PartnerSecrets = {
  ...signer,
  key: "key-of-alpha",
  status: "active",
  secrets: [secret],
  publicKeys: [signer.publicKey],
  channelId: "95221",
  channelIdLengthMax: 5,
  acceptsMinifiedSignature: true,
  timestampWindowMs: 300_000,
};

function diagnose(evidence: Pick<CallEvidence, "target" | "body" | "operation" | "rejectedAt" | "rejection">) {
  const at = Date.parse("2026-11-21T10:00:00+07:00");
  const rawHeaders = ["X-TIMESTAMP", "2026-11-21T10:00:00+07:00", "X-CLIENT-KEY", signer.clientKey];
  const paths = { prefixes: [""], versions: ["v1.0"] };
  const call = { method: "POST", rawHeaders, at, businessTime: at, responseCode: "", paths, ...evidence };
  return explainRefusal(call, [partner]).diagnosis;
}

test("a client secret cut off in its middle by a sentence is not shown at all", () => {
  const rejected = { rejectedAt: 1, rejection: { case: "invalidTransactionStatus" } } as const;
  for (let before = 15; before < 55; before += 1) {
    const target = `/${"a".repeat(before)}/${secret}/a`;
    const diagnosis = diagnose({ ...rejected, target, body: Buffer.from("{}"), operation: undefined });
    assert.match(diagnosis.sentence, /•••/);
    assert.doesNotMatch(JSON.stringify(diagnosis), /sk5/);
  }
});

test("a client secret in a body without quotation marks is not shown at all", () => {
  const rejected = { rejectedAt: 10, rejection: { case: "badRequest" }, operation: "accessTokenB2b" } as const;
  for (const text of [`{"a":${secret}}`, `{${secret}:1}`, `{"a":1${secret}}`]) {
    const diagnosis = diagnose({ ...rejected, target: "/v1.0/access-token/b2b", body: Buffer.from(text) });
    assert.match(diagnosis.sentence, /•••/, text);
    assert.doesNotMatch(JSON.stringify(diagnosis), /sk5/, text);
  }
});

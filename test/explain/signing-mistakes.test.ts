// Mistakes in signing are named rightly, and nothing is named that does not verify. Figures: npm test -- explain.
import assert from "node:assert/strict";
import { test } from "node:test";
import { explainRefusal, type CallEvidence, type PartnerSecrets } from "@titian/explain";
import { customerAuthorization, type Mistake, pairs, singles } from "./signing-mistakes.ts";
import { type Draft, draftOf, makeSigner, type Signer, signatureOf } from "./wrong-signer.ts";

const body = JSON.stringify({
  partnerReferenceNo: "INV/2026/0001",
  amount: { value: "10000.00", currency: "IDR" },
  beneficiaryAccountNo: "1009000001",
  remark: "Rp 10.000/hari — kopi",
  sourceAccountNo: "1001000001",
  customerReference: "C1",
});
/** 64 KiB: what a refused call of that length costs is the figure that matters. */
const longBody = JSON.stringify({ ...JSON.parse(body), additionalInfo: { note: "a b/c ".repeat(10_700) } });

const alpha = makeSigner("alpha", "symmetric");
const beta = makeSigner("beta", "symmetric");
const gamma = makeSigner("gamma", "asymmetric");
const known = [alpha, beta, gamma].map(secretsOf);

function secretsOf({ partnerId, clientKey, clientSecret, publicKey, signing }: Signer): PartnerSecrets {
  return {
    key: `key-of-${partnerId}`,
    partnerId,
    clientKey,
    status: "active",
    signing,
    secrets: [clientSecret],
    publicKeys: [publicKey],
    channelId: "95221",
    channelIdLengthMax: 5,
    acceptsMinifiedSignature: true,
    timestampWindowMs: 300_000,
  };
}

function evidenceOf(draft: Draft, { partnerId }: Signer): CallEvidence {
  return {
    method: draft.method,
    target: draft.path,
    rawHeaders: Object.entries({
      Host: "127.0.0.1:8080",
      "Content-Type": "application/json",
      "X-TIMESTAMP": draft.timestamp,
      "X-PARTNER-ID": partnerId,
      "X-EXTERNAL-ID": "1",
      "CHANNEL-ID": "95221",
      "X-SIGNATURE": signatureOf(draft),
      "Authorization-Customer": customerAuthorization,
      ...(draft.token !== undefined && { Authorization: `Bearer ${draft.token}` }),
    }).flat(),
    body: draft.body,
    at: Date.parse("2026-11-21T03:00:05Z"),
    businessTime: Date.parse("2026-11-21T03:00:05Z"),
    operation: "intrabankTransfer",
    rejectedAt: 7,
    rejection: { case: "unauthorized", reason: "Signature" },
    responseCode: "4011700",
    paths: { prefixes: [""], versions: ["v1.0"] },
  };
}

function explain({ mode, make }: Mistake, text: string) {
  const own = mode === "asymmetric" ? gamma : alpha;
  const draft = draftOf(own, text);
  make(draft, { own, other: beta });
  const evidence = evidenceOf(draft, own);
  const startedAt = process.threadCpuUsage();
  const report = explainRefusal(evidence, known);
  const { user, system } = process.threadCpuUsage(startedAt);
  return { report, cpuMs: (user + system) / 1_000 };
}

for (const [length, text] of [
  ["a short", body],
  ["a 64 KiB", longBody],
] as const) {
  test(`${singles.length} mistakes and ${pairs.length} pairs of them in calls with ${length} body are named`, (t) => {
    const times: number[] = [];
    const wrong: string[] = [];
    let unknown = 0;
    for (const mistake of [...singles, ...pairs]) {
      const { report, cpuMs } = explain(mistake, text);
      times.push(cpuMs);
      const { cause, sentence } = report.diagnosis;
      if (cause === "unknown") {
        unknown += 1;
        t.diagnostic(`not found: ${mistake.name}`);
      } else if (cause !== mistake.cause) wrong.push(`${mistake.name}: ${cause} (${sentence})`);
      const printed = JSON.stringify(report);
      for (const { clientSecret } of [alpha, beta]) assert.ok(!printed.includes(clientSecret), mistake.name);
      assert.ok(!printed.includes("e30e30e30e30") && !printed.includes("e31e31e31e31"), `token shown: ${mistake.name}`);
    }
    times.sort((a, b) => a - b);
    t.diagnostic(
      `CPU: median ${times.at(times.length >> 1)?.toFixed(1)} ms, most ${times.at(-1)?.toFixed(1)} ms; ${unknown} not found`,
    );
    assert.deepEqual(wrong, []);
    assert.ok(unknown <= (singles.length + pairs.length) * 0.05, `${unknown} not found`);
  });
}

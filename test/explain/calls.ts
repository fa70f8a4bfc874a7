/** Calls of some partners, judged and explained as a saved call is. */
import {
  type CallEvidence,
  explainRefusal,
  findRefusal,
  operationAtTarget,
  type PartnerSecrets,
} from "@titian/explain";
import { customerToken } from "./mistakes/text-mistakes.ts";
import { type Draft, makeSigner, type Signer, signatureOf } from "./wrong-signer.ts";

export const body = JSON.stringify({
  partnerReferenceNo: "INV/2026/0001",
  amount: { value: "10000.00", currency: "IDR" },
  beneficiaryAccountNo: "1009000001",
  remark: "Rp 10.000/hari — kopi",
  sourceAccountNo: "1001000001",
  customerReference: "C1",
  transactionDate: "2026-11-21T10:00:00+07:00",
});

export const alpha = makeSigner("alpha", "symmetric");
export const beta = makeSigner("beta", "symmetric");
export const gamma = makeSigner("gamma", "asymmetric");
export const delta = makeSigner("delta", "asymmetric");
/** `gamma` has agreed to nothing that is not the standard's. */
const known = [alpha, beta, gamma, delta].map((signer) => ({
  ...secretsOf(signer),
  acceptsMinifiedSignature: signer !== gamma,
}));

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

const at = Date.parse("2026-11-21T03:00:05Z");

export function evidenceOf(draft: Draft, { partnerId }: Signer): CallEvidence {
  const headers = {
    Host: "127.0.0.1:8080",
    "Content-Type": "application/json",
    "X-TIMESTAMP": draft.timestamp,
    "X-PARTNER-ID": partnerId,
    "X-EXTERNAL-ID": "1",
    "CHANNEL-ID": "95221",
    "X-SIGNATURE": signatureOf(draft),
    "Authorization-Customer": `Bearer ${customerToken}`,
    Authorization: draft.token === undefined ? undefined : `Bearer ${draft.token}`,
    ...draft.headers,
  };
  const paths = { prefixes: [""], versions: ["v1.0"] };
  return {
    method: draft.method,
    target: draft.path,
    rawHeaders: Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [name, value])),
    body: draft.body,
    at,
    businessTime: at,
    operation: operationAtTarget(draft.path, paths),
    rejectedAt: undefined,
    rejection: undefined,
    responseCode: "",
    paths,
  };
}

/** Undefined: the call is not rejected by what can be judged here. */
export function explain(call: CallEvidence) {
  const refusal = findRefusal(call, known);
  if (refusal === undefined) return undefined;
  const evidence = { ...call, rejectedAt: refusal.step, rejection: refusal.rejection };
  const startedAt = process.threadCpuUsage();
  const report = explainRefusal(evidence, known);
  const { user, system } = process.threadCpuUsage(startedAt);
  return { report, cpuMs: (user + system) / 1_000 };
}

/** One request of the fuzz: a valid one of some partner, and what went wrong with it. */
import { newNumber } from "../support/black-box/caller.ts";
import type { SandboxFile } from "../support/black-box/sandbox-file.ts";
import { timestampOf } from "../support/black-box/signer.ts";
import { spoilBytes, spoilStructure } from "./body-mutations.ts";
import { bytesOf, type Credentials, type Draft, signDraft } from "./draft.ts";
import { spoilHeader, spoilMethod, spoilTarget } from "./header-mutations.ts";
import type { Random } from "./random.ts";
import { pickSample, type Sample } from "./samples.ts";
import { spoilStream } from "./stream-mutations.ts";

/** Share of each kind, of a hundred. */
const shares = {
  structure: 44,
  bytes: 15,
  header: 14,
  signature: 5,
  target: 5,
  method: 4,
  stream: 8,
  none: 5,
} as const;

export type Kind = keyof typeof shares;
const kinds: readonly Kind[] = Object.entries(shares).flatMap(([kind, share]) => Array<Kind>(share).fill(kind as Kind));

export interface FuzzRequest {
  readonly kind: Kind;
  readonly serviceCode: string;
  readonly bytes: Buffer;
  /** The response to HEAD has no body. */
  readonly isHead: boolean;
  /** Its end may not be where the server sees it, so nothing else goes over the same connection. */
  readonly isAlone: boolean;
  /** The connection is closed behind it, without waiting. */
  readonly leaves: boolean;
}

export function makeRequest(random: Random, file: SandboxFile, credentials: Credentials): FuzzRequest {
  const kind = random.pick(kinds);
  const [from = "", to = "", , , empty = ""] = credentials.partner.sourceAccounts;
  const sample = pickSample(random, { from, to, empty });
  const { serviceCode } = sample;
  const made = { kind, serviceCode, isHead: false, isAlone: false, leaves: false };
  if (kind === "stream") {
    // Rejected by its amount, so that no money moves where nobody waits for the response.
    const body = { ...sample.body, amount: { value: "0.00", currency: "IDR" } };
    const draft = draftOf(random, file, credentials, { ...sample, body }, kind);
    return { ...made, isAlone: true, ...spoilStream(random, draft) };
  }
  const draft = draftOf(random, file, credentials, sample, kind);
  if (kind === "header") spoilHeader(random, draft);
  if (kind === "method") spoilMethod(random, draft);
  const isAlone = kind === "header" || kind === "method" || kind === "target";
  return { ...made, isAlone, isHead: draft.method === "HEAD", bytes: bytesOf(draft) };
}

/** Signed for what it holds, so that it is read; but for the kind that is about the signature. */
function draftOf(random: Random, file: SandboxFile, credentials: Credentials, sample: Sample, kind: Kind): Draft {
  const path = `${file.pathPrefix}/${file.version}/${sample.suffix}`;
  const body = bodyOf(random, sample, kind);
  return signDraft(credentials, {
    serviceCode: sample.serviceCode,
    target: kind === "target" ? spoilTarget(random, path) : path,
    body,
    externalId: random.chance(0.9) ? newNumber() : random.pick(["1", "A-b.c_9", "0".repeat(36)]),
    ...(kind === "signature" && spoilSigning(random, body)),
  });
}

function bodyOf(random: Random, { body }: Sample, kind: Kind): Buffer {
  if (kind === "structure") return spoilStructure(random, body);
  const text = Buffer.from(JSON.stringify(body, undefined, random.chance(0.1) ? 2 : 0));
  return kind === "bytes" ? spoilBytes(random, text) : text;
}

/** Another body signed, or the right one at a time that is not now. */
function spoilSigning(random: Random, body: Buffer) {
  const minute = 60_000;
  const shiftMs = random.pick([-86_400_000, -301_000, -6 * minute, 6 * minute, 301_000, 31_536_000_000]);
  return random.chance(0.5)
    ? { signedBody: spoilBytes(random, body) }
    : { timestamp: timestampOf(Date.now() + shiftMs) };
}

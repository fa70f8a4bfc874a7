/**
 * The first of steps 1 to 12 that a saved call does not pass, as far as the call and the partner's credentials tell: not
 * whether a token was ours, what the partner may use, from where and how often it called. Pure.
 */
import {
  hashBody,
  jsonReasons,
  minify,
  operationAt,
  type OperationName,
  readHeaders,
  readJson,
  readRequest,
  type ServedPaths,
  stringToSign,
  verifyHmac,
  verifyRsa,
} from "@titian/contract";
import { read, type Received } from "./received.ts";
import type { CallEvidence, PartnerSecrets, Rejection } from "./report.ts";
import { compareClocks } from "./steps/explain-time.ts";
import { readToken } from "./steps/read-token.ts";

export interface Refusal {
  readonly step: number;
  readonly rejection: Rejection;
}

/** The operation at a path, query included; undefined: none. */
export function operationAtTarget(target: string, paths: ServedPaths): OperationName | undefined {
  const [path = ""] = target.replace(/^\/+/, "/").split("?", 1);
  return operationAt(path, paths)?.name;
}

/** Undefined: the call passes what can be judged. A body that is not known ends the judgement before the signature. */
export function findRefusal(evidence: CallEvidence, known: readonly PartnerSecrets[]): Refusal | undefined {
  const received = read(evidence, known);
  const { operation } = received;
  if (operation === undefined || evidence.method !== "POST") return refuse(1, "invalidTransactionStatus");
  return headerFault(received) ?? identityFault(received, known) ?? timeFault(received) ?? bodyFault(received);
}

const refuse = (step: number, caseName: Rejection["case"], detail: Omit<Rejection, "case"> = {}): Refusal => ({
  step,
  rejection: { case: caseName, ...detail },
});

function headerFault({ kind, headers }: Received): Refusal | undefined {
  const judged = readHeaders(kind, headers);
  if (!judged.ok) return refuse(3, judged.case, { field: judged.field });
  const encoding = headers["content-encoding"] ?? "";
  const isPlain = encoding === "" || encoding.toLowerCase() === "identity";
  return isPlain ? undefined : refuse(3, "invalidFieldFormat", { field: "Content-Encoding" });
}

function identityFault(
  { kind, headers, token, customerToken, partner, evidence }: Received,
  known: readonly PartnerSecrets[],
): Refusal | undefined {
  if (kind === "transaction" && partner?.signing !== "asymmetric") {
    if ((headers.authorization ?? "") === "") return refuse(4, "tokenNotFound");
    const text = token === undefined ? undefined : readToken(token);
    if (text === undefined || text.isCustomers || hasEnded(text.expiresAt, evidence)) return refuse(4, "invalidToken");
    const owner = known.find(({ key }) => key === text.subject);
    if (owner !== undefined && owner !== partner) {
      return refuse(5, "unauthorized", { reason: "Unknown client" });
    }
  }
  if (headers["authorization-customer"] !== undefined) {
    const text = customerToken === undefined ? undefined : readToken(customerToken);
    if (text?.isCustomers !== true || hasEnded(text.expiresAt, evidence)) return refuse(4, "invalidCustomerToken");
  }
  if (partner?.status !== "active") return refuse(5, "unauthorized", { reason: "Unknown client" });
  const channelId = headers["channel-id"] ?? "";
  return kind === "transaction" && channelId.length > partner.channelIdLengthMax
    ? refuse(5, "invalidFieldFormat", { field: "CHANNEL-ID" })
    : undefined;
}

function hasEnded(expiresAt: number | undefined, { businessTime }: CallEvidence): boolean {
  return expiresAt !== undefined && businessTime !== undefined && expiresAt <= businessTime;
}

function timeFault(received: Received): Refusal | undefined {
  const compared = compareClocks(received);
  const windowMs = received.partner?.timestampWindowMs ?? 0;
  return compared !== undefined && Math.abs(compared.differenceMs) > windowMs
    ? refuse(6, "unauthorized", { reason: "Timestamp" })
    : undefined;
}

function bodyFault(received: Received): Refusal | undefined {
  const { operation, evidence, kind } = received;
  const { body } = evidence;
  if (operation === undefined || (body === undefined && kind === "transaction")) return undefined;
  if (!verifies(received)) return refuse(7, "unauthorized", { reason: "Signature" });
  if (body === undefined) return undefined;
  const json = readJson(body, operation);
  if (!json.ok) return refuse(10, "badRequest", { reason: jsonReasons[json.reason] });
  const judged = readRequest(operation, json.value);
  if (judged.ok) return undefined;
  return refuse(judged.case === "invalidMandatoryField" ? 11 : 12, judged.case, { field: judged.field });
}

function verifies(received: Received): boolean {
  const { partner, kind, clientKey, timestamp, target, token, evidence } = received;
  const headers = readHeaders(kind, received.headers);
  if (partner === undefined || !headers.ok) return false;
  const { signature } = headers.value;
  const isVerifiedBy = (text: string) =>
    kind === "token" || partner.signing === "asymmetric"
      ? partner.publicKeys.some((pem) => verifyRsa(pem, text, signature))
      : partner.secrets.some((secret) => verifyHmac(secret, text, signature));
  if (kind === "token") return isVerifiedBy(stringToSign.token(clientKey, timestamp));
  const { method, body = new Uint8Array() } = evidence;
  const accessToken = partner.signing === "symmetric" ? token : undefined;
  const bodies = partner.acceptsMinifiedSignature ? [body, minify(body)] : [body];
  return bodies.some((bytes) =>
    isVerifiedBy(stringToSign.transaction({ method, path: target, accessToken, bodyHash: hashBody(bytes), timestamp })),
  );
}

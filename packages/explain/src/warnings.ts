/** Warnings of what another provider of the standard might reject, and was not rejected here. Pure. */
import {
  bearerToken,
  currencyScale,
  type Fields,
  hashBody,
  headerNames,
  isObject,
  minify,
  stringToSign,
  verifyHmac,
  verifyRsa,
} from "@titian/contract";
import { nearest } from "./nearest.ts";
import { read, type Received } from "./received.ts";
import type { CallEvidence, PartnerSecrets, Warning } from "./report.ts";
import { shown } from "./shown.ts";
import { warn } from "./state.ts";
import { readBody } from "./steps/read-body.ts";

const warningsMax = 20;
const nameLengthMax = 60;
const namesMax = 50;

/** At most 20. The signature is verified: not for every call of a busy service. */
export function warningsOf(evidence: CallEvidence, partner: PartnerSecrets): readonly Warning[] {
  const received = read(evidence, [partner]);
  const body = readBody(evidence.body);
  const fields = received.operation?.request;
  const found = [
    ...channelWarnings(received, partner),
    ...signatureWarnings(received, partner),
    ...(body === undefined || fields === undefined ? [] : fieldWarnings(body, fields)),
  ];
  return found.slice(0, warningsMax);
}

function channelWarnings({ headers, kind }: Received, { channelId, partnerId }: PartnerSecrets): readonly Warning[] {
  const came = headers["channel-id"];
  if (kind === "token" || came === undefined || came === channelId) return [];
  return [
    warn(headerNames.channelId, "warning.channel", { came: shown(came), expected: channelId, partner: partnerId }),
  ];
}

function signatureWarnings(received: Received, partner: PartnerSecrets): readonly Warning[] {
  const { evidence, kind, headers, target, timestamp } = received;
  const { body } = evidence;
  if (body === undefined || kind === "token" || !partner.acceptsMinifiedSignature || evidence.isBodyCut === true)
    return [];
  const minified = minify(body);
  if (minified === body) return [];
  const isSymmetric = partner.signing === "symmetric";
  const accessToken = isSymmetric ? bearerToken(headers.authorization) : undefined;
  const { method } = evidence;
  const text = stringToSign.transaction({ method, path: target, accessToken, bodyHash: hashBody(minified), timestamp });
  const verifies = isSymmetric
    ? partner.secrets.some((secret) => verifyHmac(secret, text, received.signature))
    : partner.publicKeys.some((pem) => verifyRsa(pem, text, received.signature));
  return verifies ? [warn(headerNames.signature, "warning.minified")] : [];
}

function* fieldWarnings(holder: Readonly<Record<string, unknown>>, fields: Fields, prefix = ""): Iterable<Warning> {
  const names = Object.keys(fields);
  for (const name of Object.keys(holder).slice(0, namesMax)) {
    if (fields[name] !== undefined || name.length > nameLengthMax) continue;
    const near = nearest(name, names);
    if (near !== undefined && holder[near] === undefined) {
      yield warn(`${prefix}${shown(name)}`, "warning.unknownField", { field: `${prefix}${shown(name)}`, near });
    }
  }
  for (const [name, { type }] of Object.entries(fields)) {
    const value = holder[name];
    if (type.kind === "money") yield* decimalWarning(value, `${prefix}${name}.value`);
    if (type.kind === "list" && Array.isArray(value)) {
      for (const [index, entry] of value.slice(0, warningsMax).entries()) {
        if (isObject(entry)) yield* fieldWarnings(entry, type.entry, `${prefix}${name}[${index}].`);
      }
    }
  }
}

function* decimalWarning(money: unknown, field: string): Iterable<Warning> {
  if (!isObject(money) || typeof money.value !== "string" || typeof money.currency !== "string") return;
  const { value, currency } = money;
  if (currencyScale(currency) !== 2 || !/^\d+(?:\.\d)?$/.test(value)) return;
  const [whole = "", decimals = ""] = value.split(".");
  yield warn(field, "warning.decimals", { field, came: value, expected: `${whole}.${decimals.padEnd(2, "0")}` });
}

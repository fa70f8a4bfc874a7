/** Input of an operator about a partner, checked before anything is written. */
import { createPublicKey, type KeyObject } from "node:crypto";
import { BlockList, isIP } from "node:net";
import { isPrivateKey, operationRows, privateKeyAdvice } from "@titian/contract";
import { isClientSecret } from "../basics/client-secret-seal.ts";
import type { SignedPath } from "../interfaces/notifications.ts";
import type { PartnerSettings } from "../store/reference/reference.ts";
import { type CellTermsInput, rejectCells } from "./partner-cells.ts";
import { applyConnections, type ConnectionTermsInput, rejectConnections } from "./partner-connections.ts";
import { type AdminResult, rejected } from "./result.ts";

export interface PartnerTermsInput extends ConnectionTermsInput, CellTermsInput {
  readonly name?: string;
  readonly channelId?: string;
  readonly signing?: "symmetric" | "asymmetric";
  readonly services?: readonly string[];
  readonly addresses?: readonly string[];
  /** null removes the limit. */
  readonly rateLimit?: { readonly perSecond: number; readonly burst: number } | null;
  readonly acceptsMinifiedSignature?: boolean;
  /** Characters. */
  readonly channelIdLengthMax?: number;
  readonly timestampWindowSeconds?: number;
  readonly notificationSigning?: "symmetric" | "asymmetric";
  readonly notificationSignedPath?: SignedPath;
  /** Base URL; null removes it. */
  readonly notificationAddress?: string | null;
}

/** Service codes a partner can be allowed: those it calls, but for the tokens everyone gets. */
export const callableServices: readonly string[] = operationRows
  .filter((row) => row.direction === "toProvider" && row.kind !== "token")
  .map((row) => row.code);

const partnerIdShape = /^[!-~]{1,36}$/;
/** Without the bar: it parts client key and time in what a token call signs, so such a key could never get one. */
const clientKeyShape = /^[!-{}~]{1,64}$/;
const channelIdShape = /^[0-9A-Za-z]+$/;
const rsaBits = { min: 2_048, max: 4_096 };
const exponentMin = 65_537n;
const rateMax = 1_000_000;
/** The standard's length of a `CHANNEL-ID`. */
export const defaultChannelIdLength = 5;
const channelIdLengthMost = 36;
const timestampWindowSecondsMost = 3_600;
const urlLengthMost = 2_000;

export function rejectPartnerId(partnerId: string): AdminResult<never> | undefined {
  if (partnerIdShape.test(partnerId)) return undefined;
  return rejected("invalidField", "A partner id has 1 to 36 visible ASCII characters.", "partnerId");
}

export function rejectClientKey(clientKey: string): AdminResult<never> | undefined {
  if (clientKeyShape.test(clientKey)) return undefined;
  return rejected("invalidField", "A client key has 1 to 64 visible ASCII characters but the bar.", "clientKey");
}

export function rejectSecret(secret: string): AdminResult<never> | undefined {
  if (isClientSecret(secret)) return undefined;
  return rejected("invalidField", "A client secret has 16 to 200 visible ASCII characters.", "secrets");
}

/** True of a name that its approver reads as it is: without characters that are not seen, or half ones. */
export function isPartyName(name: string): boolean {
  return /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]{1,100}$/u.test(name);
}

export function rejectPartyName(): AdminResult<never> {
  return rejected(
    "invalidField",
    "A name has 1 to 100 characters, none of them a control or format character.",
    "name",
  );
}

export function rejectTerms(terms: PartnerTermsInput): AdminResult<never> | undefined {
  const { name, channelId, services, addresses, rateLimit, notificationAddress } = terms;
  if (name !== undefined && !isPartyName(name)) return rejectPartyName();
  if (channelId !== undefined && !channelIdShape.test(channelId)) {
    return rejected("invalidField", "A channel id is letters and digits.", "channelId");
  }
  if (!isWhole(terms.channelIdLengthMax, channelIdLengthMost)) {
    const message = `A channel id may be agreed to have up to ${channelIdLengthMost} characters.`;
    return rejected("invalidField", message, "channelIdLengthMax");
  }
  if (!isWhole(terms.timestampWindowSeconds, timestampWindowSecondsMost)) {
    const message = `A time window has 1 to ${timestampWindowSecondsMost} seconds.`;
    return rejected("invalidField", message, "timestampWindowSeconds");
  }
  const unknown = services?.find((code) => !callableServices.includes(code));
  if (unknown !== undefined) {
    const message = `${JSON.stringify(unknown)} is no service a partner calls; these are: ${callableServices.join(", ")}.`;
    return rejected("invalidField", message, "services");
  }
  if (addresses?.every(isAddress) === false) {
    return rejected("invalidField", "An address is an IP address or a range in CIDR form.", "addresses");
  }
  if (rateLimit && !(isRate(rateLimit.perSecond) && isRate(rateLimit.burst) && rateLimit.burst >= 1)) {
    const message = `A rate limit has perSecond above 0 and burst of at least 1, at most ${rateMax}; null removes it.`;
    return rejected("invalidField", message, "rateLimit");
  }
  if (typeof notificationAddress === "string" && !isHttpUrl(notificationAddress)) {
    const message = `A notification address is an http or https URL of up to ${urlLengthMost} characters without credentials, fragment or spaces.`;
    return rejected("invalidField", message, "notificationAddress");
  }
  return rejectCells(terms) ?? rejectConnections(terms);
}

/** The channel id a partner will have must be no longer than its calls may say. */
export function rejectChannelIdLength(
  channelId: string,
  { channelIdLengthMax = defaultChannelIdLength }: PartnerSettings,
): AdminResult<never> | undefined {
  if (channelId.length <= channelIdLengthMax) return undefined;
  const message = `The channel id has more than the ${channelIdLengthMax} characters agreed with this partner.`;
  return rejected("invalidField", message, "channelId");
}

/** A limit as an operator gives it: a burst that is not given is one second's calls, and at least one. */
export function rateLimitOf({ perSecond, burst }: { readonly perSecond: number; readonly burst?: number | undefined }) {
  return { perSecond, burst: burst ?? Math.max(1, Math.ceil(perSecond)) };
}

/** The settings with the given changes. */
export function applySettings(settings: PartnerSettings, terms: PartnerTermsInput): PartnerSettings {
  const {
    rateLimit: rateBefore,
    notificationAddress: addressBefore,
    notificationSignedPath: pathBefore,
    ...rest
  } = settings;
  const rateLimit = terms.rateLimit === undefined ? rateBefore : (terms.rateLimit ?? undefined);
  const address = terms.notificationAddress === undefined ? addressBefore : (terms.notificationAddress ?? undefined);
  const { channelIdLengthMax, timestampWindowSeconds, notificationSignedPath: signedPath = pathBefore } = terms;
  const changed = {
    ...rest,
    ...(channelIdLengthMax !== undefined && { channelIdLengthMax }),
    ...(timestampWindowSeconds !== undefined && { timestampWindowSeconds }),
    services: terms.services ?? rest.services,
    addresses: terms.addresses ?? rest.addresses,
    acceptsMinifiedSignature: terms.acceptsMinifiedSignature ?? rest.acceptsMinifiedSignature,
    notificationSigning: terms.notificationSigning ?? rest.notificationSigning,
    ...(rateLimit !== undefined && { rateLimit: { perSecond: rateLimit.perSecond, burst: rateLimit.burst } }),
    ...(signedPath === "service" && { notificationSignedPath: signedPath }),
    ...(address !== undefined && { notificationAddress: address }),
  };
  return applyConnections(changed, terms);
}

/** An RSA public key in the one form it is kept in (SPKI PEM), or undefined when it is none or one that is no use. */
export function normalizePublicKey(pem: string): string | undefined {
  if (isPrivateKey(pem)) return undefined;
  try {
    const key = createPublicKey(pem);
    return isUsableRsa(key) ? key.export({ type: "spki", format: "pem" }).toString() : undefined;
  } catch {
    return undefined;
  }
}

/** A small or even exponent and an even modulus belong to keys that anybody can forge with; a long one costs us the time. */
function isUsableRsa(key: KeyObject): boolean {
  if (key.asymmetricKeyType !== "rsa") return false;
  const { modulusLength: bits = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  const modulusEnd = Buffer.from(key.export({ format: "jwk" }).n ?? "", "base64url").at(-1) ?? 0;
  const isOdd = publicExponent % 2n === 1n && modulusEnd % 2 === 1;
  return bits >= rsaBits.min && bits <= rsaBits.max && publicExponent >= exponentMin && isOdd;
}

/** `given`: what was registered, of which at least one is no use. */
export function rejectPublicKeys(given: readonly string[]): AdminResult<never> {
  if (given.some(isPrivateKey))
    return rejected("invalidField", `This is a private key, ${privateKeyAdvice}`, "publicKeys");
  const message = `A public key is RSA of ${rsaBits.min} to ${rsaBits.max} bits in PEM, its exponent at least ${exponentMin}, exponent and modulus odd.`;
  return rejected("invalidField", message, "publicKeys");
}

export function rejectTakenKey(): AdminResult<never> {
  return rejected("partnerExists", "Another partner has this public key: each has one of its own.", "publicKeys");
}

/** True when it is absent, or a whole number from 1 to `max`. */
function isWhole(value: number | undefined, max: number): boolean {
  return value === undefined || (Number.isInteger(value) && value >= 1 && value <= max);
}

function isRate(value: number): boolean {
  return Number.isFinite(value) && value > 0 && value <= rateMax;
}

function isAddress(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const [address = "", bits = "", ...rest] = text.split("/");
  if (rest.length > 0 || !/^\d{1,3}$/.test(bits) || isIP(address) === 0) return false;
  try {
    new BlockList().addSubnet(address, Number(bits), isIP(address) === 6 ? "ipv6" : "ipv4");
    return true;
  } catch {
    return false;
  }
}

/** True when the text can be a notification address. */
export function isHttpUrl(text: string): boolean {
  // Spaces and control characters are dropped in what is parsed, and would be kept.
  if (text.length > urlLengthMost || /[\p{C}\p{Z}]/u.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  const isPlain = url.username === "" && url.password === "" && url.hash === "";
  return isPlain && (url.protocol === "http:" || url.protocol === "https:");
}

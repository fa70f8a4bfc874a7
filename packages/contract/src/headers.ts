/** The headers of a call: names, formats, and which kind of call requires which (spec D2, step 3). */
import { canonicalSignature } from "./signatures/canonical-signature.ts";
import { hasOffset, parseTimestamp } from "./timestamps.ts";

/** Header names as the standard spells them; Node hands them over in lower case. */
export const headerNames = {
  contentType: "Content-Type",
  authorization: "Authorization",
  authorizationCustomer: "Authorization-Customer",
  timestamp: "X-TIMESTAMP",
  signature: "X-SIGNATURE",
  clientKey: "X-CLIENT-KEY",
  partnerId: "X-PARTNER-ID",
  externalId: "X-EXTERNAL-ID",
  channelId: "CHANNEL-ID",
  origin: "ORIGIN",
  ipAddress: "X-IP-ADDRESS",
  deviceId: "X-DEVICE-ID",
  latitude: "X-LATITUDE",
  longitude: "X-LONGITUDE",
} as const;

export const headerPatterns = {
  /** A media type of JSON, parameters allowed. */
  contentType: /^application\/json(?:\s*;.*)?$/i,
  /** 1 to 36 visible ASCII characters. */
  partnerId: /^[\x21-\x7e]{1,36}$/,
  /** 1 to 128 visible ASCII characters but the bar, which parts client key and time in the text that is signed. */
  clientKey: /^[\x21-\x7b\x7d\x7e]{1,128}$/,
  externalId: /^[A-Za-z0-9._-]{1,36}$/,
  /** A setting (spec D2): the standard's older text allows digits only. */
  externalIdDigits: /^\d{1,36}$/,
  /** The standard's 5 characters are a setting of each partner (spec D2). */
  channelId: /^[\x21-\x7e]{1,36}$/,
} as const;

/** `X-TIMESTAMP`: as every timestamp, but the offset is required. */
export const isHeaderTimestamp = (text: string): boolean => hasOffset(text) && parseTimestamp(text) !== undefined;

type HeaderKey = keyof typeof headerNames;

export interface HeaderRule<Key extends HeaderKey = HeaderKey> {
  readonly key: Key;
  readonly name: (typeof headerNames)[Key];
  /** The name as Node hands it over. */
  readonly lowerName: string;
  /** A signature has no format: one of whatever form that does not verify is unauthorized (spec D2, step 7). */
  readonly accepts: (text: string) => boolean;
}

function rule<const Key extends HeaderKey>(key: Key, accepts: (text: string) => boolean): HeaderRule<Key> {
  return { key, name: headerNames[key], lowerName: headerNames[key].toLowerCase(), accepts };
}

const contentType = rule("contentType", (text) => headerPatterns.contentType.test(text));
const timestamp = rule("timestamp", isHeaderTimestamp);
const signature = rule("signature", () => true);

/**
 * The headers a call must carry, in the order in which they are checked. `Authorization` is not among them:
 * its absence is 401xx03, and partners in mode 2 need none.
 */
export const requiredHeaders = {
  /** 73 and 74. */
  token: [contentType, timestamp, rule("clientKey", (text) => headerPatterns.clientKey.test(text)), signature],
  /** Every other call, and every notification. */
  transaction: [
    contentType,
    timestamp,
    signature,
    rule("partnerId", (text) => headerPatterns.partnerId.test(text)),
    rule("externalId", (text) => headerPatterns.externalId.test(text)),
    rule("channelId", (text) => headerPatterns.channelId.test(text)),
  ],
} as const satisfies Record<string, readonly HeaderRule[]>;

export type CallKind = keyof typeof requiredHeaders;

/** Headers as Node gives them: names in lower case, a repeated one as a list or joined by commas. */
export type HeaderSource = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The required headers of a kind of call, by key. */
export type HeaderValues<Kind extends CallKind> = Readonly<
  Record<(typeof requiredHeaders)[Kind][number]["key"], string>
>;

export type ReadHeaders<Kind extends CallKind> =
  | { readonly ok: true; readonly value: HeaderValues<Kind> }
  | {
      readonly ok: false;
      readonly case: "invalidMandatoryField" | "invalidFieldFormat";
      /** The header's name as the standard spells it. */
      readonly field: string;
    };

/** Reads the required headers: the first missing one is the fault, else the first malformed one. */
export function readHeaders<Kind extends CallKind>(
  kind: Kind,
  headers: HeaderSource,
  options: { readonly digitsOnlyExternalId?: boolean } = {},
): ReadHeaders<Kind> {
  const rules: readonly HeaderRule[] = requiredHeaders[kind];
  for (const { name, lowerName } of rules) {
    const value = headers[lowerName];
    if (value === undefined || value === "") return { ok: false, case: "invalidMandatoryField", field: name };
  }
  const values: Record<string, string> = {};
  for (const { key, name, lowerName, accepts } of rules) {
    const value = headers[lowerName];
    const mustBeDigits = key === "externalId" && options.digitsOnlyExternalId === true;
    if (
      typeof value !== "string" ||
      !accepts(value) ||
      (mustBeDigits && !headerPatterns.externalIdDigits.test(value))
    ) {
      return { ok: false, case: "invalidFieldFormat", field: name };
    }
    values[key] = key === "signature" ? canonicalSignature(value) : value;
  }
  // Every key of the kind's rules was just written.
  return { ok: true, value: values as HeaderValues<Kind> };
}

/** The token of an `Authorization` header (`Bearer`, in any case), or undefined when there is none. */
export function bearerToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^Bearer +([\x21-\x7e]+)$/i.exec(header)?.[1];
}

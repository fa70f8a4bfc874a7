/** Signs a call for a partner of the seed, as its own system would. */
import {
  anyOf,
  boolean,
  choice,
  formatTimestamp,
  hashBody,
  headerNames,
  isObject,
  object,
  type OperationRow,
  optional,
  record,
  signHmac,
  signRsaAsync,
  type Static,
  string,
  stringToSign,
} from "@titian/contract";
import type { PartnerCredentials } from "@titian/server/admin";
import type { Clock } from "@titian/server/rails";
import type { SandboxKeys } from "../keys.ts";
import { createPrivateKey } from "node:crypto";
import type { SeededPartner } from "../seed-data.ts";
import type { CodeInput } from "./code/code-input.ts";
import { programs, writeCode } from "./code/write-code.ts";
import { newNumber, withNewNumbers } from "./new-number.ts";

export interface SignDeps {
  readonly clock: Pick<Clock, "now">;
  /** Keys of the seed's partners, by partner id. */
  readonly keys: SandboxKeys["partners"];
  byPartnerId(partnerId: string): PartnerCredentials | undefined;
  /** An access token (73) for the partner of this internal id. */
  issueToken(partnerKey: string): Promise<string>;
  /** Known when the service listens. */
  readonly place: () => { readonly baseUrl: string; readonly pathPrefix: string; readonly version: string };
}

export interface Signer {
  readonly partner: SeededPartner;
  readonly credentials: PartnerCredentials;
  readonly keys: SandboxKeys["partners"][string];
}

export const signRequest = object({
  partnerId: string({ description: "the X-PARTNER-ID of a partner" }),
  operation: string({ description: "the name of an operation" }),
  body: anyOf([record({}), string()], { description: "an object or a text" }),
  externalId: optional(
    string({ pattern: "^[\\x21-\\x7e]{1,64}$", description: "a text of 1 to 64 visible ASCII characters" }),
  ),
  newNumbers: optional(
    boolean({ description: "true: a write gets other numbers of the partner, as a call of its own" }),
  ),
  // The length by itself: Go's patterns repeat a thousand times at most.
  customerToken: optional(
    string({ pattern: "^[\\x21-\\x7e]+$", maxLength: 2_048, description: "an access token of service 74" }),
  ),
});
export type SignRequest = Static<typeof signRequest>;

/** A page sends it as it is: `fetch(path, {method, headers, body})`. */
export const signedRequest = object({
  method: choice(["POST"]),
  path: string({ description: "from the root, such as /v1.0/transfer-interbank" }),
  headers: record(string()),
  body: string(),
  stringToSign: string(),
  code: programs,
});
export type SignedRequest = Static<typeof signedRequest>;

type Given = Pick<SignRequest, "body" | "externalId" | "customerToken" | "newNumbers">;

export async function sign(
  deps: SignDeps,
  { partner, credentials, keys }: Signer,
  operation: OperationRow,
  given: Given,
): Promise<SignedRequest> {
  const { baseUrl, pathPrefix, version } = deps.place();
  const root = `${pathPrefix}/${version}`;
  const content = contentOf(operation, given);
  const body = typeof content === "string" ? content.toWellFormed() : JSON.stringify(content);
  const input: CodeInput = {
    values: "texts",
    repeats: operation.kind === "write",
    baseUrl,
    pathPrefix,
    version,
    path: `${root}/${operation.path}`,
    tokenPath: `${root}/access-token/b2b`,
    operation: operation.name,
    isToken: operation.kind === "token",
    signing: credentials.signing,
    partnerId: partner.partnerId,
    channelId: partner.channelId,
    clientKey: credentials.clientKey,
    clientSecret: keys.clientSecret,
    privateKey: keys.privateKey,
    externalId: given.externalId ?? newNumber(),
    customerToken: given.customerToken,
    body,
    request: typeof content === "string" ? parseObject(body) : content,
  };
  const timestamp = formatTimestamp(deps.clock.now());
  const signed = input.isToken
    ? await signToken(input, timestamp)
    : await signCall(deps, credentials, input, timestamp);
  return { method: "POST", path: input.path, body, ...signed, code: writeCode(input) };
}

/** A read asks about numbers that are there. */
function contentOf({ kind }: OperationRow, { body, newNumbers }: Given): Given["body"] {
  const fields = typeof body === "string" ? parseObject(body) : body;
  return newNumbers === true && kind === "write" && fields !== undefined ? withNewNumbers(fields) : body;
}

type Signed = Pick<SignedRequest, "headers" | "stringToSign">;

async function signToken({ clientKey, privateKey }: CodeInput, timestamp: string): Promise<Signed> {
  const text = stringToSign.token(clientKey, timestamp);
  const headers = {
    [headerNames.contentType]: "application/json",
    [headerNames.timestamp]: timestamp,
    [headerNames.clientKey]: clientKey,
    [headerNames.signature]: await signRsaAsync(createPrivateKey(privateKey), text),
  };
  return { headers, stringToSign: text };
}

async function signCall(
  { issueToken }: SignDeps,
  { key }: PartnerCredentials,
  input: CodeInput,
  timestamp: string,
): Promise<Signed> {
  const { path, body, signing, clientSecret, privateKey, partnerId, externalId, channelId, customerToken } = input;
  const isSymmetric = signing === "symmetric";
  const accessToken = isSymmetric ? await issueToken(key) : undefined;
  const bodyHash = hashBody(Buffer.from(body));
  const text = stringToSign.transaction({ method: "POST", path, accessToken, bodyHash, timestamp });
  const headers = {
    [headerNames.contentType]: "application/json",
    ...(accessToken !== undefined && { [headerNames.authorization]: `Bearer ${accessToken}` }),
    ...(customerToken !== undefined && { [headerNames.authorizationCustomer]: `Bearer ${customerToken}` }),
    [headerNames.timestamp]: timestamp,
    [headerNames.signature]: isSymmetric
      ? signHmac(clientSecret, text)
      : await signRsaAsync(createPrivateKey(privateKey), text),
    [headerNames.partnerId]: partnerId,
    [headerNames.externalId]: externalId,
    [headerNames.channelId]: channelId,
  };
  return { headers, stringToSign: text };
}

/** A text that is a JSON object, for programs that send objects; they write it their own way. */
function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The headers of a notification, signed over the path that the partner verifies it by (spec D4, D14). */
import { formatTimestamp, hashBody, headerNames, signHmac, stringToSign } from "@titian/contract";
import type { NotificationEndpoint } from "../interfaces/notifications.ts";
import type { HttpClient } from "./http-client.ts";
import { SigningFailed } from "./signing-thread.ts";
import { createPartnerTokens, type PartnerToken } from "./partner-tokens.ts";

export interface NotificationSigner {
  /** `path`: as it is signed. @throws when the partner issues no token (mode 1), or has no secret; SigningFailed when its secret does not open here. */
  headersOf(endpoint: NotificationEndpoint, path: string, message: ProbeMessage): Promise<SignedHeaders>;
  /** The partner's system did not accept this token: the next one is asked for anew. */
  forgetToken(endpoint: NotificationEndpoint, token: PartnerToken): void;
}

export interface SignedHeaders {
  readonly headers: Readonly<Record<string, string>>;
  /** Mode 1. */
  readonly token?: PartnerToken | undefined;
}

export interface SignedMessage {
  readonly externalId: string;
  readonly body: Uint8Array;
}

/** Parts of the text to sign. */
export interface SignedParts {
  readonly path: string;
  /** In mode 1 alone. */
  readonly accessToken?: string | undefined;
  readonly bodyHash: string;
  readonly timestamp: string;
}

/** A signature as a receiver that is mistaken takes it for right. */
export interface OtherSignature {
  readonly parts?: (right: SignedParts) => Partial<SignedParts>;
  /** Text that is made of the one to sign. */
  readonly text?: (right: string) => string;
  /** In mode 1. */
  readonly sign?: (secret: string, text: string, parts: SignedParts) => string;
  /** Another spelling of the signature. */
  readonly spell?: (signature: string) => string;
  /** Value of `X-TIMESTAMP`. */
  readonly sendAs?: (timestamp: string) => string;
}

/** A test notification: a real one is never signed otherwise than the standard says. */
export interface ProbeMessage extends SignedMessage {
  readonly signAs?: OtherSignature | undefined;
}

/** The text of such a signature, or the right one. */
export function textToSign(right: SignedParts, { parts, text }: OtherSignature = {}): string {
  const written = stringToSign.transaction({ method: "POST", ...right, ...parts?.(right) });
  return text?.(written) ?? written;
}

export interface SignerDeps {
  /** Signs a text with that key. */
  readonly sign: (text: string) => Promise<string>;
  /** `X-CLIENT-KEY`: what partners know us by. */
  readonly clientId: string;
  readonly version: string;
  readonly client: HttpClient;
  /** Real time (epoch ms). */
  readonly real: () => number;
}

/** True when it can be signed here: in mode 1 not while the partner's newest secret does not open. */
export function isSignable({ signing, isSecretUnreadable = false }: NotificationEndpoint): boolean {
  return signing === "asymmetric" || !isSecretUnreadable;
}

export function createNotificationSigner(deps: SignerDeps): NotificationSigner {
  const { clientId, real, sign } = deps;
  const tokens = createPartnerTokens(deps);
  return {
    forgetToken: (endpoint, { value }) => tokens.forget(endpoint, value),
    headersOf: async (endpoint, path, { externalId, body, signAs = {} }) => {
      const { partnerId, channelId, signing, secret } = endpoint;
      if (!isSignable(endpoint)) throw new SigningFailed("the partner's client secret cannot be decrypted");
      const token = signing === "symmetric" ? await tokens.tokenOf(endpoint) : undefined;
      const accessToken = token?.value;
      const now = formatTimestamp(real());
      const timestamp = signAs.sendAs?.(now) ?? now;
      const parts = { path, accessToken, bodyHash: hashBody(body), timestamp };
      const text = textToSign(parts, signAs);
      if (signing === "symmetric" && secret === undefined) throw new Error("the partner has no client secret");
      const signature =
        secret !== undefined && accessToken !== undefined
          ? (signAs.sign ?? signHmac)(secret, text, parts)
          : await sign(text);
      const headers = {
        [headerNames.contentType]: "application/json",
        ...(accessToken !== undefined && { [headerNames.authorization]: `Bearer ${accessToken}` }),
        [headerNames.timestamp]: timestamp,
        [headerNames.clientKey]: clientId,
        [headerNames.signature]: signAs.spell?.(signature) ?? signature,
        [headerNames.partnerId]: partnerId,
        [headerNames.externalId]: externalId,
        [headerNames.channelId]: channelId,
      };
      return { headers, token };
    },
  };
}

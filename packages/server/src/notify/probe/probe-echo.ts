/** Text, hash or signature that the reply of a receiver shows as its own: compared with what its mistakes would make of ours. */
import { bearerToken, hashBody, headerNames, signHmac } from "@titian/contract";
import { type OtherSignature, type SignedParts, textToSign } from "../sign-notification.ts";
import { type ProbeSubject, showMistake, type ShownMistake } from "./probe-variations.ts";
import { signatureOf, type VerifierMistake } from "./verifier-mistakes.ts";

export interface EchoSource extends ProbeSubject {
  readonly reply: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Path as it was signed, its query whole. */
  readonly path: string;
}

/** `right`: it verified the very text that we signed. */
export type Echo = "right" | ShownMistake;

/** Undefined: the reply shows nothing of the kind. */
export function readEcho(source: EchoSource, mistakes: readonly VerifierMistake[]): Echo | undefined {
  const { reply, headers, path, body, service, endpoint } = source;
  const shown = `${reply}\n${reply.replaceAll("\\/", "/")}`;
  const timestamp = headers[headerNames.timestamp] ?? "";
  const accessToken = bearerToken(headers[headerNames.authorization]);
  const right: SignedParts = { path, accessToken, bodyHash: hashBody(body), timestamp };
  const found = mistakes.find((mistake) => {
    const other = signatureOf(mistake, body, service);
    return echoesOf(right, other, endpoint.secret).some((echo) => shown.includes(echo));
  });
  if (found) return showMistake(found);
  return shown.includes(textToSign(right)) ? "right" : undefined;
}

/** Texts that a receiver with the mistake makes, and one without it does not. */
function echoesOf(right: SignedParts, other: OtherSignature, secret: string | undefined): readonly string[] {
  const text = textToSign(right, other);
  const { bodyHash = right.bodyHash } = other.parts?.(right) ?? {};
  const isOtherHash = bodyHash !== right.bodyHash && bodyHash.length > hashLengthMin;
  const isOtherText = text !== textToSign(right);
  // A line break behind the text is not seen in a reply.
  const isSeen = isOtherText && text.trimEnd() === text;
  const hmac = other.sign ?? signHmac;
  const isOtherSignature = isOtherText || other.sign !== undefined;
  return [
    ...(isSeen ? [text] : []),
    ...(isOtherHash ? [bodyHash] : []),
    ...(isOtherSignature && secret !== undefined && right.accessToken !== undefined ? [hmac(secret, text, right)] : []),
  ];
}

/** A hash of SHA-256 in Base64 is longer. */
const hashLengthMin = 40;

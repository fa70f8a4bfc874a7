/** Report of a test notification, and what to do when it was not accepted. */
import { mistakeSentence } from "@titian/explain";
import type { PartnerProbe, ProbeCause, TriedVariation } from "@titian/server/admin";
import { plain } from "../tables/plain.ts";

const replyMax = 200;
const modes = {
  asymmetric: "asymmetric (mode 2): the provider's private key",
  symmetric: "symmetric (mode 1): a token of the partner and its client secret",
} as const;

export function formatProbe(probe: PartnerProbe): string {
  const { service, partnerId, url, signing, stringToSign, externalId, httpStatus, failure, durationMs } = probe;
  const fields: readonly (readonly [string, string | undefined])[] = [
    ["target", url],
    ["signing", modes[signing]],
    ["string to sign", stringToSign ?? "nothing was signed"],
    ["provider key", `SHA-256 ${probe.providerKeySha256}`],
    ["X-EXTERNAL-ID", externalId],
    ["body", probe.body],
    ["HTTP status", httpStatus === undefined ? "no reply" : String(httpStatus)],
    ["response code", plain(probe.responseCode) || undefined],
    ["duration", `${Math.round(durationMs)} ms`],
    ["reply", plain(probe.reply).slice(0, replyMax) || undefined],
    ["also tried", describeVariations(probe)],
    ["result", failure === undefined ? "accepted: a real notification would be delivered" : plain(failure)],
  ];
  const advice = adviseOn(probe);
  return [
    `Test notification ${service} to ${partnerId}: ${failure === undefined ? "accepted" : "not accepted"}`,
    "",
    ...fields.filter(([, text]) => text !== undefined).map(([name, text]) => `${name.padEnd(16)}${text}`),
    ...(advice === undefined ? [] : ["", advice]),
  ].join("\n");
}

/** Settings one by one; of mistakes, which are many, how many got the last one's reply, and the one that was verified. */
function describeVariations(probe: PartnerProbe): string | undefined {
  const { variations = [] } = probe;
  const settings = variations.filter(({ mistake }) => mistake === undefined);
  const mistakes = variations.filter(({ mistake, isVerified }) => mistake !== undefined && !isVerified);
  const verified = variations.filter(({ mistake, isVerified }) => mistake !== undefined && isVerified);
  const last = mistakes.at(-1);
  const texts = [
    ...settings.map((one) => `${differencesOf(probe, one).join(", ")}: ${outcomeOf(one)}`),
    ...(last ? [`${mistakes.length} usual mistakes of receivers: ${outcomeOf(last)}`] : []),
    ...verified.map((one) => `${one.mistake?.name}: ${outcomeOf(one)}`),
  ];
  return texts.join("; ") || undefined;
}

function outcomeOf({ httpStatus, responseCode, cause }: TriedVariation): string {
  const reply = httpStatus === undefined ? "no reply" : `HTTP ${httpStatus}`;
  return [cause === "noToken" ? "no token" : reply, plain(responseCode)].filter(Boolean).join(" ");
}

function differencesOf(probe: PartnerProbe, { signing, signedPath }: TriedVariation): readonly string[] {
  return [
    ...(signing === probe.signing ? [] : [signing === "symmetric" ? "mode 1" : "mode 2"]),
    ...(signedPath === probe.signedPath
      ? []
      : [signedPath === "service" ? "the path behind the base" : "the whole path"]),
  ];
}

/** Advises, in one sentence, by what the receiver verifies. */
function adviseOnVariation(probe: PartnerProbe, { signing, signedPath, mistake }: TriedVariation): string {
  if (mistake) return mistakeSentence(mistake);
  const isOtherMode = signing !== probe.signing;
  const isOtherPath = signedPath !== probe.signedPath;
  const path = signedPath === "service" ? "accepts the path behind its base" : "accepts the whole path";
  const mode = signing === "symmetric" ? "verifies mode 1" : "verifies mode 2";
  const found = [...(isOtherMode ? [mode] : []), ...(isOtherPath ? [path] : [])].join(" and ");
  const options = [
    ...(isOtherMode ? [` --notification-signing ${signing}`] : []),
    ...(isOtherPath ? [` --notification-signed-path ${signedPath}`] : []),
  ];
  return `The receiver ${found}: titian partner change ${probe.partnerId}${options.join("")}`;
}

/** The likely reason and what to do, for a person; undefined when the notification was accepted. */
export function adviseOn(probe: PartnerProbe): string | undefined {
  const { cause, signing, responseCode, echo, variations } = probe;
  if (cause === undefined) return undefined;
  if (typeof echo === "object") return `Its reply shows it. ${mistakeSentence(echo)}`;
  const verified = variations?.find(({ isVerified }) => isVerified);
  if (verified) return adviseOnVariation(probe, verified);
  if (cause === "rejected" && /^404\d{2}01$/.test(responseCode ?? "")) return unknownReference;
  if (cause === "otherPartner") return otherPartner(probe.partnerId);
  if (cause !== "unauthorized") return advice[cause];
  return echo === "right" ? sameText[signing] : signatureAdvice[signing];
}

const otherPartner = (partnerId: string): string =>
  `The receiver is not that of ${partnerId}: let it expect ${partnerId}, which X-PARTNER-ID and additionalInfo.partnerId name; or correct the address: titian partner change ${partnerId} --notification-address <URL>`;

const unknownReference =
  "The receiver verified the signature and knows no such transfer. A real notification may be accepted; let the receiver answer success to references that begin with TEST.";

const tokenIssuer =
  "the partner's access-token/b2b must know our client id (TITIAN_NOTIFICATION_CLIENT_ID) and the provider key above";

const signatureAdvice = {
  asymmetric:
    "The receiver does not accept the signature. Compare there: the string to sign above, byte for byte (the path with its query as the receiver sees it, behind every proxy; the hash of the raw body); its copy of the provider's public key (SHA-256 above); its clock, within 5 minutes; and that it verifies mode 2, RSA-SHA256.",
  symmetric:
    "The receiver does not accept the token or the signature. Compare there: the string to sign above, byte for byte (the path with its query as the receiver sees it, behind every proxy; the token that it issued; the hash of the raw body); the client secret; its clock, within 5 minutes; and that it verifies mode 1, HMAC-SHA512.",
} as const;

const sameText = {
  asymmetric:
    "Its reply shows the very text that we signed: so its copy of the provider's public key is another (SHA-256 above), or it does not verify RSA-SHA256.",
  symmetric:
    "Its reply shows the very text that we signed: so its client secret is another, or it does not verify HMAC-SHA512.",
} as const;

const advice: Readonly<Record<Exclude<ProbeCause, "unauthorized" | "otherPartner">, string>> = {
  forbiddenAddress:
    "Outside the sandbox notifications go over https to public addresses alone. Register another address; if this name is public elsewhere, run the command where the nodes run.",
  unresolvedName: "The name does not resolve here, by DNS. Correct the address, or its DNS record.",
  connectionRefused: "Nothing listens there. Correct host and port of the address, or start the partner's system.",
  connectTimeout:
    "No connection within 2 s. Let this host out to the address, ask the partner to let our addresses in, or correct host and port.",
  tls: "The TLS connection failed. The certificate must be valid for the host's name, with its intermediates, under a CA that Node.js trusts or one of TITIAN_NOTIFICATION_CA_FILE; and the port must speak TLS 1.3.",
  timeout:
    "No complete reply within TITIAN_NOTIFICATION_TIMEOUT_SECONDS. The receiver must store the result, answer, and do slow work later.",
  connectionClosed:
    "The connection was closed before the reply. Look into the log of the partner's system and of the proxy before it.",
  replyTooLarge: "The reply has more than 64 KiB. The receiver must answer with the envelope alone.",
  noHttp: "The reply is not HTTP. Correct the port of the address; https for a port that speaks TLS.",
  noToken: `No token was issued (mode 1): ${tokenIssuer}. Or sign in mode 2: --notification-signing asymmetric.`,
  notFound:
    "Nothing is at this path. The address is a base URL, behind which come version and service path: correct it, or mount the receiver there.",
  redirect: "Redirects are not followed. Register the address that it leads to.",
  noEnvelope:
    'The reply has no responseCode of seven digits. The receiver must answer {"responseCode": "2007600", "responseMessage": "Successful"} (2007500, 2002100), as JSON; a proxy before it may have answered instead.',
  rejected: "The receiver answered, and did not accept it. Its log has the reason of the response code.",
  other: "Look into the log of the partner's system.",
};

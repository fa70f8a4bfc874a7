/**
 * Diagnosis of a receiver that answers a test notification 401: other things that it may verify are tried, one more
 * test notification each, until it takes one. Real notifications are never sent so.
 */
import { hashBody, operationByCode } from "@titian/contract";
import type { NotificationEndpoint, SignedPath } from "../../interfaces/notifications.ts";
import type { PostDeps, PostOutcome } from "../post-notification.ts";
import { type OtherSignature, textToSign } from "../sign-notification.ts";
import { causeOf, type ProbeCause } from "./probe-cause.ts";
import { signedPathOf, notificationUrl } from "../notification-url.ts";
import { signatureOf, type VerifierMistake, verifierMistakes } from "./verifier-mistakes.ts";

export interface ProbeVariation {
  readonly signing: NotificationEndpoint["signing"];
  readonly signedPath: SignedPath;
  /** Signed as a receiver with this mistake expects it; absent: as the standard says. */
  readonly mistake?: ShownMistake;
}

export type ShownMistake = Pick<VerifierMistake, "name" | "source" | "does" | "correctly" | "translations">;

export interface TriedVariation extends ProbeVariation {
  /** The receiver verified this, whatever it answered besides. */
  readonly isVerified: boolean;
  readonly httpStatus?: number | undefined;
  readonly responseCode?: string | undefined;
  /** Reason why it was not accepted; absent: it was. */
  readonly cause?: ProbeCause;
}

/** Signature for the body of a test notification. */
export type SignAs = (body: Uint8Array) => OtherSignature | undefined;

export interface ProbeSubject {
  readonly endpoint: NotificationEndpoint;
  readonly service: number;
  /** That of the first test notification. */
  readonly body: Uint8Array;
}

/** The settings first, then the mistakes, the likeliest of each first, until one is verified or one gets no reply. */
export async function tryVariations(
  { version }: Pick<PostDeps, "version">,
  subject: ProbeSubject,
  post: (endpoint: NotificationEndpoint, signAs: SignAs) => Promise<PostOutcome>,
): Promise<readonly TriedVariation[]> {
  const tried: TriedVariation[] = [];
  const { endpoint, service } = subject;
  const { signing, signedPath } = endpoint;
  const planned: readonly Planned[] = [
    ...settingsOf(endpoint, hasBase(subject, version)),
    ...mistakesFor(subject, version).map((mistake) => ({ signing, signedPath, mistake })),
  ];
  for (const { mistake, ...settings } of planned) {
    const signAs: SignAs = (own) => mistake && signatureOf(mistake, own, service);
    const outcome = await post({ ...endpoint, ...settings }, signAs);
    const { httpStatus, responseCode, failure } = outcome.result;
    const cause = failure === undefined ? undefined : causeOf(outcome);
    // A reply about the content, where the same content got 401 before, comes from behind the check of the signature.
    const isVerified = cause === undefined || (cause === "rejected" && /^40[049]/.test(responseCode ?? ""));
    const shown = mistake && { mistake: showMistake(mistake) };
    tried.push({ ...settings, ...shown, isVerified, httpStatus, responseCode, ...(cause && { cause }) });
    if (isVerified || (cause !== "unauthorized" && cause !== "noToken")) break;
  }
  return tried;
}

export function showMistake({ name, source, does, correctly, translations }: VerifierMistake): ShownMistake {
  return { name, source, does, correctly, translations };
}

interface Planned extends Omit<ProbeVariation, "mistake"> {
  readonly mistake?: VerifierMistake;
}

/** True when the whole path differs from the service's alone. */
function hasBase(subject: ProbeSubject, version: string): boolean {
  const [whole, service] = (["whole", "service"] as const).map((signedPath) =>
    signedPathAt({ ...subject, endpoint: { ...subject.endpoint, signedPath } }, version),
  );
  return whole !== service;
}

/** The path that is signed, its query whole. */
export function signedPathAt({ endpoint, service }: ProbeSubject, version: string): string {
  const { address = "", signedPath } = endpoint;
  const path = operationByCode(service)?.path ?? "";
  return signedPathOf(notificationUrl(address, version, path), signedPath, version, path);
}

function settingsOf({ signing, signedPath, secret }: NotificationEndpoint, hasOtherPath: boolean): readonly Planned[] {
  const otherPath: SignedPath = signedPath === "whole" ? "service" : "whole";
  const otherMode = signing === "symmetric" ? "asymmetric" : "symmetric";
  const hasOtherMode = otherMode === "asymmetric" || secret !== undefined;
  return [
    ...(hasOtherPath ? [{ signing, signedPath: otherPath } as const] : []),
    ...(hasOtherMode ? [{ signing: otherMode, signedPath } as const] : []),
    ...(hasOtherPath && hasOtherMode ? [{ signing: otherMode, signedPath: otherPath } as const] : []),
  ];
}

/** Those that can be told from what is right, and from one another, by this address and body. */
export function mistakesFor(subject: ProbeSubject, version: string): readonly VerifierMistake[] {
  const { endpoint, service, body } = subject;
  const { signing } = endpoint;
  const right = {
    path: signedPathAt(subject, version),
    accessToken: signing === "symmetric" ? "token" : undefined,
    bodyHash: hashBody(body),
    timestamp: "2026-11-25T10:00:00+07:00",
  };
  const texts = new Set([textToSign(right)]);
  return verifierMistakes.filter((mistake) => {
    if (mistake.mode !== undefined && mistake.mode !== signing) return false;
    if (mistake.parts === undefined && mistake.text === undefined) return true;
    const text = textToSign(right, signatureOf(mistake, body, service));
    const isNew = !texts.has(text);
    texts.add(text);
    return isNew;
  });
}

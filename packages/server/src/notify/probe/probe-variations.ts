/**
 * Diagnosis of a receiver that answers a test notification 401: other things that it may verify are tried, one more
 * test notification each, until it takes one. Real notifications are never sent so.
 */
import { hashBody, operationByCode } from "@titian/contract";
import type { NotificationEndpoint, SignedPath } from "../../interfaces/notifications.ts";
import type { PostDeps, PostOutcome } from "../post-notification.ts";
import { causeOf, type ProbeCause } from "./probe-cause.ts";
import { signedPathOf, notificationUrl } from "../notification-url.ts";

export interface ProbeVariation {
  readonly signing: NotificationEndpoint["signing"];
  readonly signedPath: SignedPath;
  /** Spelling of the body's hash in the signed text. The standard's is lower-case. */
  readonly hashCase: "lower" | "upper";
}

export interface TriedVariation extends ProbeVariation {
  /** The receiver verified this, whatever it answered besides. */
  readonly isVerified: boolean;
  readonly httpStatus?: number | undefined;
  readonly responseCode?: string | undefined;
  /** Reason why it was not accepted; absent: it was. */
  readonly cause?: ProbeCause;
}

/** Posts one more test notification, signed so. */
type PostVariation = (endpoint: NotificationEndpoint, hashOf: (body: Uint8Array) => string) => Promise<PostOutcome>;

/** At most four, the likeliest first, until one is verified or one gets no reply. */
export async function tryVariations(
  { version }: Pick<PostDeps, "version">,
  endpoint: NotificationEndpoint,
  service: number,
  post: PostVariation,
): Promise<readonly TriedVariation[]> {
  const tried: TriedVariation[] = [];
  for (const variation of variationsOf(endpoint, hasBase(endpoint, version, service))) {
    const { signing, signedPath, hashCase } = variation;
    const hashOf = (body: Uint8Array) => (hashCase === "upper" ? hashBody(body).toUpperCase() : hashBody(body));
    const outcome = await post({ ...endpoint, signing, signedPath }, hashOf);
    const { httpStatus, responseCode, failure } = outcome.result;
    const cause = failure === undefined ? undefined : causeOf(outcome);
    // A reply about the content, where the same content got 401 before, comes from behind the check of the signature.
    const isVerified = cause === undefined || (cause === "rejected" && /^40[049]/.test(responseCode ?? ""));
    tried.push({ ...variation, isVerified, httpStatus, responseCode, ...(cause && { cause }) });
    if (isVerified || (cause !== "unauthorized" && cause !== "noToken")) break;
  }
  return tried;
}

/** True when the whole path differs from the service's alone. */
function hasBase({ address = "" }: NotificationEndpoint, version: string, service: number): boolean {
  const path = operationByCode(service)?.path ?? "";
  const url = notificationUrl(address, version, path);
  return signedPathOf(url, "whole", version, path) !== signedPathOf(url, "service", version, path);
}

function variationsOf(
  { signing, signedPath, secret }: NotificationEndpoint,
  hasOtherPath: boolean,
): readonly ProbeVariation[] {
  const otherPath: SignedPath = signedPath === "whole" ? "service" : "whole";
  const otherMode = signing === "symmetric" ? "asymmetric" : "symmetric";
  const hasOtherMode = otherMode === "asymmetric" || secret !== undefined;
  const hashCase = "lower";
  return [
    ...(hasOtherPath ? [{ signing, signedPath: otherPath, hashCase } as const] : []),
    ...(hasOtherMode ? [{ signing: otherMode, signedPath, hashCase } as const] : []),
    ...(hasOtherPath && hasOtherMode ? [{ signing: otherMode, signedPath: otherPath, hashCase } as const] : []),
    { signing, signedPath, hashCase: "upper" },
  ];
}

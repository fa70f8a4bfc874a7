/** A test notification, sent as a real one is and recorded nowhere: what became of it, for the operator. */
import { bearerToken, hashBody, headerNames, stringToSign } from "@titian/contract";
import type { Clock } from "../../basics/clock.ts";
import { externalIdOf, newId } from "../../basics/ids.ts";
import type { NotificationEndpoint } from "../../interfaces/notifications.ts";
import type { AttemptResult } from "../../store/tables/notifications/deliveries.ts";
import { writeProbe } from "./probe-body.ts";
import { causeOf, type ProbeCause } from "./probe-cause.ts";
import { type Echo, readEcho } from "./probe-echo.ts";
import {
  mistakesFor,
  type ProbeSubject,
  type SignAs,
  signedPathAt,
  type TriedVariation,
  tryVariations,
} from "./probe-variations.ts";
import { type PostDeps, type PostOutcome, postProbe } from "../post-notification.ts";

/** Result of a probe: in its `url` and in the signed text, the values of the query are masked, as is the token. */
export interface ProbeResult extends AttemptResult {
  readonly service: number;
  readonly partnerId: string;
  readonly signing: NotificationEndpoint["signing"];
  readonly externalId: string;
  readonly body: string;
  /** Absent: nothing was signed, since there was no token (mode 1). */
  readonly stringToSign?: string;
  /** Reason why it was not accepted; absent: it was. */
  readonly cause?: ProbeCause;
  readonly signedPath: NotificationEndpoint["signedPath"];
  /** Shown by a reply 401 of the text or signature that the receiver made; absent: nothing. */
  readonly echo?: Echo;
  /** Variations tried when it was answered 401, the last one verified or not; absent: none were. */
  readonly variations?: readonly TriedVariation[];
}

export interface ProbeDeps extends PostDeps {
  readonly clock: Pick<Clock, "monotonic" | "real">;
}

export async function sendProbe(
  deps: ProbeDeps,
  endpoint: NotificationEndpoint,
  service: number,
): Promise<ProbeResult> {
  const { partnerId, signing, signedPath } = endpoint;
  const post = async (as: NotificationEndpoint, signAs?: SignAs) => {
    const id = newId();
    const externalId = externalIdOf(id);
    const body = writeProbe(service, { partnerId, id, now: deps.clock.real() });
    const outcome = await postProbe(deps, as, service, { externalId, body, signAs: signAs?.(body) });
    return { ...outcome, externalId, body };
  };
  const outcome = await post(endpoint);
  const { result, headers, externalId, body } = outcome;
  const cause = result.failure === undefined ? undefined : causeOf(outcome);
  return {
    ...result,
    service,
    partnerId,
    signing,
    signedPath,
    externalId,
    body: Buffer.from(body).toString("utf8"),
    ...(headers && { stringToSign: signedText({ ...outcome, headers }, body) }),
    ...(cause && { cause }),
    ...(cause === "unauthorized" && (await diagnose(deps, { endpoint, service, body }, outcome, post))),
  };
}

/** A reply that shows the mistake names it; else the receiver is asked. */
async function diagnose(
  deps: ProbeDeps,
  subject: ProbeSubject,
  { result: { reply = "" }, headers }: PostOutcome,
  post: (as: NotificationEndpoint, signAs: SignAs) => Promise<PostOutcome>,
): Promise<Pick<ProbeResult, "echo" | "variations">> {
  const { version } = deps;
  const path = signedPathAt(subject, version);
  const echo = headers && readEcho({ ...subject, reply, headers, path }, mistakesFor(subject, version));
  if (echo !== undefined && echo !== "right") return { echo };
  return { ...(echo && { echo }), variations: await tryVariations(deps, subject, post) };
}

function signedText(
  { signedPath, headers }: Required<Pick<PostOutcome, "signedPath" | "headers">>,
  body: Uint8Array,
): string {
  const token = bearerToken(headers[headerNames.authorization]);
  return stringToSign.transaction({
    method: "POST",
    path: signedPath,
    accessToken: token && `(token of ${token.length} characters)`,
    bodyHash: hashBody(body),
    timestamp: headers[headerNames.timestamp] ?? "",
  });
}

/** From a request to its reply: the checks in their order (spec D2, D14), then the handler, once. */
import { hashBody, readJson } from "@titian/contract";
import type { Clock } from "../clock.ts";
import type { BodyFault, BodyLimits, Incoming } from "./http/incoming.ts";
import type { Observe } from "./endpoint-options.ts";
import type { NotificationRoute, NotificationSubject } from "./notification-routes.ts";
import type { NotificationKey, NotificationStore } from "./notification-store.ts";
import { isRejection, type RequestRejection, reject, rejectField, rejectJson } from "./rejection.ts";
import { type Reply, successReply } from "./http/reply.ts";
import { type OwnershipSettings, checkNumber, checkPartner } from "./ownership.ts";
import { type VerifySettings, checkHead, checkSignature } from "./verify.ts";
import { withTimeLimit } from "./time-limit.ts";

export interface ReceiveSettings extends VerifySettings, OwnershipSettings {
  readonly store: NotificationStore;
  readonly clock: Clock;
  readonly bodyTimeoutMs: number;
}

/** One more than of a request, whose `additionalInfo` the provider puts under `value` where it is no object. */
const maxDepth = 17;

export async function receive(
  route: NotificationRoute,
  incoming: Incoming,
  settings: ReceiveSettings,
  observe: Observe,
): Promise<Reply | RequestRejection> {
  const limits = { maxBytes: route.maxBytes, timeoutMs: settings.bodyTimeoutMs };
  if (Number(incoming.headers["content-length"] ?? 0) > limits.maxBytes) return rejectBody("tooLarge", limits);
  const head = checkHead(incoming, settings, settings.clock.now());
  if (isRejection(head)) return head;
  const body = await incoming.readBody(limits);
  if (typeof body === "string") return rejectBody(body, limits);
  const forged = checkSignature(head, incoming.target, body, settings);
  if (forged !== undefined) return forged;

  const json = readJson(body, route.row, { maxDepth, maxFreeFormBytes: route.maxBytes });
  if (!json.ok) return rejectJson(json.reason);
  const misdirected = checkPartner(json.value, settings);
  if (misdirected !== undefined) return misdirected;
  const read = route.read(json.value);
  if (!read.ok) return rejectField(read);
  const { serviceCode } = route;
  const unknown = await checkNumber(serviceCode, read.subject, settings);
  if (unknown !== undefined) return unknown;
  const bodyHash = hashBody(body);
  const number = keyNumber(read.subject, bodyHash);
  const key = { serviceCode, number, status: read.subject.status, externalId: head.externalId, bodyHash };
  return handleOnce((signal) => read.run({ ...key, rawBody: body, signal }), key, settings, observe);
}

/** The provider's number is unique for all partners; the prefixes keep the others from being taken for one. */
function keyNumber({ referenceNo, partnerReferenceNo }: NotificationSubject, bodyHash: string): string {
  return referenceNo ?? (partnerReferenceNo === undefined ? `sha256:${bodyHash}` : `partner:${partnerReferenceNo}`);
}

export function rejectBody(fault: BodyFault, { maxBytes, timeoutMs }: BodyLimits): RequestRejection {
  switch (fault) {
    case "tooLarge":
      return reject("body", "badRequest", `The body is larger than ${maxBytes} bytes.`, { reason: "Body too large" });
    case "tooSlow":
      return reject("body", "badRequest", `The body was not complete after ${timeoutMs} ms.`);
    case "aborted":
      return reject("body", "badRequest", "The connection broke before the end of the body.");
    case "alreadyRead":
      return reject("body", "generalError", "The body was read before: mount the endpoint before any body parser.");
  }
}

/**
 * An event that was handled before is answered with success again: every provider counts that as accepted, and not every
 * one 409xx00. One that is being handled gets 503xx00: its handler may still fail, so nothing is accepted yet.
 */
async function handleOnce(
  run: (signal: AbortSignal) => Promise<object>,
  key: NotificationKey,
  { store, clock, handlerTimeoutMs }: ReceiveSettings,
  observe: Observe,
): Promise<Reply | RequestRejection> {
  const inStore = <Value>(work: () => Promise<Value>): Promise<Value | RequestRejection> =>
    withTimeLimit(handlerTimeoutMs, work).catch((error: unknown) =>
      reject("store", "generalError", "The notification store failed.", { error }),
    );

  const claimed = await inStore(() => store.claim(key));
  if (isRejection(claimed)) return claimed;
  if (claimed === "done") return successReply(clock.now(), key.serviceCode);
  if (claimed === "busy") return reject("duplicate", "serviceUnavailable", "The same event is being handled.");
  try {
    const fields = await withTimeLimit(handlerTimeoutMs, run);
    const reply = successReply(clock.now(), key.serviceCode, fields);
    // The result is stored by the handler. Answering anything else would bring the notification back.
    const noted = await inStore(() => store.complete(key));
    if (isRejection(noted)) observe(noted);
    return reply;
  } catch (error) {
    const dropped = await inStore(() => store.release(key));
    if (isRejection(dropped)) observe(dropped);
    return reject("handler", "generalError", "The handler failed or took too long.", { error });
  }
}

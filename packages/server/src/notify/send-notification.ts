/** One attempt to deliver a notification: written, signed, posted, judged. */
import { operationByCode } from "@titian/contract";
import type { Clock } from "../clock.ts";
import { externalIdOf } from "../ids.ts";
import type { NotificationEndpoint, WriteNotification } from "../notifications.ts";
import type { AttemptResult, Delivery } from "../store/tables/deliveries.ts";
import type { HttpClient } from "./http-client.ts";
import { readReply } from "./read-reply.ts";
import type { NotificationSigner } from "./sign-notification.ts";
import { urlAt } from "./url-at.ts";

export interface SendDeps {
  readonly clock: Clock;
  readonly writeNotification: WriteNotification;
  readonly signer: NotificationSigner;
  readonly client: HttpClient;
  /** Version in the paths that notifications are sent to. */
  readonly version: string;
}

/** Rejects when the failure is our own: no attempt of the partner's is used up. */
export async function sendNotification(
  deps: SendDeps,
  delivery: Delivery,
  endpoint: NotificationEndpoint,
): Promise<AttemptResult> {
  const { clock, client, signer, version, writeNotification } = deps;
  const address = delivery.replayUrl ?? endpoint.address ?? "";
  const path = operationByCode(String(delivery.service))?.path ?? "";
  const body = await writeNotification(delivery);
  const startedAt = clock.monotonic();
  const durationOf = () => clock.monotonic() - startedAt;
  let url = address;
  try {
    const target = urlAt(address, version, path);
    url = target.origin + target.pathname;
    const headers = await signer.headersOf({ ...endpoint, address }, target, {
      externalId: externalIdOf(delivery.id),
      body,
    });
    const reply = await client.post(target, headers, body);
    const { responseCode, text, failure } = readReply(reply);
    if (reply.status === 401) signer.forgetToken(endpoint);
    return { url, httpStatus: reply.status, responseCode, reply: text, failure, durationMs: durationOf() };
  } catch (error) {
    return { url, failure: reasonOf(error), durationMs: durationOf() };
  }
}

const reasonMax = 200;

/** Of several addresses that refuse a connection, the first one's. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.slice(0, reasonMax);
}

/** One notification to a partner's address: signed, posted, and the reply read. Nothing of it is recorded here. */
import { operationByCode } from "@titian/contract";
import type { Clock } from "../clock.ts";
import type { NotificationEndpoint } from "../notifications.ts";
import type { AttemptResult } from "../store/tables/deliveries.ts";
import type { HttpClient } from "./http-client.ts";
import { readReply } from "./read-reply.ts";
import type { NotificationSigner, SignedMessage } from "./sign-notification.ts";
import { SigningFailed } from "./signing-thread.ts";
import { maskQuery, urlAt } from "./url-at.ts";

export interface PostDeps {
  readonly clock: Pick<Clock, "monotonic">;
  readonly signer: NotificationSigner;
  readonly client: HttpClient;
  /** Version in the paths that notifications are sent to. */
  readonly version: string;
}

export interface PostOutcome {
  readonly result: AttemptResult;
  /** As sent; absent: they could not be made, mostly since the partner issued no token (mode 1). */
  readonly headers?: Readonly<Record<string, string>>;
  /** Why there is no whole reply. */
  readonly error?: unknown;
}

/** Never throws for what the partner's system does. `service`: 21, 75 or 76. @throws SigningFailed, which is our own failure. */
export async function postNotification(
  { clock, signer, client, version }: PostDeps,
  endpoint: NotificationEndpoint,
  service: number,
  message: SignedMessage,
): Promise<PostOutcome> {
  const startedAt = clock.monotonic();
  const durationOf = () => clock.monotonic() - startedAt;
  const { address = "" } = endpoint;
  let shown = maskQuery(address);
  let headers: Record<string, string> | undefined;
  try {
    const url = urlAt(address, version, operationByCode(String(service))?.path ?? "");
    shown = maskQuery(url.href);
    headers = await signer.headersOf(endpoint, url, message);
    const reply = await client.post(url, headers, message.body);
    const { responseCode, text, failure } = readReply(reply);
    if (reply.status === 401) signer.forgetToken(endpoint);
    const result = { httpStatus: reply.status, responseCode, reply: text, failure, durationMs: durationOf() };
    return { result: { url: shown, ...result }, headers };
  } catch (thrown) {
    if (thrown instanceof SigningFailed) throw thrown;
    const error = firstOf(thrown);
    const result = { url: shown, failure: reasonOf(error), durationMs: durationOf() };
    return { result, error, ...(headers && { headers }) };
  }
}

const reasonMax = 200;

/** Of several addresses that refuse a connection, the first one's. */
function firstOf(error: unknown): unknown {
  return error instanceof AggregateError && error.errors.length > 0 ? firstOf(error.errors[0]) : error;
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  // PostgreSQL holds no NUL in a text.
  return text.slice(0, reasonMax).replaceAll("\0", "\uFFFD");
}

/** One notification to a partner's address: signed, posted, and the reply read. Nothing of it is recorded here. */
import { operationByCode } from "@titian/contract";
import type { Clock } from "../basics/clock.ts";
import type { NotificationEndpoint } from "../interfaces/notifications.ts";
import type { ConfirmedCommit } from "../store/postgres/confirmation/confirmed-commit.ts";
import type { AttemptResult } from "../store/tables/notifications/deliveries.ts";
import type { HttpClient } from "./http-client.ts";
import { readReply } from "./read-reply.ts";
import type { NotificationSigner, ProbeMessage, SignedHeaders, SignedMessage } from "./sign-notification.ts";
import { SigningFailed } from "./signing-thread.ts";
import { maskQuery, signedPathOf, notificationUrl } from "./notification-url.ts";

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
  /** As signed, its query masked. */
  readonly signedPath: string;
  /** Reason why there is no whole reply. */
  readonly error?: unknown;
}

/** A notification of what has happened, behind the commit of its claim alone: no failover loses it then. */
export function postNotification(
  deps: PostDeps,
  endpoint: NotificationEndpoint,
  service: number,
  { externalId, body }: SignedMessage,
  _behind: ConfirmedCommit,
): Promise<PostOutcome> {
  return postProbe(deps, endpoint, service, { externalId, body });
}

/**
 * A message that tells of nothing, or a notification behind its commit. Never throws for what the partner's system does. `service`: 21, 75 or 76. A cached token (mode 1) that is answered HTTP 401
 * is renewed, and the notification posted once more; all of it takes two time-outs at most, as a first token and its post do.
 * @throws SigningFailed, which is our own failure.
 */
export async function postProbe(
  deps: PostDeps,
  endpoint: NotificationEndpoint,
  service: number,
  message: ProbeMessage,
): Promise<PostOutcome> {
  const { clock, client } = deps;
  const startedAt = clock.monotonic();
  const durationOf = () => clock.monotonic() - startedAt;
  const first = await exchange(deps, endpoint, service, message);
  const last = isTokenOld(first)
    ? await postAgain(first, () =>
        exchange(deps, endpoint, service, message, () => 2 * client.timeoutMs - durationOf()),
      )
    : first;
  const { result, headers, error, signedPath } = last;
  return {
    result: { ...result, durationMs: durationOf() },
    signedPath,
    ...(headers && { headers }),
    ...(error !== undefined && { error }),
  };
}

interface Exchange extends Omit<PostOutcome, "result">, Partial<SignedHeaders> {
  readonly result: Omit<AttemptResult, "durationMs">;
}

/** `leftMs`: for the post, once it is signed. */
async function exchange(
  { signer, client, version }: PostDeps,
  endpoint: NotificationEndpoint,
  service: number,
  message: ProbeMessage,
  leftMs?: () => number,
): Promise<Exchange> {
  const { address = "" } = endpoint;
  let [shown, signedPath] = [maskQuery(address), ""];
  let signed: SignedHeaders | undefined;
  try {
    const servicePath = operationByCode(service)?.path ?? "";
    const url = notificationUrl(address, version, servicePath);
    const path = signedPathOf(url, endpoint.signedPath, version, servicePath);
    [shown, signedPath] = [maskQuery(url.href), maskQuery(path)];
    signed = await signer.headersOf(endpoint, path, message);
    const reply = await client.post(url, signed.headers, message.body, endpoint, leftMs?.());
    const { responseCode, text, failure } = readReply(reply);
    if (reply.status === 401 && signed.token) signer.forgetToken(endpoint, signed.token);
    const result = { url: shown, httpStatus: reply.status, responseCode, reply: text, failure };
    return { result, signedPath, ...signed };
  } catch (thrown) {
    if (thrown instanceof SigningFailed) throw thrown;
    const error = firstOf(thrown);
    return { result: { url: shown, failure: reasonOf(error) }, error, signedPath, ...signed };
  }
}

function isTokenOld({ result, token }: Exchange): boolean {
  return token?.isCached === true && result.httpStatus === 401;
}

/** The first reply stays where no new token is issued, with the reason. */
async function postAgain(first: Exchange, post: () => Promise<Exchange>): Promise<Exchange> {
  const second = await post();
  const why = second.result.failure;
  if (!second.headers) return withFailure(first, `${first.result.failure}; no new token: ${why}`);
  return second.result.httpStatus === 401 ? withFailure(second, `${why}, also with a renewed token`) : second;
}

function withFailure(exchanged: Exchange, failure: string): Exchange {
  return { ...exchanged, result: { ...exchanged.result, failure } };
}

const reasonMax = 200;

/** First error of several addresses that reject a connection. */
function firstOf(error: unknown): unknown {
  return error instanceof AggregateError && error.errors.length > 0 ? firstOf(error.errors[0]) : error;
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  // PostgreSQL holds no NUL in a text.
  return text.slice(0, reasonMax).replaceAll("\0", "\uFFFD");
}

/** Sends one request once and returns the result as a value; never throws. */
import type { OperationRow } from "@titian/contract";
import type { Deadline } from "./deadline.ts";
import type { NoResponseReason } from "../errors/errors.ts";
import { type ExchangeRecord, hideBody, hideHeaders } from "./exchange-record.ts";
import type { FetchResponse } from "./fetch.ts";
import type { CallName } from "../names.ts";
import type { Settings } from "../options.ts";
import { maxBodyBytes, readResponseBody } from "./read-response-body.ts";

export interface Outgoing {
  readonly row: OperationRow & { readonly name: CallName };
  readonly externalId?: string | undefined;
  /** From the slash after the host. */
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Masked in the texts of network errors. */
  readonly secrets: readonly string[];
}

export type Exchanged =
  | {
      readonly kind: "received";
      readonly httpStatus: number;
      readonly bytes: Uint8Array;
      readonly retryAfter: string | null;
      /** The provider's time: `X-TIMESTAMP`, else `Date`. */
      readonly respondedAt: string | null;
    }
  | { readonly kind: "unreadable"; readonly httpStatus: number; readonly detail: string }
  | { readonly kind: "noResponse"; readonly reason: NoResponseReason; readonly detail: string };

type Channel = Pick<Settings, "origin" | "fetch" | "clock" | "onExchange">;

export async function exchange(channel: Channel, outgoing: Outgoing, deadline: Deadline): Promise<Exchanged> {
  const startedAt = channel.clock.now();
  const exchanged = await sendAndReceive(channel, outgoing, deadline);
  if (channel.onExchange !== undefined) {
    const record = describe(channel.origin, outgoing, exchanged, {
      startedAt,
      durationMs: channel.clock.now() - startedAt,
    });
    observe(channel.onExchange, record);
  }
  return exchanged;
}

async function sendAndReceive(channel: Channel, outgoing: Outgoing, deadline: Deadline): Promise<Exchanged> {
  try {
    const response = await deadline.race(fetchOnce(channel, outgoing, deadline));
    const bytes = await deadline.race(readResponseBody(response));
    const { status: httpStatus, headers } = response;
    if (bytes === undefined)
      return { kind: "unreadable", httpStatus, detail: `a body of more than ${maxBodyBytes} bytes` };
    const respondedAt = headers.get("x-timestamp") ?? headers.get("date");
    return { kind: "received", httpStatus, bytes, retryAfter: headers.get("retry-after"), respondedAt };
  } catch (error) {
    const reason = deadline.reason();
    if (reason !== undefined) return { kind: "noResponse", reason, detail: reason };
    return { kind: "noResponse", reason: "network", detail: describeNetworkError(error, outgoing.secrets) };
  }
}

/** Async, so that a `fetch` that throws synchronously is a network error like any other. */
async function fetchOnce(
  channel: Channel,
  { path, headers, bytes }: Outgoing,
  deadline: Deadline,
): Promise<FetchResponse> {
  return channel.fetch(`${channel.origin}${path}`, {
    method: "POST",
    headers,
    body: bytes,
    redirect: "manual",
    signal: deadline.signal,
  });
}

/**
 * The message of a network error. The error itself is not kept: those of some libraries hold the whole request, tokens
 * included, and would print it.
 */
function describeNetworkError(error: unknown, secrets: readonly string[]): string {
  const texts: string[] = [];
  for (let cause = error; cause instanceof Error && texts.length < 3; cause = cause.cause) texts.push(errorText(cause));
  const text = texts.length === 0 ? "the network failed" : texts.join(": ");
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, "[hidden]"), text).slice(0, 300);
}

function errorText(error: Error): string {
  // Node reports the errors of several addresses in one error without a message.
  if (error.message !== "") return error.message;
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

function describe(
  origin: string,
  { row, externalId, path, headers, bytes }: Outgoing,
  exchanged: Exchanged,
  time: { readonly startedAt: number; readonly durationMs: number },
): ExchangeRecord {
  const text = (body: Uint8Array): string => new TextDecoder().decode(body);
  return {
    operation: row.name,
    ...(externalId === undefined ? {} : { externalId }),
    request: {
      method: "POST",
      url: `${origin}${path}`,
      headers: hideHeaders(headers),
      body: hideBody(row, "request", text(bytes)),
    },
    ...(exchanged.kind === "received"
      ? { response: { status: exchanged.httpStatus, body: hideBody(row, "response", text(exchanged.bytes)) } }
      : {}),
    ...time,
  };
}

function observe(onExchange: (record: ExchangeRecord) => void, record: ExchangeRecord): void {
  try {
    onExchange(record);
  } catch {
    // A failing observer must not make a successful payment fail.
  }
}

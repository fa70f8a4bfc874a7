/** Shows a call as it happens: the request when it is sent, the status of the response. */
import type { Fetch, ObserveExchange } from "@titian/client";
import type { CallableRow } from "./find-operation.ts";
import { note } from "../output.ts";
import { plain } from "../tables/plain.ts";
import { formatBody, formatHeaders } from "./shorten.ts";
import type { SentRequest } from "./signed-text.ts";

export interface WatchedCalls {
  readonly fetch: Fetch;
  readonly onExchange: ObserveExchange;
  /** The last request sent, with its real headers. */
  last(): SentRequest | undefined;
}

export interface WatchOptions {
  /** The operation to show; its token call is one line. */
  readonly row: CallableRow;
  readonly showSecrets: boolean;
  readonly send: Fetch;
}

export function watchCalls({ row, showSecrets, send }: WatchOptions): WatchedCalls {
  let last: SentRequest | undefined;
  let correlationId: string | undefined;
  return {
    fetch: async (url, request) => {
      last = { url, headers: request.headers, body: request.body };
      if (url.endsWith(`/${row.path}`)) showRequest(last, showSecrets);
      correlationId = undefined;
      const response = await send(url, request);
      correlationId = response.headers.get("X-CORRELATION-ID") ?? undefined;
      return response;
    },
    onExchange: ({ operation, request, response, durationMs }) => {
      const id = correlationId === undefined ? "" : `, X-CORRELATION-ID ${plain(correlationId)}`;
      const outcome = `${response === undefined ? "no response" : `HTTP ${response.status}`} (${Math.round(durationMs)} ms)${id}`;
      note(operation === row.name ? `\n-> ${outcome}` : `Token:      POST ${request.url} -> ${outcome}`);
    },
    last: () => last,
  };
}

function showRequest({ url, headers, body }: SentRequest, showSecrets: boolean): void {
  note(`\nPOST ${url}`);
  for (const line of formatHeaders(headers, showSecrets)) note(line);
  note(`\n${formatBody(body, showSecrets)}`);
}

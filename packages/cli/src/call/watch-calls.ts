/** Shows a call as it happens: the request when it is sent, the status of the response. */
import type { Fetch, ObserveExchange } from "@titian/client";
import type { CallableRow } from "./find-operation.ts";
import { note } from "../output.ts";
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
  return {
    fetch: (url, request) => {
      last = { url, headers: request.headers, body: request.body };
      if (url.endsWith(`/${row.path}`)) showRequest(last, showSecrets);
      return send(url, request);
    },
    onExchange: ({ operation, request, response, durationMs }) => {
      const outcome = `${response === undefined ? "no response" : `HTTP ${response.status}`} (${Math.round(durationMs)} ms)`;
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

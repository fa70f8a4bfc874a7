/** Sends responses: one head, one body, one write. */
import type { ServerResponse } from "node:http";
import { formatTimestamp } from "@titian/contract";
import type { Clock } from "../../basics/clock.ts";
import type { WrittenResponse } from "./response-form.ts";
import { announcesLongBody } from "../connections/lingering.ts";

export interface ResponseSender {
  send(response: ServerResponse, written: WrittenResponse, correlationId: string): void;
  /** Our time as responses carry it (spec D4, D18). */
  timestamp(): string;
}

export function createResponseSender(clock: Clock): ResponseSender {
  let second = 0;
  let timestamp = "";

  /** The same text for a whole second. */
  function timestampNow(): string {
    const now = Math.floor(clock.now() / 1_000);
    if (now !== second) {
      second = now;
      timestamp = formatTimestamp(now * 1_000);
    }
    return timestamp;
  }

  return {
    send(response, { status, body, headers: own }, correlationId) {
      const headers = ["Content-Type", "application/json", "Content-Length", String(Buffer.byteLength(body))];
      for (const text of own) headers.push(text);
      headers.push("X-CORRELATION-ID", correlationId);
      if (!own.includes("X-TIMESTAMP")) headers.push("X-TIMESTAMP", timestampNow());
      // The rest of a long body is not read.
      if (!response.req.complete && announcesLongBody(response.req)) response.shouldKeepAlive = false;
      response.writeHead(status, headers);
      response.end(body);
    },
    timestamp: timestampNow,
  };
}

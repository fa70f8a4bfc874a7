/** Replies of a partner's system that do not come to an end in time. */
import type { ServerResponse } from "node:http";
import type { Reply } from "./endpoint.ts";

/** A byte a second, until the sender has had enough. */
function drip(response: ServerResponse, write: (byte: string) => unknown): void {
  const timer = setInterval(() => write("x"), 1_000);
  response.on("close", () => clearInterval(timer));
}

/** Too slow for the sandbox's sender: in the headers, in the body, in a body that never ends, and before any of it. */
export const slowReplies: readonly Reply[] = [
  {
    misbehave: (response) => {
      response.socket?.write("HTTP/1.1 200 OK\r\nX-Slow: ");
      drip(response, (byte) => response.socket?.write(byte));
    },
  },
  { misbehave: (response) => drip(response.writeHead(200), (byte) => response.write(byte)) },
  {
    misbehave: (response) => void response.writeHead(200, { "Content-Length": 60 }).write('{"responseCode":"2007600"'),
  },
  { afterMs: 3_000 },
];

/** A partner's system that is notified: it keeps what it gets, verifies it by the documents alone, and answers as it is told. */
import assert from "node:assert/strict";
import { createHash, createHmac, verify } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json } from "./caller.ts";
import type { SandboxFile } from "./sandbox-file.ts";
import { eventually } from "./answers.ts";

export interface Received {
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  readonly body: Json;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json | string;
  /** It answers so much later. */
  readonly afterMs?: number;
  /** Instead of a response. */
  readonly misbehave?: (response: ServerResponse) => void;
}

export interface Endpoint extends AsyncDisposable {
  readonly url: string;
  /** Notifications, in the order they came. */
  readonly received: Received[];
  /** Replies to the next notifications, one after the other; then success. */
  readonly replies: Reply[];
  /** Waits for so many notifications, and answers the last one. */
  until(count: number): Promise<Received>;
}

const success: Reply = { body: { responseCode: "2000000", responseMessage: "Successful" } };
const unauthorized: Reply = { status: 401, body: { responseCode: "4010000", responseMessage: "Unauthorized." } };
/** Token that it issues to whoever asks its `access-token/b2b`. */
const partnerToken = "token-of-the-partner";

interface EndpointOptions {
  readonly issuesTokens?: boolean;
  /** Says that it takes the signature of what came; absent: it does. What it does not take is answered 401. */
  readonly verifies?: (received: Received) => boolean;
}

/** `path`: of its address, query included. */
export async function startEndpoint(
  path = "",
  { issuesTokens = true, verifies = () => true }: EndpointOptions = {},
): Promise<Endpoint> {
  const received: Received[] = [];
  const replies: Reply[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString("utf8");
    if (request.url?.includes("/access-token/b2b"))
      return send(response, issuesTokens ? { body: { accessToken: partnerToken, expiresIn: "900" } } : { status: 401 });
    const headers = request.headers as Received["headers"];
    const got = { path: request.url ?? "", headers, text, body: JSON.parse(text) as Json };
    received.push(got);
    return send(response, replies.shift() ?? (verifies(got) ? success : unauthorized));
  };
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    received,
    replies,
    until: (count) => eventually(async () => received.length >= count && received.at(-1)),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function send(response: ServerResponse, reply: Reply): Promise<void> {
  const { status = 200, headers, body = "", afterMs = 0, misbehave } = reply;
  if (misbehave) return misbehave(response);
  if (afterMs > 0) await new Promise((resolve) => setTimeout(resolve, afterMs));
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** Verifies a notification by the provider's public key (mode 2), or with the partner's secret and token (mode 1). */
export function assertSigned(
  { path, headers, text }: Omit<Received, "body">,
  { provider }: Pick<SandboxFile, "provider">,
  secret?: string,
): void {
  const timestamp = headers["x-timestamp"] ?? "";
  const bodyHash = createHash("sha256").update(text).digest("hex");
  const signature = headers["x-signature"] ?? "";
  if (secret === undefined) {
    const signed = Buffer.from(`POST:${path}:${bodyHash}:${timestamp}`);
    assert.ok(verify("sha256", signed, provider.publicKey, Buffer.from(signature, "base64")), "signature");
  } else {
    const signed = `POST:${path}:${partnerToken}:${bodyHash}:${timestamp}`;
    assert.equal(signature, createHmac("sha512", secret).update(signed).digest("base64"));
    assert.equal(headers["authorization"], `Bearer ${partnerToken}`);
  }
  assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 60_000, timestamp);
}

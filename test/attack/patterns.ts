/**
 * Patterns of attackers without credentials, written against the documents. Each connection of a pattern does the same.
 */
import type { Socket } from "node:net";
import type { SandboxFile } from "../support/black-box/sandbox-file.ts";
import { timestampOf } from "../support/black-box/signer.ts";

/** Knowledge of an attacker about a service and its partners. */
export interface Target {
  readonly port: number;
  /** Path before an operation's suffix. */
  readonly root: string;
  readonly symmetric: { readonly partnerId: string; readonly clientKey: string };
  readonly asymmetric: { readonly partnerId: string };
  /** Token of an open console; attackers have none. */
  readonly controlToken: string;
}

export function targetOf({ baseUrl, pathPrefix, version, partners, controlToken }: SandboxFile): Target {
  const [symmetric, asymmetric] = (["symmetric", "asymmetric"] as const).map((mode) =>
    partners.find(({ signing }) => signing === mode),
  );
  if (!symmetric || !asymmetric) throw new Error("sandbox.json lacks a partner of one mode");
  return { port: Number(new URL(baseUrl).port), root: `${pathPrefix}/${version}`, symmetric, asymmetric, controlToken };
}

export interface Pattern {
  readonly name: string;
  readonly connections: number;
  /** True: answers are read; an attacker that does not read leaves them to the service. */
  readonly reads: boolean;
  /** Connects again when it is cut off, or at once after it has sent. */
  readonly again?: "cut" | "sent";
  /** Sends at first, and then each time the socket takes more, or each `everyMs`. */
  send(
    target: Target,
    connection: number,
  ): { readonly first: Bufferish; readonly more?: Bufferish; readonly everyMs?: number };
}

type Bufferish = string | Buffer;

const crlf = "\r\n";
const junk = "x".repeat(60_000);

function head(method: string, path: string, lines: readonly string[] = []): string {
  return [`${method} ${path} HTTP/1.1`, "Host: localhost", ...lines, "", ""].join(crlf);
}

const get = (path: string, times: number) => head("GET", path).repeat(times);

function callLines(partnerId: string, lines: readonly string[]): string[] {
  return [
    "Content-Type: application/json",
    `X-TIMESTAMP: ${timestampOf(Date.now())}`,
    `X-SIGNATURE: ${Buffer.alloc(256, 7).toString("base64")}`,
    `X-PARTNER-ID: ${partnerId}`,
    "X-EXTERNAL-ID: 41807553358950093184",
    "CHANNEL-ID: 95221",
    ...lines,
  ];
}

const garbageToken = `Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.${"e30".repeat(20)}.${"A".repeat(43)}`;
/** The head of a call whose token is none. */
export const callHead = ({ root, symmetric }: Target, lines: readonly string[]): string =>
  head("POST", `${root}/transfer-intrabank`, callLines(symmetric.partnerId, [garbageToken, ...lines]));
/** A call of mode 2 only names its partner: nothing in its head is wrong. */
const namedCall = ({ root, asymmetric }: Target, lines: readonly string[], suffix = "transfer-intrabank") =>
  head("POST", `${root}/${suffix}`, callLines(asymmetric.partnerId, lines));
const tokenCall = ({ root, symmetric }: Target, lines: readonly string[]) => {
  const own = ["Content-Type: application/json", `X-TIMESTAMP: ${timestampOf(Date.now())}`];
  const signature = `X-SIGNATURE: ${Buffer.alloc(256, 7).toString("base64")}`;
  return head("POST", `${root}/access-token/b2b`, [
    ...own,
    `X-CLIENT-KEY: ${symmetric.clientKey}`,
    signature,
    ...lines,
  ]);
};

const unfinished = `Content-Length: ${junk.length + 100}`;
const body = "{}";
const short = `Content-Length: ${body.length}`;
const flood = (bytes: Bufferish) => ({ first: bytes, more: bytes });

/** A call of 64 KiB with a wrong signature, whose text an explanation takes long over. */
function longCall(
  target: Target,
  lines: readonly string[],
): { readonly first: string; readonly more: string; readonly everyMs: number } {
  const [start, end] = ['{"note":"', '"}'];
  const text = start + "a /é\\\\".repeat(longBodyLength).slice(0, longBodyLength) + end;
  const bytes = namedCall(target, [`Content-Length: ${Buffer.byteLength(text)}`, ...lines]) + text;
  return { first: bytes, more: bytes, everyMs: longCallConnections * msOfOneLongCall };
}

const consoles = 50;
const control = ({ controlToken }: Target, path: string) =>
  head("GET", `/sandbox/${path}`, [`Authorization: Bearer ${controlToken}`]);
const repeated = (request: string) => ({ first: request, more: request, everyMs: 1_000 });

const longBodyLength = 50_000;
const longCallConnections = 8;
/** 10,000 a minute over all connections. */
const msOfOneLongCall = 6;

/** In the order in which they run. */
export const patterns: readonly Pattern[] = [
  {
    name: "pipelined GET /metrics",
    connections: 8,
    reads: true,
    again: "cut",
    send: () => flood(get("/metrics", 1_764)),
  },
  {
    name: "pipelined GET /health/ready",
    connections: 8,
    reads: true,
    again: "cut",
    send: () => flood(get("/health/ready", 1_764)),
  },
  {
    name: "pipelined GET of documentation",
    connections: 8,
    reads: true,
    again: "cut",
    send: () => flood(get("/docs/assets/search-en.json", 100) + get("/openapi.json", 100)),
  },
  {
    name: "pipelined calls without headers",
    connections: 32,
    reads: true,
    again: "cut",
    send: ({ root }) => flood(head("POST", `${root}/transfer-intrabank`, ["Content-Length: 0"]).repeat(700)),
  },
  {
    name: "1 MiB bodies to unknown paths",
    connections: 200,
    reads: true,
    again: "cut",
    send: () => ({ first: head("POST", "/nothing", ["Content-Length: 1048576"]) + junk, more: junk }),
  },
  {
    name: "1,500 rejected bodies of 1 MiB",
    connections: 1_500,
    reads: true,
    again: "cut",
    send: (target) => ({ first: callHead(target, ["Content-Length: 1048576"]) + junk, more: junk }),
  },
  {
    name: "2,240 unfinished bodies, no valid token",
    connections: 2_240,
    reads: true,
    again: "cut",
    send: (target) => ({ first: callHead(target, [unfinished]) + junk }),
  },
  {
    name: "2,240 unfinished token calls",
    connections: 2_240,
    reads: true,
    again: "cut",
    send: (target) => ({ first: tokenCall(target, [unfinished]) + junk }),
  },
  {
    name: "2,240 unfinished bodies in a partner's name",
    connections: 2_240,
    reads: true,
    again: "cut",
    send: (target) => ({ first: namedCall(target, [unfinished]) + junk }),
  },
  {
    name: "64 unfinished bulks of 8 MiB in a partner's name",
    connections: 64,
    reads: true,
    again: "cut",
    send: (target) => ({
      first: namedCall(target, ["Content-Length: 8388608"], "transfer-interbank-bulk"),
      more: " ".repeat(60_000),
      everyMs: 250,
    }),
  },
  {
    name: "300 never read documentation",
    connections: 300,
    reads: false,
    again: "cut",
    send: () => flood(get("/docs/assets/search-en.json", 100)),
  },
  {
    name: "300 never read rejections",
    connections: 300,
    reads: false,
    again: "cut",
    send: (target) => flood((callHead(target, [short]) + body).repeat(50)),
  },
  { name: "4,000 idle connections", connections: 4_000, reads: true, again: "cut", send: () => ({ first: "" }) },
  {
    name: "slow headers",
    connections: 1_000,
    reads: true,
    again: "cut",
    send: () => ({ first: "GET / HTTP/1.1\r\nX-A: ", more: "a", everyMs: 250 }),
  },
  {
    name: "token calls with wrong signatures",
    connections: 64,
    reads: true,
    again: "cut",
    send: (target) => flood((tokenCall(target, [short]) + body).repeat(20)),
  },
  {
    name: "calls with wrong signatures in a partner's name",
    connections: 64,
    reads: true,
    again: "cut",
    send: (target) => flood((namedCall(target, [short]) + body).repeat(20)),
  },
  {
    name: "10,000 rejected calls of 64 KiB a minute",
    connections: longCallConnections,
    reads: true,
    again: "cut",
    send: (target) => longCall(target, []),
  },
  {
    name: "10,000 rejected calls of 64 KiB a minute in debug mode",
    connections: longCallConnections,
    reads: true,
    again: "cut",
    send: (target) => longCall(target, ["X-Debug-Mode: true"]),
  },
  {
    name: "10,000 rejected calls of 64 KiB a minute, and 50 open consoles that show them",
    connections: longCallConnections + 2 * consoles,
    reads: true,
    again: "cut",
    send: (target, connection) => {
      if (connection < longCallConnections) return longCall(target, []);
      const isStream = connection < longCallConnections + consoles;
      return isStream ? { first: control(target, "calls/stream") } : repeated(control(target, "refusals?last=20"));
    },
  },
  {
    name: "bodies in drops",
    connections: 500,
    reads: true,
    again: "cut",
    send: (target) => ({
      first: namedCall(target, ["Transfer-Encoding: chunked"]),
      more: `1${crlf} ${crlf}`,
      everyMs: 100,
    }),
  },
  {
    name: "connections that come and go with what is not HTTP",
    connections: 32,
    reads: true,
    again: "sent",
    send: () => ({ first: `POST / HTTP/9${crlf}${"X: y\r\n".repeat(500)}` }),
  },
];

/** One connection's part; it goes on until the socket closes. */
export function attackOn(socket: Socket, pattern: Pattern, target: Target, connection: number): void {
  const { first, more, everyMs } = pattern.send(target, connection);
  if (pattern.reads) socket.resume();
  if (pattern.again === "sent") {
    socket.end(first);
    return;
  }
  if (first.length > 0) socket.write(first);
  if (more === undefined) return;
  if (everyMs === undefined) {
    socket.on("drain", () => socket.write(more));
    return;
  }
  const timer = setInterval(() => socket.write(more), everyMs);
  socket.once("close", () => clearInterval(timer));
}

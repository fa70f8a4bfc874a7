/** Stops taking connections and ends those there are, each after its last response. */
import { once } from "node:events";
import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../../basics/clock.ts";
import type { Connections } from "./connections.ts";
import type { Handshakes } from "./handshakes.ts";

/** Longest wait for a turn of the event loop without new connections (ms). */
const waitMsMax = 1_000;
/** A turn as short as this leaves no time to connect between its end and the closing (ms). */
const shortTurnMs = 1;
/** Time for the TLS handshakes that are under way (ms). */
const handshakeMs = 1_000;

export interface DrainOptions {
  readonly servers: readonly Server[];
  readonly connections: Connections;
  readonly handshakes: Handshakes;
  readonly clock: Clock;
  /** Connections still open after this are cut. */
  readonly graceMs: number;
  /** Awaited between the end of listening and that of connections. */
  readonly released?: (() => Promise<void>) | undefined;
}

/** Resolves when all connections are closed. */
export async function drain({
  servers,
  connections,
  handshakes,
  clock,
  graceMs,
  released,
}: DrainOptions): Promise<void> {
  const listening = servers.filter((server) => server.listening);
  const closed = listening.map((server) => once(server, "close"));
  await takeWaiting(listening, clock);
  // Not Node's own close of an HTTP server: it cuts connections that a caller may be about to use.
  for (const server of listening) NetServer.prototype.close.call(server);
  await released?.();
  connections.drain();
  const late = setTimeout(handshakes.cut, handshakeMs);
  const cut = setTimeout(() => {
    for (const server of listening) server.closeAllConnections();
  }, graceMs);
  await Promise.all(closed);
  clearTimeout(late);
  clearTimeout(cut);
}

/** The system resets waiting connections when their listener is closed: they are accepted before. */
async function takeWaiting(servers: readonly Server[], clock: Clock): Promise<void> {
  let hasCome = false;
  const note = () => {
    hasCome = true;
  };
  for (const server of servers) server.on("connection", note);
  const endsAt = clock.monotonic() + waitMsMax;
  for (let now = clock.monotonic(); now < endsAt; ) {
    hasCome = false;
    const begunAt = now;
    await nextTurn();
    now = clock.monotonic();
    if (!hasCome && now - begunAt < shortTurnMs) break;
  }
  for (const server of servers) server.off("connection", note);
}

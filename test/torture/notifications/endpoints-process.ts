/** All partners' systems in one process, forked by `endpoints.ts`: cheap, since the nodes share its processor. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { assertSigned, type Received } from "../../support/black-box/endpoint.ts";
import { serveParent } from "../../support/child-node.ts";
import { contentHash } from "./content-hash.ts";
import type {
  Arrival,
  EndpointKind,
  EndpointsOptions,
  EndpointsReport,
  EndpointsRequest,
  EndpointState,
} from "./endpoint-kinds.ts";

const slowMs = 1_500;
const flappingMs = 4_000;
/** One signature in so many is verified. */
const verifiedEvery = 20;
const success = JSON.stringify({ responseCode: "2000000", responseMessage: "Successful" });

type Reply = "success" | "late" | "none" | "unavailable" | "reset";

serveParent<EndpointsOptions, EndpointsRequest, EndpointsReport>(async ({ kinds, providerKey }, { report }) => {
  let state: EndpointState = "healthy";
  const arrivals: Arrival[] = [];

  const receive = async (endpoint: number, request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const { url: path = "", headers } = request;
    const arrival: Arrival = {
      endpoint,
      externalId: String(headers["x-external-id"]),
      content: contentHash(path, String(headers["x-partner-id"]), body),
      at: Date.now(),
    };
    const count = arrivals.push(arrival);
    if (count % verifiedEvery === 0) verify({ path, headers: headers as Received["headers"], text: body });
    await reply(replyOf(kinds[endpoint] ?? "healthy", state, count), arrival, response);
  };
  const verify = (received: Omit<Received, "body">) => {
    try {
      assertSigned(received, { provider: { publicKey: providerKey } });
    } catch (error) {
      report(`a notification is not signed as documented: ${String(error)}`);
    }
  };
  const servers = kinds.map((_, endpoint) =>
    createServer((request, response) => void receive(endpoint, request, response).catch(() => response.destroy())),
  );
  await Promise.all(servers.map((server) => listen(server, 0)));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);

  const change = async (next: EndpointState) => {
    state = next;
    for (const [endpoint, server] of servers.entries()) {
      const listens = state !== "sick" || kinds[endpoint] !== "refusing";
      if (listens && !server.listening) await listen(server, ports[endpoint] ?? 0);
      if (!listens && server.listening) await close(server);
    }
  };
  return {
    answer: async (request) => {
      if (request.state !== undefined) await change(request.state);
      return { ports, arrivals: request.arrivals === true ? arrivals : [] };
    },
    close: async () => void (await Promise.all(servers.map(close))),
  };
});

function replyOf(kind: EndpointKind, state: EndpointState, count: number): Reply {
  if (kind === "healthy" || state === "healthy") return "success";
  if (state === "failing") return "unavailable";
  if (kind === "slow") return "late";
  if (kind !== "flapping") return "none";
  const isUp = Math.floor(Date.now() / flappingMs) % 2 === 0;
  if (isUp) return "success";
  return count % 2 === 0 ? "unavailable" : "reset";
}

async function reply(kind: Reply, arrival: Arrival, response: ServerResponse): Promise<void> {
  if (kind === "none") return;
  if (kind === "late") await sleep(slowMs);
  if (kind === "reset") response.destroy();
  if (response.destroyed) return;
  const isSuccess = kind !== "unavailable";
  if (isSuccess) arrival.acceptedAt = Date.now();
  response.writeHead(isSuccess ? 200 : 503, { "Content-Type": "application/json" });
  response.end(isSuccess ? success : "");
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  server.close();
  server.closeAllConnections();
  await once(server, "close");
}

/** The partner of the day: keys of its own, a client at each node, and a receiver behind the provider's proxy to the internet. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createProxy, type IncomingMessage } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, connect, type Server, type Socket } from "node:net";
import { join } from "node:path";
import {
  type Client,
  createClient,
  createMemoryStore,
  createReceiver,
  type Credentials,
  type Endpoint,
  type Fetch,
  SnapError,
} from "@titian/client";
import { done, type Titian } from "./people.ts";

export const partnerId = "SHOP01";
const receiverHost = "receiver.shop.example";
export const notificationAddress = `https://${receiverHost}/snap`;

export interface Received {
  readonly serviceCode: string;
  readonly number: string;
  readonly status: string;
}

export interface Shop extends AsyncDisposable {
  /** Its notifications, as the receiver of the client's package took them. */
  readonly received: readonly Received[];
  /** Certificate that the receiver's is verified by. */
  readonly certificateFile: string;
  /** The proxy alone resolves the receiver's name. */
  readonly proxyUrl: string;
  /** Keys in PEM of the provider by which notifications are accepted. */
  trust(providerPublicKeys: readonly string[]): void;
}

export interface KeyPair {
  readonly privateKey: string;
  readonly publicKeyFile: string;
}

/** As the partner does it: `titian keys new`, where no repository is. */
export async function newKeyPair(titian: Titian, directory: string): Promise<KeyPair> {
  done(await titian({}, "keys", "new", "--out", directory));
  const publicKeyFile = join(directory, "public-key.pem");
  return { privateKey: readFileSync(join(directory, "private-key.pem"), "utf8"), publicKeyFile };
}

export function clientAt(baseUrl: string, credentials: Credentials, fetch?: Fetch): Client {
  return createClient({ baseUrl, partnerId, clientKey: partnerId, channelId: "95221", credentials, fetch });
}

interface Answered {
  /** The body as received. */
  readonly raw: string;
}

/** Code of the response, rejected or not. */
export async function codeOf(call: Promise<Answered>): Promise<string> {
  try {
    return JSON.parse((await call).raw).responseCode;
  } catch (error) {
    if (error instanceof SnapError) return error.responseCode;
    // A call that got no token was rejected there.
    if (error instanceof Error && error.cause instanceof SnapError) return error.cause.responseCode;
    throw error;
  }
}

/** Asserts the response code of a success; answers the response. */
export async function expectCode<Response extends Answered>(code: string, call: Promise<Response>): Promise<Response> {
  const response = await call;
  assert.equal(JSON.parse(response.raw).responseCode, code, response.raw);
  return response;
}

export async function startShop(directory: string): Promise<Shop> {
  const [keyFile, certificateFile] = [join(directory, "receiver.key"), join(directory, "receiver.pem")];
  const subject = ["-subj", `/CN=${receiverHost}`, "-addext", `subjectAltName=DNS:${receiverHost}`];
  const files = ["-keyout", keyFile, "-out", certificateFile];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  execFileSync("openssl", ["req", "-x509", ...curve, ...subject, ...files], { stdio: "pipe" });

  const received: Received[] = [];
  const store = createMemoryStore();
  let receiver: Endpoint | undefined;
  const tls = { key: readFileSync(keyFile), cert: readFileSync(certificateFile) };
  const web = createServer(tls, (request, response) => receiver?.nodeListener(request, response));
  const receiverPort = await listen(web);
  const sockets = new Set<Socket>();
  const proxy = createProxy().on("connect", (request: IncomingMessage, socket: Socket) => {
    assert.equal(request.url, `${receiverHost}:443`);
    const behind = connect(receiverPort, "127.0.0.1", () =>
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n"),
    );
    for (const [one, other] of [[socket, behind] as const, [behind, socket] as const]) {
      sockets.add(one);
      one.on("error", () => other.destroy()).pipe(other);
    }
  });
  const proxyUrl = `http://127.0.0.1:${await listen(proxy)}`;
  const keep = (_notification: object, { serviceCode, number, status }: Received) =>
    void received.push({ serviceCode, number, status });
  return {
    received,
    certificateFile,
    proxyUrl,
    trust: (providerPublicKeys) => {
      const keys = { mode: "asymmetric", providerPublicKeys } as const;
      receiver = createReceiver({ partnerId, keys, store, on: { rtgs: keep, skn: keep, bulk: keep } });
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      for (const server of [web, proxy]) server.closeAllConnections();
      for (const server of [web, proxy]) server.close();
    },
  };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

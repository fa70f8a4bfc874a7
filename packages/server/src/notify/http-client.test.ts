/** Goal: with the guard of production no connection is opened to a forbidden address, however it is named. By real sockets. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, isIP, type Server } from "node:net";
import { after, test } from "node:test";
import { type AddressRules, createAddressGuard, productionRules, sandboxRules } from "./address-guard.ts";
import { createHttpClient } from "./http-client.ts";

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());

let connections = 0;
async function trap(host: string, port: number): Promise<number> {
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  return listen(server, host, port);
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  server.listen(port, host);
  await once(server, "listening");
  stack.defer(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const port = await trap("127.0.0.1", 0);
await trap("::1", port);

function clientOf(rules: AddressRules, connectionsMax = 8) {
  const client = createHttpClient({ guard: createAddressGuard(rules), timeoutMs: 2_000, connections: connectionsMax });
  stack.defer(() => client.close());
  return (url: string, networks?: readonly string[]) =>
    client.post(new URL(url), {}, Buffer.from("{}"), { partnerId: "SHOP01", ...(networks && { networks }) });
}

/** The responses of a resolver, one after the other; the last one stays. */
function resolving(...answers: readonly (readonly string[])[]): AddressRules {
  const left = [...answers];
  return {
    ...productionRules,
    resolve: async () => {
      const answer = (left.length > 1 ? left.shift() : left[0]) ?? [];
      return answer.map((address) => ({ address, family: isIP(address) }));
    },
  };
}

/** As a URL may spell them. */
const literals = `
  127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7f.1 0177.0.0.1 017700000001 0 0.0.0.0 １２７.0.0.1 127。0。0。1
  127.0.0.1. [::1] [0:0:0:0:0:0:0:1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1]
  [2002:7f00:1::] [2001:0:4136:e378:8000:63bf:3fff:fdd2] [fc00::1] [fd00:ec2::254] [fe80::1] [fec0::1] [ff02::1] [2001:db8::1]
  169.254.169.254 2852039166 100.64.0.1 100.100.100.200 10.0.0.1 172.16.0.1 192.168.1.1 224.0.0.1 255.255.255.255`
  .trim()
  .split(/\s+/);

for (const host of literals) {
  test(`no connection is opened to ${host}`, async () => {
    await assert.rejects(clientOf(productionRules)(`https://${host}:${port}/hooks`), { name: "ForbiddenAddress" });
    assert.equal(connections, 0);
  });
}

const names: readonly (readonly [name: string, addresses: readonly string[]])[] = [
  ["metadata.google.internal", ["169.254.169.254"]],
  ["instance-data.ec2.internal", ["169.254.169.254", "fd00:ec2::254"]],
  ["127.0.0.1.nip.example", ["127.0.0.1"]],
  ["six.example", ["::1"]],
  ["one-public-one-private.example", ["8.8.8.8", "127.0.0.1"]],
  ["one-public-one-private-six.example", ["2606:4700:4700::1111", "::1"]],
  ["mapped.example", ["::ffff:127.0.0.1"]],
  ["translated.example", ["64:ff9b::7f00:1"]],
  ["carrier.example", ["100.64.0.1"]],
  ["alias-of-loopback.example", ["localhost", "127.0.0.1"]],
  ["no-address.example", ["localhost"]],
];

for (const [name, addresses] of names) {
  test(`no connection is opened to ${name}, which resolves to ${addresses.join(" and ")}`, async () => {
    await assert.rejects(clientOf(resolving(addresses))(`https://${name}:${port}/`), { name: "ForbiddenAddress" });
    assert.equal(connections, 0);
  });
}

test("a name that was public when it was registered and is rebound to loopback at the connection, and again", async () => {
  const rules = resolving(["8.8.8.8"], ["127.0.0.1"], ["::1"], ["8.8.8.8", "127.0.0.1"]);
  const url = `https://rebound.example:${port}/`;
  await createAddressGuard(rules).resolve(new URL(url));
  const post = clientOf(rules);
  for (let attempt = 0; attempt < 4; attempt += 1) await assert.rejects(post(url), { name: "ForbiddenAddress" });
  assert.equal(connections, 0);
});

test("with a network of the partner a name that is rebound outside it is not connected to, nor by another partner's post", async () => {
  const networks = ["private:10.20.0.0/16"];
  const rules = resolving(
    ["127.0.0.1"],
    ["10.20.0.7", "127.0.0.1"],
    ["::ffff:10.20.0.7"],
    ["169.254.169.254"],
    ["10.20.0.7"],
  );
  const post = clientOf(rules);
  const url = `https://rebound.example:${port}/`;
  for (let attempt = 0; attempt < 4; attempt += 1)
    await assert.rejects(post(url, networks), { name: "ForbiddenAddress" });
  await assert.rejects(post(url), { name: "ForbiddenAddress" });
  assert.equal(connections, 0);
});

test("a connection that is kept alive stays with the address that was checked when the name is rebound", async () => {
  let accepted = 0;
  const partner = createHttpServer((_request, response) => void response.end("{}"));
  partner.on("connection", () => {
    accepted += 1;
  });
  await listen(partner, "127.0.0.2", port);
  const rules = resolving(["127.0.0.2"], ["127.0.0.1"]);
  const isPermitted = (address: string) => address === "127.0.0.2";
  // One connection at most: the second request waits for the first one's.
  const post = clientOf({ ...rules, needsTls: false, isPermitted }, 1);
  const url = `http://rebound.example:${port}/`;
  for (let attempt = 0; attempt < 2; attempt += 1) assert.equal((await post(url)).status, 200);
  partner.closeAllConnections();
  await assert.rejects(async () => {
    // The first one may still find the connection that is just being closed.
    for (let attempt = 0; attempt < 2; attempt += 1) await post(url).catch(rethrowForbidden);
  });
  assert.deepEqual([accepted, connections], [1, 0]);
});

function rethrowForbidden(error: unknown): void {
  if (error instanceof Error && error.name === "ForbiddenAddress") throw error;
}

test("without the guard of production the same listeners are connected to", async () => {
  const post = clientOf(sandboxRules);
  for (const host of ["127.0.0.1", "[::1]", "localhost"]) await assert.rejects(post(`https://${host}:${port}/`));
  assert.ok(connections >= 3, String(connections));
});

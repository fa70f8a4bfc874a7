/** A notification with a token of the partner (mode 1): a cached token that it no longer takes is renewed within the attempt. */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, beforeEach, test } from "node:test";
import { signRsa } from "@titian/contract";
import { createClock } from "../basics/clock.ts";
import type { NotificationEndpoint } from "../interfaces/notifications.ts";
import { createAddressGuard, sandboxRules } from "./address-guard.ts";
import { createHttpClient } from "./http-client.ts";
import { type PostDeps, postProbe } from "./post-notification.ts";
import { createNotificationSigner } from "./sign-notification.ts";

const timeoutMs = 2_000;
const unauthorized = JSON.stringify({ responseCode: "4017601", responseMessage: "Invalid Token (B2B)" });
const accepted = JSON.stringify({ responseCode: "2007600", responseMessage: "Successful" });

let issued = 0;
/** Headers of what was posted. */
let posted: IncomingHttpHeaders[] = [];
/** Tokens that the partner takes: those issued after so many. */
let revoked = 0;
let answerToken = (response: ServerResponse, token: string) =>
  void response.end(JSON.stringify({ accessToken: token, expiresIn: "900" }));
const issue = answerToken;

const server = createServer((request, response) => {
  if (request.url?.includes("/access-token/")) {
    issued += 1;
    return answerToken(response, `token-${issued}`);
  }
  posted.push(request.headers);
  const number = Number(/token-(\d+)$/.exec(request.headers.authorization ?? "")?.[1]);
  return number > revoked ? response.end(accepted) : response.writeHead(401).end(unauthorized);
}).listen(0, "127.0.0.1");
await once(server, "listening");
const client = createHttpClient({ guard: createAddressGuard(sandboxRules), timeoutMs, connections: 8 });
after(async () => {
  await client.close();
  server.closeAllConnections();
  server.close();
});

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const clock = createClock();
const version = "v1.0";
const sign = async (text: string) => signRsa(privateKey, text);
let address = "";
let signer = createNotificationSigner({ sign, clientId: "titian", version, client, real: Date.now });
beforeEach(() => {
  [issued, revoked, posted, answerToken] = [0, 0, [], issue];
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  signer = createNotificationSigner({ sign, clientId: "titian", version, client, real: Date.now });
});

const post = (externalId = "1", more: Partial<PostDeps> = {}, secret: Partial<NotificationEndpoint> = {}) => {
  const endpoint = {
    partner: "a",
    partnerId: "a",
    channelId: "95221",
    address,
    signing: "symmetric",
    signedPath: "whole",
    secret: "s",
    ...secret,
  } as const;
  const deps = { clock, signer, client, version, ...more };
  return postProbe(deps, endpoint, 76, { externalId, body: Buffer.from("{}") });
};
const failureOf = async (externalId?: string) => (await post(externalId)).result.failure;

test("a cached token that is answered 401 is renewed, and the notification posted once more in the same attempt", async () => {
  assert.equal(await failureOf("1"), undefined);
  revoked = 1;
  assert.equal(await failureOf("2"), undefined);
  assert.deepEqual(
    posted.map(({ authorization, "x-external-id": id }) => [authorization, id]),
    [
      ["Bearer token-1", "1"],
      ["Bearer token-1", "2"],
      ["Bearer token-2", "2"],
    ],
  );
  assert.notEqual(posted[1]?.["x-signature"], posted[2]?.["x-signature"]);
});

test("a token that was issued for the attempt and is answered 401 is not renewed; the next attempt asks for another", async () => {
  revoked = 9;
  assert.equal(await failureOf(), "answered 4017601");
  assert.deepEqual([issued, posted.length], [1, 1]);
  assert.equal(await failureOf(), "answered 4017601");
  assert.deepEqual([issued, posted.length], [2, 2]);
});

test("a renewed token that is answered 401 is the end of the attempt, which says so", async () => {
  await post();
  revoked = 9;
  const { result } = await post();
  assert.deepEqual([result.httpStatus, result.responseCode], [401, "4017601"]);
  assert.equal(result.failure, "answered 4017601, also with a renewed token");
  assert.deepEqual([issued, posted.length], [2, 3]);
});

test("many notifications with one token that was revoked renew it once", async () => {
  await post();
  revoked = 1;
  const failures = await Promise.all(Array.from({ length: 32 }, (_, index) => failureOf(String(index))));
  assert.deepEqual(new Set(failures), new Set([undefined]));
  assert.equal(issued, 2);
  assert.ok(posted.length <= 1 + 2 * 32, `${posted.length} posts`);
});

test("where no new token is issued, the attempt keeps the first reply and says why", async () => {
  await post();
  revoked = 1;
  answerToken = (response) => void response.writeHead(500).end();
  const { result } = await post();
  assert.deepEqual([result.httpStatus, result.responseCode, posted.length], [401, "4017601", 2]);
  assert.equal(
    result.failure,
    "answered 4017601; no new token: Error: the partner's access-token/b2b answered 500 without a token",
  );
});

test("the renewal and the second post have what is left of two time-outs, as a first token and its post have", async () => {
  await post();
  revoked = 1;
  let monotonic = 0;
  const withins: (number | undefined)[] = [];
  const watched = {
    ...client,
    post: (...[url, headers, body, line, withinMs]: Parameters<typeof client.post>) => {
      withins.push(withinMs);
      monotonic += timeoutMs * 0.75;
      return client.post(url, headers, body, line, withinMs);
    },
  };
  const { result } = await post("2", { client: watched, clock: { monotonic: () => monotonic } });
  // The token is asked for by the signer's own client: its time is not counted here.
  assert.deepEqual([withins, result.failure], [[undefined, timeoutMs * 1.25], undefined]);
  const late = { ...watched, timeoutMs: timeoutMs * 0.375 };
  revoked = 2;
  const { failure = "" } = (await post("3", { client: late, clock: { monotonic: () => monotonic } })).result;
  assert.match(failure, /^TimeoutError/);
});

test("a partner whose secret does not open here: our own failure, and no token is asked for", async () => {
  const unreadable = { secret: undefined, isSecretUnreadable: true };
  await assert.rejects(post("1", {}, unreadable), { name: "SigningFailed", message: /secret cannot be decrypted/ });
  assert.deepEqual([issued, posted.length], [0, 0]);
});

import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { createAddressGuard, sandboxRules } from "./address-guard.ts";
import { createHttpClient } from "./http-client.ts";
import { signRsa } from "@titian/contract";
import { createPartnerTokens } from "./partner-tokens.ts";

/** Paths that a token was asked for at; the token issued is the number of it. */
const asked: string[] = [];
let expiresIn = "900";
const server = createServer((request, response) => {
  const accessToken = String(asked.push(request.url ?? ""));
  if (request.url?.startsWith("/text")) return response.end("a-token\0");
  return response.end(request.url?.startsWith("/broken") ? "{}" : JSON.stringify({ accessToken, expiresIn }));
}).listen(0, "127.0.0.1");
await once(server, "listening");
const client = createHttpClient({ guard: createAddressGuard(sandboxRules), timeoutMs: 2_000, connections: 8 });
after(async () => {
  await client.close();
  server.close();
});

let now = Date.UTC(2026, 10, 22);
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const real = () => now;
const sign = async (text: string) => signRsa(privateKey, text);
const tokens = createPartnerTokens({ sign, clientId: "titian", version: "v1.0", client, real });
const at = (path: string, partner = "a") => ({
  partner,
  partnerId: partner,
  channelId: "95221",
  address: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
  signing: "symmetric" as const,
  signedPath: "whole" as const,
});
const tokenOf = async (path: string, partner?: string) => (await tokens.tokenOf(at(path, partner))).value;

test("a token is asked for once for each partner and address, and forgotten for that address alone", async () => {
  assert.deepEqual(await Promise.all([tokenOf("/own"), tokenOf("/own")]), ["1", "1"]);
  assert.equal(await tokenOf("/elsewhere"), "2");
  assert.deepEqual([await tokenOf("/own"), await tokenOf("/elsewhere")], ["1", "2"]);
  assert.equal(await tokenOf("/own", "b"), "3");
  // A token that another one has replaced is forgotten already.
  tokens.forget(at("/elsewhere"), "1");
  assert.deepEqual(await tokens.tokenOf(at("/elsewhere")), { value: "2", isCached: true });
  tokens.forget(at("/elsewhere"), "2");
  assert.deepEqual([await tokenOf("/own"), await tokenOf("/elsewhere"), await tokenOf("/own", "b")], ["1", "4", "3"]);
  assert.deepEqual(asked.slice(0, 2), ["/own/v1.0/access-token/b2b", "/elsewhere/v1.0/access-token/b2b"]);
});

test("a token is renewed 30 s before it expires; one that was not issued, or lives shorter, is asked for again", async () => {
  const before = await tokenOf("/own");
  now += 869_000;
  assert.equal(await tokenOf("/own"), before);
  now += 2_000;
  assert.notEqual(await tokenOf("/own"), before);
  expiresIn = "30";
  assert.notEqual(await tokenOf("/short"), await tokenOf("/short"));
  await assert.rejects(tokenOf("/text"), { message: "the partner's access-token/b2b answered 200 without a token" });
  for (const count of [1, 2]) {
    await assert.rejects(tokenOf("/broken"), /answered 200 without a token/);
    assert.equal(asked.filter((path) => path.startsWith("/broken")).length, count);
  }
});

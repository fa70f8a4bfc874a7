import assert from "node:assert/strict";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { test } from "node:test";
import { callerAddress, createAddressList } from "./address-list.ts";

test("addresses and ranges of both families match", () => {
  const list = createAddressList(["10.0.0.1", "192.168.0.0/16", "2001:db8::/32"]);
  for (const address of ["10.0.0.1", "192.168.255.9", "2001:db8::9", "::ffff:10.0.0.1"]) {
    assert.equal(list.has(address), true, address);
  }
  for (const address of ["10.0.0.2", "192.169.0.1", "2001:db9::1", "", "localhost"]) {
    assert.equal(list.has(address), false, address);
  }
});

test("an unreadable entry lets nobody in", () => {
  const list = createAddressList(["10.0.0.0/33", "10.0.0.0/", "10.0.0.0/x", "partner.example"]);
  assert.equal(list.isEmpty, false);
  assert.equal(list.has("10.0.0.0"), false);
});

function requestFrom(remoteAddress: string, forwarded?: string): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: remoteAddress });
  const request = new IncomingMessage(socket);
  if (forwarded !== undefined) request.headers["x-forwarded-for"] = forwarded;
  return request;
}

test("X-Forwarded-For is believed only from trusted proxies", () => {
  const nobody = createAddressList([]);
  const proxies = createAddressList(["10.0.0.0/8"]);
  const cases: readonly [string, string | undefined, typeof nobody, string][] = [
    ["::ffff:203.0.113.9", undefined, nobody, "203.0.113.9"],
    ["203.0.113.9", "198.51.100.1", nobody, "203.0.113.9"],
    ["203.0.113.9", "198.51.100.1", proxies, "203.0.113.9"],
    ["10.0.0.5", "198.51.100.1", proxies, "198.51.100.1"],
    ["10.0.0.5", "1.1.1.1, 198.51.100.1, 10.0.0.7", proxies, "198.51.100.1"],
    ["10.0.0.5", undefined, proxies, "10.0.0.5"],
    ["10.0.0.5", "unknown", proxies, "10.0.0.5"],
  ];
  for (const [remote, forwarded, trusted, expected] of cases) {
    assert.equal(callerAddress(requestFrom(remote, forwarded), trusted), expected, `${remote} via ${forwarded}`);
  }
});

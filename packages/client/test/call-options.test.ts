import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestOf } from "@titian/contract";
import { createClient, type SendOptions } from "../src/index.ts";
import { asymmetric, symmetric } from "./helpers/credentials.ts";
import { recordingFetch } from "./helpers/recording-fetch.ts";
import { rejection } from "./helpers/rejection.ts";
import { accepted, transfer } from "./helpers/transfer.ts";

test("a customer's token and further headers are sent beside the signed ones", async () => {
  const { fetch, calls } = recordingFetch(accepted);
  const client = createClient({ ...symmetric, fetch });
  await client.intrabankTransfer(transfer, {
    customerToken: "c1",
    headers: { "X-DEVICE-ID": "d1", ORIGIN: "shop.example" },
  });
  const headers = calls[0]?.headers ?? {};
  assert.equal(headers["Authorization-Customer"], "Bearer c1");
  assert.equal(headers["X-DEVICE-ID"], "d1");
  assert.equal(headers.ORIGIN, "shop.example");
});

const mistakes: readonly (readonly [string, SendOptions])[] = [
  ["a header of ours", { headers: { "x-signature": "mine" } }],
  ["an authorization of one's own", { headers: { authorization: "Bearer mine" } }],
  ["a header that steers the connection", { headers: { "Content-Length": "1" } }],
  ["a header that fetch does not send", { headers: { Expect: "100-continue" } }],
  ["another one", { headers: { "Keep-Alive": "timeout=5" } }],
  ["and another", { headers: { Upgrade: "h2c" } }],
  ["a header name that is none", { headers: { "X Y": "z" } }],
  ["a header that smuggles another", { headers: { "X-DEVICE-ID": "a\r\nX-PARTNER-ID: b" } }],
  ["a token with its scheme", { customerToken: "Bearer c1" }],
  ["a time that is none", { timeoutMs: -1 }],
];

for (const [name, options] of mistakes) {
  test(`a mistake is found before anything is sent: ${name}`, async () => {
    const { fetch, calls } = recordingFetch(accepted);
    const client = createClient({ ...asymmetric, fetch });
    assert.ok((await rejection(client.intrabankTransfer(transfer, options))) instanceof TypeError);
    assert.ok(
      (await rejection(client.send(client.prepare("intrabankTransfer", transfer), options))) instanceof TypeError,
    );
    assert.equal(calls.length, 0);
  });
}

test("an external id that cannot travel is found at once, also one the caller's generator made", async () => {
  const { fetch, calls } = recordingFetch(accepted);
  const client = createClient({ ...asymmetric, fetch, newExternalId: () => "not an id" });
  assert.ok((await rejection(client.intrabankTransfer(transfer))) instanceof TypeError);
  assert.ok((await rejection(client.intrabankTransfer(transfer, { externalId: "" }))) instanceof TypeError);
  assert.throws(() => client.prepare("intrabankTransfer", transfer), TypeError);
  assert.equal(calls.length, 0);
});

test("a generator of one's own is used", async () => {
  let count = 0;
  const newExternalId = (): string => {
    count += 1;
    return `ORDER-${count}`;
  };
  const { fetch, calls } = recordingFetch(accepted);
  const client = createClient({ ...asymmetric, fetch, newExternalId });
  await client.intrabankTransfer(transfer);
  await client.call("intrabankTransfer", transfer);
  assert.deepEqual(
    calls.map(({ headers }) => headers["X-EXTERNAL-ID"]),
    ["ORDER-1", "ORDER-2"],
  );
});

test("a request that is no object is a mistake, for callers without types", async () => {
  const { fetch, calls } = recordingFetch(accepted);
  const client = createClient({ ...asymmetric, fetch });
  const nothing: RequestOf<"authPaymentQuery"> = JSON.parse("null");
  assert.ok((await rejection(client.authPaymentQuery(nothing))) instanceof TypeError);
  assert.equal(calls.length, 0);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { sign, rtgs, testReceiver } from "../helpers/provider.ts";

test("through the Fetch API: a body that is slow, breaks, or was read before", async () => {
  const { path, headers } = sign(rtgs);
  const withStream = (body: ReadableStream<Uint8Array>) =>
    new Request(`https://partner.example${path}`, {
      method: "POST",
      headers,
      body,
      duplex: "half",
    });
  const used = new Request(`https://partner.example${path}`, { method: "POST", headers, body: "{}" });
  await used.text();
  for (const [request, code, cause] of [
    [withStream(new ReadableStream()), "4007600", /not complete after 20 ms/],
    [
      withStream(new ReadableStream({ start: (controller) => controller.error(new Error("cut")) })),
      "4007600",
      /connection broke/,
    ],
    [used, "5007600", /before any body parser/],
  ] as const) {
    const { receiver, rejected } = testReceiver({ bodyTimeoutMs: 20 });
    const answer = (await (await receiver(request)).json()) as { readonly responseCode: string };
    assert.equal(answer.responseCode, code);
    assert.match(rejected[0]?.cause ?? "", cause);
  }
});

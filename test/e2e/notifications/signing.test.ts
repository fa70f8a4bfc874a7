/** Signing of notifications for a partner, as its settings say (spec D14). */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Json } from "../../support/black-box/caller.ts";
import { assertSigned, type Endpoint, startEndpoint } from "../../support/black-box/endpoint.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { rtgs } from "../../support/black-box/rails/rail-services.ts";

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const fixture = stack.use(await startRailFixture());
const { alpha, control, sandbox } = fixture;
await fixture.moveTo(fixture.at(0, "10:00:01"));
const payer = await fixture.newPayer("100000000000.00");
const send = () => fixture.send(rtgs, payer, {}, "2002200");

async function useEndpoint(path: string): Promise<Endpoint> {
  const endpoint = stack.use(await startEndpoint(path));
  await control.call("PUT", "partners/alpha/notification-address", { url: endpoint.url });
  return endpoint;
}

test("with a token of the partner and its secret, where that is agreed", async () => {
  const endpoint = await useEndpoint("/snap");
  await control.call("PUT", "partners/alpha/settings", { notificationSigning: "symmetric" });
  try {
    await Promise.all([send(), send()]);
    await endpoint.until(2);
    for (const got of endpoint.received) assertSigned(got, sandbox.file, alpha.partner.clientSecret);
  } finally {
    await control.call("PUT", "partners/alpha/settings", { notificationSigning: "asymmetric" });
  }
});

test("the path behind the merchant's base is signed, where that is agreed; the whole one again, where it is not", async () => {
  const endpoint = await useEndpoint("/merchant/7?tenant=7");
  const set = (body: Json) => control.call<Json>("PUT", "partners/alpha/settings", body);
  const sentTo = "/merchant/7/v1.0/transfer-rtgs/notify?tenant=7";
  for (const [notificationSignedPath, notificationSigning, path, secret] of [
    ["service", "asymmetric", "/v1.0/transfer-rtgs/notify", undefined],
    ["service", "symmetric", "/v1.0/transfer-rtgs/notify", alpha.partner.clientSecret],
    ["whole", "asymmetric", sentTo, undefined],
  ] as const) {
    const answer = await set({ notificationSignedPath, notificationSigning });
    assert.equal(answer["notificationSignedPath"], notificationSignedPath);
    const count = endpoint.received.length;
    await send();
    const got = await endpoint.until(count + 1);
    assert.equal(got.path, sentTo);
    assertSigned({ ...got, path }, sandbox.file, secret);
  }
});

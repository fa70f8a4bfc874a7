/**
 * Goal: the receiver takes what the provider sends about the largest and the deepest request that it accepts: our members and
 * `value` come on top of the request's. Method: the request is read and the body written as the provider does.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { operations, readJson } from "@titian/contract";
import { deliver, rtgs, sign, testReceiver } from "../../packages/client/test/helpers/provider.ts";
import { fromReferenceNo, newId } from "../../packages/server/src/basics/ids.ts";
import { packFreeForm } from "../../packages/server/src/operations/free-form.ts";
import { createNotificationWriter } from "../../packages/server/src/operations/notifications/write-notification.ts";

/** The body about a rejected transfer of a request with this `additionalInfo`. */
async function bodyOf(additionalInfo: string): Promise<Uint8Array> {
  const read = readJson(Buffer.from(`{"additionalInfo":${additionalInfo}}`), operations.rtgsTransfer);
  if (!read.ok) assert.fail(read.reason);
  const { originalPartnerReferenceNo: partnerReferenceNo, ...request } = rtgs;
  const [id, partner] = [fromReferenceNo(rtgs.originalReferenceNo ?? "") ?? assert.fail(), newId()];
  const write = createNotificationWriter({
    findRequest: async () => ({
      id,
      partner,
      service: 22,
      externalId: "41807553358950093184162180797838",
      payload: JSON.stringify({ request: { ...request, partnerReferenceNo } }),
      freeForm: packFreeForm(read.freeForm),
      at: 0,
      partnerReferenceKey: "",
      bodyHash: "",
      requestFingerprint: "",
    }),
    findTransfer: async () => ({ rejection: "unknownBeneficiary" }),
    listItemResults: async () => [],
  });
  const event = { id: newId(), partner, service: 76, subject: id, status: "06", bodyVersion: 2 };
  return write(event, "PARTNER-1");
}

const longest = `{"note":"${"x".repeat(65_536 - '{"note":""}'.length)}"}`;
const deepest = `${"[".repeat(15)}${"]".repeat(15)}`;
for (const [name, additionalInfo] of [
  ["longest", longest],
  ["deepest", deepest],
] as const) {
  test(`the ${name} additionalInfo that a request may have is taken`, async () => {
    const { receiver, handled, rejected } = testReceiver();
    const answer = await deliver(receiver, sign(await bodyOf(additionalInfo)));
    assert.deepEqual([answer.responseCode, rejected.map(({ cause }) => cause)], ["2007600", []]);
    assert.equal(handled.length, 1);
  });
}

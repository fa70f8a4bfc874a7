/** Inquiries (36) by external ids that were given up: nobody is told that settled money was not found, or rejected (spec D15). */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { operations } from "@titian/contract";
import { handleStatusInquiry } from "../../packages/server/src/operations/status-inquiry.ts";
import { callOf, writeDepsOf } from "../support/administration.ts";
import { createFixture, pay } from "../support/audit-fixture.ts";
import { queryRows, runStatements } from "../support/database/with-client.ts";

test("an id that was rejected, accepted and given up is not found by itself, and the message says why; by number it is", async () => {
  await using fixture = await createFixture();
  const { node, partner, ownerUrl } = fixture;
  const externalId = randomUUID();
  const payment = { from: "1001", to: "1002", externalId };
  assert.equal(await pay(node, partner, { ...payment, value: "5000" }), "insufficientFunds");
  assert.equal(await pay(node, partner, { ...payment, value: "10" }), "success");
  const operation = operations.statusInquiryBank;
  const inquire = handleStatusInquiry({ ...writeDepsOf(node), keepExternalIdsMs: 7 * 86_400_000 });
  const ask = async (reference: Readonly<Record<string, string>>) => {
    const request = { serviceCode: "17", ...reference };
    const { case: name, reason, fields } = await inquire(callOf(node, partner, { operation, request }));
    return [name, reason, fields?.["latestTransactionStatus"]];
  };
  const byId = { originalExternalId: externalId };
  assert.deepEqual(await ask(byId), ["success", undefined, "00"]);
  const accepted = `from accepted_requests where external_id = '${externalId}'`;
  await runStatements(ownerUrl, [
    `delete from request_keys where key = (select external_id_key ${accepted})`,
    `update rejected_requests set rejected_at = rejected_at - interval '8 days' where external_id_key = (select external_id_key ${accepted})`,
  ]);
  const sentence = "External ids are kept 7 days, numbers for ever";
  assert.deepEqual(await ask(byId), ["transactionNotFound", sentence, "07"]);
  const [row] = await queryRows(
    ownerUrl,
    `select payload::json #>> '{request,partnerReferenceNo}' as number ${accepted}`,
  );
  const originalPartnerReferenceNo = (row as { readonly number: string }).number;
  assert.deepEqual(await ask({ originalPartnerReferenceNo }), ["success", undefined, "00"]);
});

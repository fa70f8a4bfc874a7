/** Answer of 36 about an 18 that its rail rejected while the caller waited (spec D7, D8, D15), by plain HTTP. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Json, newNumber } from "../../support/black-box/caller.ts";
import { choicesOf, eventually, fieldsOf } from "../../support/black-box/answers.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { interbank } from "../../support/black-box/rails/rail-services.ts";
import { railBody } from "../../support/black-box/rails/rail-transfers.ts";
import { expectCode, idr, statusPath } from "../../support/black-box/transfers.ts";

const fixture = await startRailFixture();
after(() => fixture[Symbol.asyncDispose]());
const { alpha, beta, control } = fixture;
await fixture.moveTo(fixture.at(0, "10:00:01"));

const ask = (asked: Json, caller = alpha) => caller.call(statusPath, { serviceCode: "18", ...asked });

/** Rejected in its call, after its status was asked for: the references that somebody knows by then. */
async function rejectWhileAsked() {
  await fixture.setMode("interbank", "slow");
  const payer = await fixture.newPayer();
  const originalExternalId = newNumber();
  const body = railBody(interbank, payer, { beneficiaryAccountNo: fixture.accountOf("unknownBeneficiary") });
  const originalPartnerReferenceNo = String(body["partnerReferenceNo"]);
  const calling = alpha.call(interbank.path, body, { externalId: originalExternalId });
  await eventually(async () => (await ask({ originalPartnerReferenceNo })).code === "2003600");
  const waiting = await ask({ originalPartnerReferenceNo });
  assert.equal(waiting.body["latestTransactionStatus"], "02");
  const originalReferenceNo = String(waiting.body["referenceNumber"]);
  await fixture.advance(16);
  expectCode(await calling, "4041811");
  await fixture.setMode("interbank", "normal");
  return { body, references: { originalPartnerReferenceNo, originalReferenceNo, originalExternalId } };
}

test("by any of its references its status is 06, with the transfer's record", async () => {
  const { body, references } = await rejectWhileAsked();
  const { originalPartnerReferenceNo, originalReferenceNo } = references;
  const found = {
    beneficiaryAccountNo: body["beneficiaryAccountNo"],
    referenceNumber: references.originalReferenceNo,
    originalReferenceNo: references.originalReferenceNo,
    originalExternalId: references.originalExternalId,
    sourceAccountNo: body["sourceAccountNo"],
    latestTransactionStatus: "06",
    originalPartnerReferenceNo,
    serviceCode: "18",
    transactionDate: body["transactionDate"],
    amount: idr(interbank.value),
    beneficiaryBankCode: body["beneficiaryBankCode"],
    previousResponseCode: "4041811",
    transactionStatusDesc: "4041811 Invalid Card/Account/Customer/Virtual Acco",
    additionalInfo: {
      fee: "0.00",
      rejection: {
        responseCode: "4041811",
        responseMessage: "Invalid Card/Account/Customer/Virtual Account [Unknown beneficiary account]",
      },
    },
  };
  const expectRejection = async (names: readonly string[]) => {
    const asked = Object.fromEntries(Object.entries(references).filter(([name]) => names.includes(name)));
    const answer = await ask(asked);
    expectCode(answer, "2003600");
    assert.deepEqual(fieldsOf(answer), found, names.join());
  };
  for (const names of choicesOf(Object.keys(references))) await expectRejection(names);
  for (const other of ["originalPartnerReferenceNo", "originalExternalId"]) {
    expectCode(await ask({ originalReferenceNo, [other]: newNumber() }), "4043601");
  }
  expectCode(await ask({ originalReferenceNo }, beta), "4043601");
});

test("a number that a rejection of step 14 might have had finds nothing", async () => {
  const payer = await fixture.newPayer("0.00");
  const body = railBody(interbank, payer);
  expectCode(await alpha.call(interbank.path, body), "4031814");
  const { partnerReferenceNo: originalPartnerReferenceNo } = body;
  expectCode(await ask({ originalPartnerReferenceNo }), "2003600");
  const originalReferenceNo = "01JD7K3M9QZ8V2X4B6N8P0R2T4";
  expectCode(await ask({ originalPartnerReferenceNo, originalReferenceNo }), "4043601");
});

test("the audit finds nothing", async () => {
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});

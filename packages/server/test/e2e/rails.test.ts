/** Transfers that leave the bank, by plain HTTP: where the money is at each moment, and that each reaches one end. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Answer, type Json, newNumber } from "../support/black-box/caller.ts";
import { startSandbox } from "../support/black-box/start-sandbox.ts";

const sandbox = await startSandbox();
after(() => sandbox[Symbol.asyncDispose]());
const { control, file } = sandbox;
const alpha = sandbox.caller("alpha");

const idr = (value: string) => ({ value, currency: "IDR" });
const scenario = (outcome: string) =>
  file.scenarios.find((one) => one.outcome === outcome)?.beneficiaryAccountNo ?? assert.fail(`no scenario ${outcome}`);

async function newPayer(balance = "1000000000.00") {
  const { accountNo } = await control.open({ name: "A payer", balance, partnerId: "alpha" });
  return accountNo;
}

function body(sourceAccountNo: string, more: Json = {}): Json {
  return {
    partnerReferenceNo: newNumber(),
    amount: idr("10000.00"),
    beneficiaryAccountNo: "7001001001",
    beneficiaryAccountName: "Siti Nur Aini",
    beneficiaryBankCode: "014",
    sourceAccountNo,
    transactionDate: "2026-11-21T10:00:00+07:00",
    ...more,
  };
}

const clearing = { beneficiaryCustomerResidence: "1", beneficiaryCustomerType: "1" };

async function statusOf(serviceCode: string, answer: Answer): Promise<unknown> {
  const inquiry = { serviceCode, originalReferenceNo: answer.body["referenceNo"] };
  return (await alpha.call("transfer/status", inquiry)).body["latestTransactionStatus"];
}

test("18 settles in the call, the fee on top; an inquiry says so", async () => {
  const payer = await newPayer();
  const answer = await alpha.call("transfer-interbank", body(payer));
  assert.equal(answer.code, "2001800", answer.text);
  assert.ok(answer.body["traceNo"]);
  assert.equal((await control.account(payer)).ledgerBalance, "999987500.00");
  assert.equal(await statusOf("18", answer), "00");
});

test("18 refused by the rail: money back, and the same id and number are free", async () => {
  const payer = await newPayer();
  const request = body(payer, { beneficiaryAccountNo: scenario("unknownBeneficiary") });
  const externalId = newNumber();
  const refused = await alpha.call("transfer-interbank", request, { externalId });
  assert.equal(refused.code, "4041811", refused.text);
  assert.equal(refused.body["referenceNo"], undefined);
  assert.equal((await control.account(payer)).ledgerBalance, "1000000000.00");
  const status = await alpha.call("transfer/status", {
    serviceCode: "18",
    originalPartnerReferenceNo: request["partnerReferenceNo"],
  });
  assert.equal(status.body["latestTransactionStatus"], "06", status.text);
  const again = await alpha.call("transfer-interbank", request, { externalId });
  assert.equal(again.code, "4041811", again.text);
});

test("22 is accepted and settles; 23 waits for its batch", async () => {
  await control.call("POST", "clock", { set: "2026-11-25T10:00:00+07:00" });
  await alpha.token({ fresh: true });
  const payer = await newPayer();
  const rtgs = await alpha.call("transfer-rtgs", body(payer, { ...clearing, amount: idr("150000000.00") }));
  assert.equal(rtgs.code, "2002200", rtgs.text);
  assert.equal(rtgs.body["transactionStatus"], "03");
  const skn = await alpha.call("transfer-skn", body(payer, clearing));
  assert.equal(skn.code, "2002300", skn.text);
  await control.advance(30);
  assert.equal(await statusOf("22", rtgs), "00");
  assert.equal(await statusOf("23", skn), "03");
  await control.advance(3_600);
  await alpha.token({ fresh: true });
  assert.equal(await statusOf("23", skn), "00");
});

test("the audit finds nothing", async () => {
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});

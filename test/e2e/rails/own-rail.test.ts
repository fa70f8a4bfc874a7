/** A program that embeds the service with a rail of its own (examples/own-rail): by plain HTTP, on both its sides. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createGatewayRail } from "../../../examples/own-rail/gateway-rail.ts";
import type { Instruction } from "../../../packages/server/src/rails/rail.ts";
import { newNumber } from "../../support/black-box/caller.ts";
import { startGateway } from "../../support/black-box/gateway.ts";
import { moneyAt, moneyOf } from "../../support/black-box/rails/rail-money.ts";
import { interbank } from "../../support/black-box/rails/rail-services.ts";
import { expectStatus, inquire, railBody, untilStatus } from "../../support/black-box/rails/rail-transfers.ts";
import { eventually } from "../../support/black-box/answers.ts";
import { startSandbox } from "../../support/black-box/start-sandbox.ts";
import { expectCode, idr } from "../../support/black-box/transfers.ts";

const gateway = await startGateway();
after(() => gateway.stop());
const sandbox = await startSandbox(
  { TITIAN_INTERBANK_WAIT_SECONDS: "2" },
  { script: ["examples/own-rail/serve.ts", gateway.url] },
);
after(() => sandbox[Symbol.asyncDispose]());
const { control, service } = sandbox;
const alpha = sandbox.caller("alpha");
const { none, inTransit, settled } = moneyOf(interbank);

/** A new payer who has 50,000.00, and what was added since: to the payer, and to our own accounts of the rail. */
async function newPayer() {
  const { accountNo } = await control.open({ name: "A payer", balance: "50000.00", partnerId: "alpha" });
  const before = await moneyAt(control, "interbank", accountNo);
  const moved = async () => {
    const now = await moneyAt(control, "interbank", accountNo);
    const added = (name: keyof typeof now) => now[name] - before[name];
    return { payer: added("payer"), suspense: added("suspense"), clearing: added("clearing"), fee: added("fee") };
  };
  return { accountNo, moved };
}

test("18 is sent over the given rail once, with what the rail needs, and its answer is the caller's", async () => {
  const payer = await newPayer();
  const body = railBody(interbank, payer.accountNo, { remark: "Rent" });
  const externalId = newNumber();
  const answer = await alpha.call(interbank.path, body, { externalId });
  expectCode(answer, "2001800");
  const referenceNo = String(answer.body["referenceNo"]);
  assert.equal(answer.body["traceNo"], `GW${referenceNo.slice(-8)}`);
  expectCode(await alpha.call(interbank.path, body, { externalId }), "4091800");
  const [{ validUntil, idempotencyKey, ...instruction }] = gateway.instructions() as readonly [Instruction & object];
  assert.match(idempotencyKey, /^[0-9A-HJKMNP-TV-Z]{32}$/);
  assert.ok(Date.parse(validUntil) > Date.now() - 60_000, validUntil);
  assert.deepEqual(
    [instruction, gateway.instructions().length],
    [
      {
        referenceNo,
        amount: "10000.00",
        currency: "IDR",
        beneficiaryBankCode: "014",
        beneficiaryAccountNo: "7001001001",
        beneficiaryAccountName: "Siti Nur Aini",
        sourceAccountNo: payer.accountNo,
        details: { remark: "Rent" },
      },
      1,
    ],
  );
  assert.deepEqual(await payer.moved(), settled);
  const rail = createGatewayRail("interbank", gateway.url);
  const has = (number: string, key: string) =>
    rail.hasUnderOtherNumber?.({ referenceNo: number, idempotencyKey: key }, AbortSignal.timeout(5_000));
  assert.equal(await has(referenceNo, idempotencyKey), false);
  assert.equal(await has(referenceNo, "NONE"), false);
  assert.equal(await has("ANOTHER", idempotencyKey), true);
});

test("its rejection is the answer, and the money is back; an account is asked for at it as well", async () => {
  gateway.answer("7001001002", { kind: "rejected", rejection: "unknownBeneficiary" });
  const payer = await newPayer();
  const body = railBody(interbank, payer.accountNo, { beneficiaryAccountNo: "7001001002" });
  expectCode(await alpha.call(interbank.path, body), "4041811");
  assert.deepEqual(await payer.moved(), none);
  const asked = { beneficiaryBankCode: "014", beneficiaryAccountNo: "7001001003" };
  const found = await alpha.call("account-inquiry-external", asked);
  expectCode(found, "2001600");
  assert.equal(found.body["beneficiaryAccountName"], "Holder of 014/7001001003");
});

test("what it tells later by itself is recorded, and taken", async () => {
  gateway.answer("7001001004", { kind: "pending" });
  const payer = await newPayer();
  const body = railBody(interbank, payer.accountNo, { beneficiaryAccountNo: "7001001004" });
  const answer = await alpha.call(interbank.path, body);
  expectCode(answer, "2021800");
  await expectStatus(alpha, interbank, answer, "03");
  assert.deepEqual(await payer.moved(), inTransit);
  gateway.tell(String(answer.body["referenceNo"]), { kind: "settled", traceNo: "GW-LATER" });
  await untilStatus(alpha, interbank, answer, "00");
  assert.deepEqual(await payer.moved(), settled);
  await eventually(async () => gateway.waiting() === 0);
});

test("the sandbox steers the simulated rails, and says of the given one that it is none", async () => {
  const { scenarios } = sandbox.file;
  assert.deepEqual(scenarios, []);
  assert.deepEqual(await control.call("POST", "rails/skn/mode", { mode: "normal" }), { rail: "skn", mode: "normal" });
  const calls = [
    () => control.call("GET", "rails/interbank/mode"),
    () => control.call("POST", "rails/interbank/mode", { mode: "down" }),
    () => control.call("POST", "rails/interbank/settle"),
  ];
  const message = "The interbank rail is not simulated: the program that runs this sandbox has connected its own.";
  const error = JSON.stringify({ error: { code: "notSimulated", message, field: "rail" } });
  for (const call of calls) await assert.rejects(call, (fault: Error) => fault.message.endsWith(`: 409 ${error}`));
});

test("a gateway that nobody runs is a rail that is down: 18 is rejected, and its money back", async () => {
  const payer = await newPayer();
  await gateway.stop();
  const answer = await alpha.call(interbank.path, railBody(interbank, payer.accountNo, { amount: idr("20000.00") }));
  expectCode(answer, "4031806");
  const found = await inquire(alpha, interbank, answer);
  assert.equal(found.body["latestTransactionStatus"], "06");
  assert.deepEqual(await payer.moved(), none);
});

test("control calls do not fail because their rail is down", async () => {
  assert.equal(typeof (await control.call("GET", "clock"))["pending"], "number");
  assert.equal((await control.call("POST", "clock", { advanceSeconds: 60 }))["pending"], 0);
  assert.deepEqual(await control.call("POST", "rails/skn/mode", { mode: "normal" }), { rail: "skn", mode: "normal" });
  assert.deepEqual(await control.call("POST", "rails/skn/settle"), { rail: "skn", settled: 0 });
});

test("the audit finds nothing, and the program ends in order", async () => {
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
  assert.deepEqual(await service.end("SIGTERM"), { code: 0, signal: null });
});

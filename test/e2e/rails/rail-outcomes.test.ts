/** Every scenario of `sandbox.json` on every rail (spec D11), by plain HTTP: what the call says, what 36 says then, where the money is, and what partners are to be notified of. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Answer } from "../../support/black-box/caller.ts";
import { readOutbox } from "../../support/black-box/outbox.ts";
import { fieldsOf } from "../../support/black-box/answers.ts";
import { moneyOf, type RailMoney } from "../../support/black-box/rails/rail-money.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { interbank, type RailService, rtgs, skn } from "../../support/black-box/rails/rail-services.ts";
import { expectStatus, inquire, railBody, untilStatus } from "../../support/black-box/rails/rail-transfers.ts";
import { expectCode, idr } from "../../support/black-box/transfers.ts";

const fixture = await startRailFixture({ TITIAN_INTERBANK_WAIT_SECONDS: "1" });
after(() => fixture[Symbol.asyncDispose]());
const { alpha, control, sandbox } = fixture;
const { scenarios } = sandbox.file;
await fixture.moveTo(fixture.at(0, "10:00:01"));

/** Where each ends, apart from the rejections. */
const ends: Readonly<
  Record<string, { readonly status: string; readonly money: "settled" | "returned" | "inTransit" }>
> = {
  success: { status: "00", money: "settled" },
  slowSuccess: { status: "00", money: "settled" },
  limbo: { status: "03", money: "inTransit" },
  returnedAfterSettlement: { status: "04", money: "returned" },
};
/** Notifications that partners are to get, by number of 22 and 23, in order, as notification code and status. */
const toNotify = new Map<string, readonly string[]>();

function expectTelling({ service }: RailService, { body }: Answer, ...statuses: readonly string[]): void {
  const notification = { "18": undefined, "22": "76", "23": "75" }[service];
  if (notification === undefined || statuses.length === 0) return;
  toNotify.set(
    String(body["partnerReferenceNo"]),
    statuses.map((status) => `${notification} ${status}`),
  );
}

const endOf = (outcome: string) => ends[outcome] ?? { status: "06", money: "none" as const };
/** Every final result, a return after it, and nothing of what is open. */
const tellsOf = (outcome: string): readonly string[] => {
  const { status } = endOf(outcome);
  return status === "03" ? [] : status === "04" ? ["00", "04"] : [status];
};
const moneyAtEnd = (service: RailService, outcome: string): RailMoney => moneyOf(service)[endOf(outcome).money];

test("sandbox.json lists the outcomes that are documented, each with the case of its call", () => {
  assert.deepEqual(Object.fromEntries(scenarios.map(({ outcome, responseCase }) => [outcome, responseCase])), {
    success: "20000",
    slowSuccess: "20200",
    limbo: "20200",
    returnedAfterSettlement: "20000",
    unknownBeneficiary: "40411",
    beneficiaryInactive: "40318",
    beneficiaryDormant: "40309",
    beneficiaryOverLimit: "40323",
    bankUnreachable: "40403",
    rejected: "40305",
  });
  assert.equal(new Set(scenarios.map(({ beneficiaryAccountNo }) => beneficiaryAccountNo)).size, scenarios.length);
});

const wholeCode = ({ service }: RailService, responseCase: string) =>
  `${responseCase.slice(0, 3)}${service}${responseCase.slice(3)}`;

/** The echo of the request, and what belongs to the response besides. */
function expectFields(answer: Answer, sent: Readonly<Record<string, unknown>>, own: readonly string[]): void {
  const { referenceNo, traceNo, transactionStatus, transactionStatusDesc, ...echo } = fieldsOf(answer);
  const given = { referenceNo, traceNo, transactionStatus, transactionStatusDesc };
  const names = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  assert.deepEqual(names, own, answer.text);
  const { partnerReferenceNo, beneficiaryAccountNo, customerReference, sourceAccountNo } = sent;
  const { transactionDate, currency, originatorInfos, additionalInfo } = sent;
  assert.deepEqual(echo, {
    partnerReferenceNo,
    amount: sent["amount"],
    beneficiaryAccountNo,
    currency,
    customerReference,
    sourceAccountNo,
    transactionDate,
    originatorInfos,
    additionalInfo,
  });
}

const optional = {
  currency: "IDR",
  customerReference: "INV-1",
  originatorInfos: [{ originatorCustomerNo: "1", originatorCustomerName: "A", originatorBankCode: "014" }],
  additionalInfo: { k: [1] },
};

for (const { outcome, beneficiaryAccountNo, beneficiaryBankCode, responseCase } of scenarios) {
  const to = { beneficiaryAccountNo, beneficiaryBankCode, ...optional };

  test(`18 to ${outcome}: ${wholeCode(interbank, responseCase)} in the call, then ${endOf(outcome).status}`, async () => {
    const payer = await fixture.newPayer();
    const moved = await fixture.watch("interbank", payer);
    const body = railBody(interbank, payer, to);
    const answer = await alpha.call(interbank.path, body);
    const code = wholeCode(interbank, responseCase);
    expectCode(answer, code);
    const success = code.startsWith("200");
    expectFields(answer, body, success ? ["referenceNo", "traceNo"] : code.startsWith("202") ? ["referenceNo"] : []);
    const { none, inTransit, settled } = moneyOf(interbank);
    assert.deepEqual(await moved(), success ? settled : code.startsWith("202") ? inTransit : none);
    await fixture.advance(120);
    const found = await expectStatus(alpha, interbank, answer, endOf(outcome).status);
    assert.equal(found.body["previousResponseCode"], code);
    assert.deepEqual(await moved(), moneyAtEnd(interbank, outcome));
  });

  for (const service of [rtgs, skn]) {
    test(`${service.service} to ${outcome}: accepted with 03, then ${endOf(outcome).status}`, async () => {
      const payer = await fixture.newPayer();
      const moved = await fixture.watch(service.rail, payer);
      const body = railBody(service, payer, to);
      const answer = await alpha.call(service.path, body);
      expectCode(answer, `200${service.service}00`);
      expectFields(answer, body, ["referenceNo", "transactionStatus", "transactionStatusDesc"]);
      const { transactionStatus, transactionStatusDesc } = answer.body;
      assert.deepEqual([transactionStatus, transactionStatusDesc], ["03", "Pending"]);
      if (service === skn) {
        // Nothing of a batch is known before it settles, not even what will be rejected.
        await untilStatus(alpha, skn, answer, outcome === "slowSuccess" ? "02" : "03");
        assert.deepEqual(await moved(), moneyOf(skn).inTransit);
        await control.call("POST", "rails/skn/settle");
      }
      await fixture.advance(120);
      const found = await expectStatus(alpha, service, answer, endOf(outcome).status);
      assert.equal(found.body["previousResponseCode"], `200${service.service}00`);
      assert.deepEqual(await moved(), moneyAtEnd(service, outcome));
      expectTelling(service, answer, ...tellsOf(outcome));
    });
  }
}

test("limbo is ended by an operator alone: settled or rejected, and the first word stands", async () => {
  const beneficiaryAccountNo = fixture.accountOf("limbo");
  for (const service of [interbank, rtgs, skn]) {
    for (const [result, status, money] of [
      ["settled", "00", moneyOf(service).settled],
      ["refused", "06", moneyOf(service).none],
    ] as const) {
      const payer = await fixture.newPayer();
      const moved = await fixture.watch(service.rail, payer);
      const code = service === interbank ? "2021800" : `200${service.service}00`;
      const answer = await fixture.send(service, payer, { beneficiaryAccountNo }, code);
      await untilStatus(alpha, service, answer, "03");
      const { referenceNo } = answer.body;
      const resolve = (wanted: string) =>
        control.call("POST", `transfers/${String(referenceNo)}/resolve`, { result: wanted });
      const { rail } = service;
      const resolved = { referenceNo, rail, state: result, status, endedBy: "operator" };
      assert.deepEqual(await resolve(result), resolved);
      assert.deepEqual(await moved(), money);
      assert.deepEqual(await resolve(result), resolved, "said twice, done once");
      await assert.rejects(resolve(result === "settled" ? "refused" : "settled"), /409 .*wrongState/);
      const found = await expectStatus(alpha, service, answer, status);
      assert.equal(found.body["previousResponseCode"], code);
      assert.deepEqual(await moved(), money);
      expectTelling(service, answer, status);
    }
  }
});

test("a beneficiary's name is passed on and never compared; outcomes go by account, whatever the bank", async () => {
  const payer = await fixture.newPayer();
  const beneficiaryAccountNo = fixture.accountOf("success");
  for (const beneficiaryAccountName of ["Nobody of that name", "RATNA KUSUMA", "ratna"]) {
    await fixture.send(interbank, payer, { beneficiaryAccountNo, beneficiaryAccountName }, "2001800");
  }
  const rejected = fixture.accountOf("rejected");
  for (const beneficiaryBankCode of ["002", "BMRIIDJA", "CENAIDJAXXX"]) {
    await fixture.send(interbank, payer, { beneficiaryAccountNo: rejected, beneficiaryBankCode }, "4031805");
  }
  const asked = await inquire(
    alpha,
    interbank,
    await fixture.send(interbank, payer, { amount: idr("7.5") }, "2001800"),
  );
  assert.deepEqual(asked.body["amount"], idr("7.50"));
});

test("each result of 22 and 23 is to be notified once, in order; nothing of 18, and nothing of what is open", async () => {
  const notified = await readOutbox(sandbox.file);
  for (const [number, events] of toNotify) assert.deepEqual(notified.get(number), events);
  assert.equal(toNotify.size, 22);
  assert.equal(notified.size, toNotify.size);
});

test("the audit finds nothing", async () => {
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});

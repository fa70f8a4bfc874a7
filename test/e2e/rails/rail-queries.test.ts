/** Answers of 36 and 53 about transfers over rails (spec D8, D15, D19), by HTTP: every status, all references. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Answer, type Json, newNumber } from "../../support/black-box/caller.ts";
import { choicesOf, fieldsOf, unknownNumber } from "../../support/black-box/answers.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { interbank, type RailService, railServices, rtgs, skn } from "../../support/black-box/rails/rail-services.ts";
import { railBody, untilStatus } from "../../support/black-box/rails/rail-transfers.ts";
import { expectCode, idr, statusPath, transferBody, transferPath } from "../../support/black-box/transfers.ts";

const fixture = await startRailFixture({ TITIAN_INTERBANK_WAIT_SECONDS: "1" });
after(() => fixture[Symbol.asyncDispose]());
const { alpha, beta, control } = fixture;
await fixture.moveTo(fixture.at(0, "10:00:01"));
const payer = await fixture.newPayer("100000000000.00");
const fees = { interbank: "2500.00", rtgs: "25000.00", skn: "2900.00" };

const inquiries = [
  { service: "36", path: statusPath, extra: {} },
  {
    service: "53",
    path: "qr/qr-mpm-status",
    extra: {
      originalResponseCode: "2001800",
      originalResponseMessage: "Successful",
      sessionId: "S-1",
      requestId: "R-1",
    },
  },
] as const;

interface Sent {
  readonly service: RailService;
  readonly body: Json;
  readonly answer: Answer;
  readonly references: Readonly<
    Record<"originalPartnerReferenceNo" | "originalReferenceNo" | "originalExternalId", string>
  >;
}

/** The response of a rejection is without our number: 36 tells it where it was accepted first, or none. */
async function send(service: RailService, more: Json, code: string): Promise<Sent> {
  const externalId = newNumber();
  const body = railBody(service, payer, { customerReference: "INV-1", additionalInfo: { k: 1 }, ...more });
  const answer = await alpha.call(service.path, body, { externalId });
  expectCode(answer, code);
  const inquiry = { serviceCode: service.service, originalExternalId: externalId };
  const referenceNo = answer.body["referenceNo"] ?? (await alpha.call(statusPath, inquiry)).body["referenceNumber"];
  const originalPartnerReferenceNo = String(body["partnerReferenceNo"]);
  const originalReferenceNo = String(referenceNo);
  const references = { originalPartnerReferenceNo, originalReferenceNo, originalExternalId: externalId };
  return { service, body, answer, references };
}

const descriptions: Readonly<Record<string, string>> = {
  "00": "Success",
  "01": "Initiated",
  "02": "Paying",
  "03": "Pending",
  "04": "Refunded",
  "06": "Failed",
};

/** All that 36 and 53 tell of a transfer; every value is the record's. */
function tellsOf({ service, body, answer, references }: Sent, status: string): Json {
  return {
    beneficiaryAccountNo: body["beneficiaryAccountNo"],
    referenceNumber: references.originalReferenceNo,
    sourceAccountNo: body["sourceAccountNo"],
    latestTransactionStatus: status,
    ...references,
    serviceCode: service.service,
    transactionDate: body["transactionDate"],
    amount: idr(service.value),
    beneficiaryBankCode: body["beneficiaryBankCode"],
    previousResponseCode: answer.code,
    transactionStatusDesc: descriptions[status],
    additionalInfo: { fee: fees[service.rail] },
    ...(status === "06" && rejectionOf(service.service)),
  };
}

/** Fields of a rejected transfer: its fee is back, and the rail's reason is shown. */
function rejectionOf(service: string): Json {
  const rejection = { responseCode: `403${service}05`, responseMessage: "Do Not Honor" };
  return { transactionStatusDesc: `403${service}05 Do Not Honor`, additionalInfo: { fee: "0.00", rejection } };
}

/** By each reference alone and any together, 36 and 53 tell all of it, and of what else is said additionalInfo alone. */
async function expectTold(sent: Sent, status: string): Promise<void> {
  const { service, references } = sent;
  for (const chosen of choicesOf(Object.keys(references))) {
    const asked = Object.fromEntries(Object.entries(references).filter(([name]) => chosen.includes(name)));
    const none: { readonly additionalInfo?: Json } = {};
    const said = { transactionDate: "2020-01-01T00:00:00Z", amount: idr("1.00"), additionalInfo: { mine: true } };
    for (const { service: code, path, extra } of inquiries) {
      for (const more of [none, said]) {
        const answer = await alpha.call(path, { serviceCode: service.service, ...asked, ...extra, ...more });
        expectCode(answer, `200${code}00`);
        const told = tellsOf(sent, status);
        const additionalInfo = { ...more.additionalInfo, ...(told["additionalInfo"] as Json) };
        assert.deepEqual(fieldsOf(answer), { ...told, additionalInfo }, `${code} by ${chosen.join()}`);
      }
    }
  }
}

test("every status of every service: by each reference alone and any together, 36 and 53 tell all of the record", async () => {
  for (const service of railServices) {
    const accepted = `200${service.service}00`;
    const to = (outcome: string) => ({ beneficiaryAccountNo: fixture.accountOf(outcome) });
    const pending = await send(service, to("limbo"), service === interbank ? "2021800" : accepted);
    await untilStatus(alpha, service, pending.answer, "03");
    await expectTold(pending, "03");
    const settled = await send(service, { beneficiaryBankCode: "BMRIIDJA" }, accepted);
    if (service === skn) await control.call("POST", "rails/skn/settle");
    await untilStatus(alpha, service, settled.answer, "00");
    await expectTold(settled, "00");
    await control.call("POST", `transfers/${settled.references.originalReferenceNo}/return`);
    await expectTold(settled, "04");
    const rejected = await send(service, to("rejected"), service === interbank ? "4031805" : accepted);
    if (service === skn) await control.call("POST", "rails/skn/settle");
    await untilStatus(alpha, service, rejected.answer, "06");
    await expectTold(rejected, "06");
    await fixture.setMode(service.rail, "limbo");
    const silent = await send(service, {}, service === interbank ? "2021800" : accepted);
    await expectTold(silent, "02");
    await fixture.setMode(service.rail, "down");
    if (service !== interbank) {
      const waiting = await send(service, {}, accepted);
      await untilStatus(alpha, service, waiting.answer, "01");
      await expectTold(waiting, "01");
    }
    await fixture.setMode(service.rail, "normal");
  }
});

/** Not found: 404xx01 with 07, and the request echoed but for what only a success has. */
async function expectNotFound(asked: Json, caller = alpha): Promise<void> {
  for (const { service: code, path, extra } of inquiries) {
    const answer = await caller.call(path, { ...asked, ...extra });
    expectCode(answer, `404${code}01`);
    assert.match(answer.message, /^Transaction Not Found/);
    assert.deepEqual(
      fieldsOf(answer),
      { ...asked, latestTransactionStatus: "07", transactionStatusDesc: "Not found" },
      JSON.stringify(asked),
    );
  }
}

test("references that contradict each other, another service's code, or nobody's number: not found, with 07", async () => {
  for (const service of railServices) {
    const accepted = `200${service.service}00`;
    const one = await send(service, {}, accepted);
    const two = await send(service, {}, accepted);
    const serviceCode = service.service;
    const names = Object.keys(one.references) as (keyof Sent["references"])[];
    for (const wrong of choicesOf(names)) {
      if (wrong.length === names.length) continue;
      const mixed = names.map((name) => [name, (wrong.includes(name) ? two : one).references[name]]);
      await expectNotFound({ serviceCode, ...Object.fromEntries(mixed) });
    }
    for (const name of names) {
      for (const other of ["17", "18", "19", "20", "22", "23"].filter((code) => code !== serviceCode)) {
        await expectNotFound({ serviceCode: other, [name]: one.references[name] });
      }
      await expectNotFound({ serviceCode, ...one.references, [name]: newNumber() });
    }
    for (const originalReferenceNo of [unknownNumber, "x", one.references.originalReferenceNo.toLowerCase()]) {
      await expectNotFound({ serviceCode, originalReferenceNo });
    }
  }
});

test("another partner's transfer is answered exactly as one that does not exist (D19)", async () => {
  for (const service of railServices) {
    const { references } = await send(service, {}, `200${service.service}00`);
    for (const [name, value] of Object.entries(references)) {
      await expectNotFound({ serviceCode: service.service, [name]: value }, beta);
    }
  }
});

test("36 and 53 look in the same records, those of transfers within the bank among them", async () => {
  const [from = "", to = ""] = alpha.partner.sourceAccounts;
  const answer = await alpha.call(transferPath, transferBody({ from, to, value: "1.00" }));
  const asked = { serviceCode: "17", originalReferenceNo: answer.body["referenceNo"] };
  const [bank, nonBank] = await Promise.all(
    inquiries.map(({ path, extra }) => alpha.call(path, { ...asked, ...extra })),
  );
  assert.ok(bank && nonBank);
  expectCode(nonBank, "2005300");
  assert.deepEqual(fieldsOf(nonBank), fieldsOf(bank));
  assert.equal("beneficiaryBankCode" in nonBank.body, false);
  for (const name of ["originalResponseCode", "originalResponseMessage", "sessionId", "requestId"]) {
    assert.equal(name in nonBank.body, false);
  }
});

test("an inquiry tells of the attempt that was accepted, not of rejections before it; of those, the newest", async () => {
  const body = railBody(rtgs, payer);
  const { partnerReferenceNo } = body;
  const found = async () => {
    const inquiry = { serviceCode: "22", originalPartnerReferenceNo: partnerReferenceNo };
    const { previousResponseCode, latestTransactionStatus } = (await alpha.call(statusPath, inquiry)).body;
    return [previousResponseCode, latestTransactionStatus];
  };
  expectCode(await alpha.call(rtgs.path, { ...body, beneficiaryBankCode: "998" }), "4042203");
  assert.deepEqual(await found(), ["4042203", "06"]);
  expectCode(await alpha.call(rtgs.path, { ...body, amount: idr("1.00") }), "4042213");
  assert.deepEqual(await found(), ["4042213", "06"]);
  const accepted = await alpha.call(rtgs.path, body);
  expectCode(accepted, "2002200");
  await untilStatus(alpha, rtgs, accepted, "00");
  assert.deepEqual(await found(), ["2002200", "00"]);
});

test("the audit finds nothing", async () => {
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});

test("36 and 53 answer with the request's additionalInfo beside the record's, which wins", async () => {
  const sent = await send(interbank, {}, "2001800");
  const rejected = await send(interbank, { beneficiaryAccountNo: fixture.accountOf("rejected") }, "4031805");
  for (const { path, extra } of inquiries) {
    const ask = (references: Json, additionalInfo: unknown) =>
      alpha.call(path, { serviceCode: "18", ...references, ...extra, additionalInfo });
    const own = { caller: { n: [1, "}"] }, fee: "0.01", rejection: { responseCode: "2001800" }, openCount: "7" };
    const { body } = await ask(sent.references, own);
    assert.deepEqual(body["additionalInfo"], { caller: own.caller, fee: fees.interbank }, path);
    const failed = (await ask(rejected.references, own)).body["additionalInfo"] as Json;
    assert.deepEqual([failed["caller"], failed["fee"]], [own.caller, "0.00"], path);
    assert.equal((failed["rejection"] as Json)["responseCode"], "4031805", path);
    assert.deepEqual((await ask(sent.references, [])).body["additionalInfo"], { fee: fees.interbank }, path);
    const unknown = await ask({ originalReferenceNo: unknownNumber }, own);
    assert.deepEqual([unknown.code.slice(5), unknown.body["additionalInfo"]], ["01", own], path);
  }
});

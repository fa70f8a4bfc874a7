/** 16, the names of accounts at other banks (spec D16), and a service with a bank code and fees of its own, by plain HTTP. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Json } from "../../support/black-box/caller.ts";
import { fieldsOf } from "../../support/black-box/answers.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { railServices } from "../../support/black-box/rails/rail-services.ts";
import { expectCode, inquiryPath } from "../../support/black-box/transfers.ts";

const directory = mkdtempSync(join(tmpdir(), "titian-rail-data-"));
after(() => rmSync(directory, { recursive: true }));
const railsFile = join(directory, "rails.json");
const rail = (name: string, fee: string) => ({ name, currency: "IDR", min: "1.00", fee, sharedFeeMax: "1000.00" });
writeFileSync(railsFile, JSON.stringify([rail("interbank", "0"), rail("rtgs", "700.00"), rail("skn", "1000.00")]));
// We are Mandiri here: 008, BMRIIDJA.
const fixture = await startRailFixture({ TITIAN_BANK_CODE: "008", TITIAN_RAILS_FILE: railsFile });
after(() => fixture[Symbol.asyncDispose]());
const { alpha, control, sandbox } = fixture;

const path = "account-inquiry-external";
const ask = (beneficiaryBankCode: string, beneficiaryAccountNo: string, more: Json = {}) =>
  alpha.call(path, { beneficiaryBankCode, beneficiaryAccountNo, ...more });

test("a name, its bank and its currency; the request's numbers come back", async () => {
  const answer = await ask("014", fixture.accountOf("success"), {
    partnerReferenceNo: "INQ-1",
    additionalInfo: { a: [1] },
  });
  expectCode(answer, "2001600");
  assert.deepEqual(fieldsOf(answer), {
    beneficiaryAccountName: "Ratna Kusuma",
    beneficiaryAccountNo: fixture.accountOf("success"),
    partnerReferenceNo: "INQ-1",
    beneficiaryBankName: "BCA",
    currency: "IDR",
    additionalInfo: { a: [1] },
  });
});

test("three digits, a BIC of 8 and any branch's BIC of 11 are one bank, and an account has one name there", async () => {
  const found = new Set<string>();
  for (const code of ["014", "CENAIDJA", "CENAIDJAXXX", "CENAIDJAABC", "014"]) {
    const answer = await ask(code, "7001001001");
    expectCode(answer, "2001600");
    assert.match(String(answer.body["beneficiaryAccountName"]), /^\p{L}+ \p{L}+ \p{L}+$/u);
    found.add(answer.text);
  }
  assert.equal(found.size, 1);
  const elsewhere = await ask("002", "7001001001");
  assert.equal(elsewhere.body["beneficiaryBankName"], "BRI");
});

test("unknown, closed and all other accounts of the scenarios; nothing of an account but with its name", async () => {
  const codes: Readonly<Record<string, string>> = { unknownBeneficiary: "4041611", beneficiaryInactive: "4031618" };
  for (const { outcome, beneficiaryAccountNo, beneficiaryBankCode } of sandbox.file.scenarios) {
    const answer = await ask(beneficiaryBankCode, beneficiaryAccountNo, { partnerReferenceNo: "INQ-2" });
    const code = codes[outcome] ?? "2001600";
    expectCode(answer, code);
    const { beneficiaryAccountName, beneficiaryBankName, currency, ...echo } = fieldsOf(answer);
    assert.deepEqual(echo, { beneficiaryAccountNo, partnerReferenceNo: "INQ-2" });
    const named = code === "2001600" ? ["string", "BCA", "IDR"] : ["undefined", undefined, undefined];
    assert.deepEqual([typeof beneficiaryAccountName, beneficiaryBankName, currency], named);
  }
});

test("a bank that nobody is: 4041603", async () => {
  for (const code of ["998", "000", "ZZZZIDJA", "ZZZZIDJAXXX", "CENASGSG", "999"]) {
    const answer = await ask(code, "7001001001");
    expectCode(answer, "4041603");
    assert.deepEqual(fieldsOf(answer), { beneficiaryAccountNo: "7001001001" });
  }
});

test("our own bank, by any of its codes: our ledger answers as 15 does", async () => {
  assert.equal(sandbox.file.bankCode, "008");
  const own = (status: string) => sandbox.file.accounts.find((one) => one.status === status) ?? assert.fail(status);
  const names = (body: Json) => [body["beneficiaryAccountName"], body["currency"], body["beneficiaryBankName"]];
  for (const code of ["008", "BMRIIDJA", "BMRIIDJAXXX"]) {
    for (const status of ["active", "dormant", "blocked"]) {
      const { accountNo, name } = own(status);
      const answer = await ask(code, accountNo);
      expectCode(answer, "2001600");
      assert.deepEqual(names(answer.body), [name, "IDR", undefined]);
      const within = await alpha.call(inquiryPath, { beneficiaryAccountNo: accountNo });
      assert.equal(within.body["beneficiaryAccountName"], name);
    }
    expectCode(await ask(code, own("closed").accountNo), "4031618");
    for (const unknown of ["1009999999", "clearing:interbank:IDR", "funding:IDR"]) {
      expectCode(await ask(code, unknown), "4041611");
    }
  }
  expectCode(await ask("014", "clearing:interbank:IDR"), "4001601");
});

test("our own bank is none that a transfer leaves for, by any of its codes", async () => {
  await fixture.moveTo(fixture.at(0, "10:00:00"));
  const payer = await fixture.newPayer();
  for (const service of railServices) {
    for (const beneficiaryBankCode of ["008", "BMRIIDJA", "BMRIIDJAABC"]) {
      await fixture.send(service, payer, { beneficiaryBankCode }, `404${service.service}03`);
    }
  }
  assert.equal((await control.account(payer)).ledgerBalance, "1000000000.00");
});

test("a rail that is down is silent at once, one that is in limbo after its 10 s: 5041600; our own accounts need none", async () => {
  const { accountNo } = sandbox.file.accounts[0] ?? assert.fail();
  await fixture.setMode("interbank", "down");
  const down = await ask("014", "7001001001");
  expectCode(down, "5041600");
  assert.equal(down.message, "Timeout");
  expectCode(await ask("008", accountNo), "2001600");
  expectCode(await ask("998", "7001001001"), "4041603");
  await fixture.setMode("interbank", "limbo");
  const startedAt = performance.now();
  expectCode(await ask("014", "7001001001"), "5041600");
  const lasted = performance.now() - startedAt;
  assert.ok(lasted >= 9_500 && lasted < 15_000, `${lasted} ms`);
  await fixture.setMode("interbank", "normal");
  expectCode(await ask("014", "7001001001"), "2001600");
});

test("fees of nothing, and smaller than what a sender pays of a shared one, are taken as they are", async () => {
  const fees = { interbank: 0n, rtgs: 70_000n, skn: 100_000n };
  assert.deepEqual(sandbox.file.fees, { interbank: "0.00", rtgs: "700.00", skn: "1000.00" });
  for (const service of railServices) {
    const fee = fees[service.rail];
    for (const [feeType, sender] of [
      ["OUR", fee],
      ["SHA", fee],
      ["BEN", 0n],
    ] as const) {
      const payer = await fixture.newPayer();
      const moved = await fixture.watch(service.rail, payer);
      await fixture.send(service, payer, { feeType }, `200${service.service}00`);
      await control.call("POST", `rails/${service.rail}/settle`);
      await fixture.advance(11);
      const taken = service.amount + sender;
      assert.deepEqual(await moved(), { payer: -taken, suspense: 0n, clearing: taken - fee, fee }, feeType);
    }
  }
});

test("the audit finds nothing", async () => {
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});

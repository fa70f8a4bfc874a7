/** Inquiry, transfer and status of it, by plain HTTP with what `sandbox.json` says and nothing else (issue: operations 15, 17, 36). */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newNumber } from "../support/black-box/caller.ts";
import { fieldsOf } from "../support/black-box/answers.ts";
import { startSandbox } from "../support/black-box/start-sandbox.ts";
import { expectCode, inquiryPath, statusPath, transferBody, transferPath } from "../support/black-box/transfers.ts";

const sandbox = await startSandbox();
after(() => sandbox[Symbol.asyncDispose]());
const { control, file } = sandbox;
const alpha = sandbox.caller("alpha");
const beta = sandbox.caller("beta");
const gamma = sandbox.caller("gamma");
const [from = "", to = ""] = alpha.partner.sourceAccounts;

test("sandbox.json names partners that share nothing, accounts of every state, and merchants", () => {
  const signings = file.partners.map(({ signing }) => signing);
  assert.deepEqual(signings.toSorted(), ["asymmetric", "symmetric", "symmetric"]);
  const owned = file.partners.flatMap(({ sourceAccounts, merchants }) => [...sourceAccounts, ...merchants]);
  assert.equal(new Set(owned).size, owned.length);
  const states = new Set(file.accounts.map(({ status }) => status));
  assert.deepEqual([...states].toSorted(), ["active", "blocked", "closed", "dormant"]);
  for (const { merchants } of file.partners) assert.equal(merchants.length, 2);
  for (const { payerAccountNo } of file.merchants)
    assert.ok(file.accounts.some((one) => one.accountNo === payerAccountNo));
});

test("a transfer moves the money, answers with what it was asked, and the audit is clean", async () => {
  const before = await control.balances(from, to);
  const partnerReferenceNo = newNumber();
  const asked = {
    currency: "IDR",
    customerReference: "INV 10052031",
    feeType: "OUR",
    remark: "Lunas — terima kasih ✓",
    beneficiaryEmail: "siti@example.co.id",
    originatorInfos: [
      { originatorCustomerNo: "999901000003300", originatorCustomerName: "Siti Nur Aini", originatorBankCode: "008" },
    ],
  };
  const freeForm = '{"b":1.50,"a":{"é":"\\u00e9","n":null},"list":[1e2,[]]}';
  const fields = transferBody({ from, to, value: "250000", partnerReferenceNo }, asked);
  const answer = await alpha.call(transferPath, `${JSON.stringify(fields).slice(0, -1)},"additionalInfo":${freeForm}}`);

  expectCode(answer, "2001700");
  assert.equal(answer.message, "Successful");
  const { referenceNo, ...echoed } = fieldsOf(answer);
  assert.match(String(referenceNo), /^\S{1,30}$/);
  assert.deepEqual(echoed, {
    partnerReferenceNo,
    amount: { value: "250000.00", currency: "IDR" },
    beneficiaryAccountNo: to,
    currency: "IDR",
    customerReference: asked.customerReference,
    sourceAccountNo: from,
    transactionDate: "2026-11-21T10:00:00+07:00",
    originatorInfos: asked.originatorInfos,
    additionalInfo: JSON.parse(freeForm),
  });
  assert.ok(answer.text.includes(`"additionalInfo":${freeForm}`), "free-form parts come back as they were sent");

  assert.deepEqual(await control.balances(from, to), [
    (before[0] ?? 0n) - 25_000_000n,
    (before[1] ?? 0n) + 25_000_000n,
  ]);
  const { entries } = await control.call<{ entries: readonly Record<string, unknown>[] }>(
    "GET",
    `accounts/${from}/entries`,
  );
  assert.equal(entries[0]?.["referenceNo"], referenceNo);
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});

test("inquiry 15 tells the holder of every account that is not closed", async () => {
  for (const { accountNo, name, status, type, currency } of file.accounts) {
    const answer = await alpha.call(inquiryPath, { beneficiaryAccountNo: accountNo, partnerReferenceNo: "INQ-1" });
    if (status === "closed") {
      expectCode(answer, "4031518");
      assert.deepEqual(fieldsOf(answer), { beneficiaryAccountNo: accountNo, partnerReferenceNo: "INQ-1" });
      continue;
    }
    expectCode(answer, "2001500");
    const { beneficiaryAccountStatus, ...rest } = fieldsOf(answer);
    assert.equal(typeof beneficiaryAccountStatus, "string");
    assert.deepEqual(rest, {
      beneficiaryAccountName: name,
      beneficiaryAccountNo: accountNo,
      beneficiaryAccountType: type,
      currency,
      partnerReferenceNo: "INQ-1",
    });
  }
  // An account of the provider itself is nobody's to ask for.
  expectCode(await alpha.call(inquiryPath, { beneficiaryAccountNo: "funding:IDR" }), "4041511");
  const unknown = await alpha.call(inquiryPath, { beneficiaryAccountNo: "7777777777" });
  expectCode(unknown, "4041511");
  assert.deepEqual(fieldsOf(unknown), { beneficiaryAccountNo: "7777777777" });
});

test("status 36 finds a transfer by each of its references and by all that agree", async () => {
  const externalId = newNumber();
  const body = transferBody({ from, to, value: "1234.5" });
  const done = await alpha.call(transferPath, body, { externalId });
  expectCode(done, "2001700");
  const references = {
    originalPartnerReferenceNo: String(body["partnerReferenceNo"]),
    originalReferenceNo: String(done.body["referenceNo"]),
    originalExternalId: externalId,
  };
  const wanted = Object.entries(references).map(([name, value]) => ({ [name]: value }));
  for (const lookUp of [...wanted, references]) {
    const found = await alpha.call(statusPath, { serviceCode: "17", ...lookUp });
    expectCode(found, "2003600");
    assert.deepEqual(fieldsOf(found), {
      ...references,
      referenceNumber: references.originalReferenceNo,
      beneficiaryAccountNo: to,
      sourceAccountNo: from,
      serviceCode: "17",
      transactionDate: "2026-11-21T10:00:00+07:00",
      amount: { value: "1234.50", currency: "IDR" },
      previousResponseCode: "2001700",
      latestTransactionStatus: "00",
      transactionStatusDesc: "Success",
      additionalInfo: { fee: "0.00" },
    });
  }
});

test("status 36: references that do not agree, of another service, or of nothing are not found; none is asked for", async () => {
  const [one, two] = await Promise.all(
    [1, 2].map(async () => {
      const body = transferBody({ from, to, value: "1.00" });
      return alpha.call(transferPath, body);
    }),
  );
  const mixed = {
    originalPartnerReferenceNo: String(one?.body["partnerReferenceNo"]),
    originalReferenceNo: String(two?.body["referenceNo"]),
  };
  const notFound = [
    { serviceCode: "17", ...mixed },
    { serviceCode: "18", originalPartnerReferenceNo: mixed.originalPartnerReferenceNo },
    { serviceCode: "17", originalPartnerReferenceNo: "NOBODY-KNOWS" },
    { serviceCode: "17", originalReferenceNo: "NOBODY-KNOWS" },
    { serviceCode: "17", originalExternalId: "987654321" },
  ];
  for (const inquiry of notFound) {
    const answer = await alpha.call(statusPath, inquiry);
    expectCode(answer, "4043601");
    const isById = "originalExternalId" in inquiry;
    const why = isById ? " [External ids are kept 7 days, numbers for ever]" : "";
    assert.equal(answer.message, `Transaction Not Found${why}`);
    assert.deepEqual(fieldsOf(answer), {
      ...inquiry,
      latestTransactionStatus: "07",
      transactionStatusDesc: "Not found",
    });
  }
  const without = await alpha.call(statusPath, { serviceCode: "17" });
  expectCode(without, "4003602");
  assert.match(without.message, /originalPartnerReferenceNo/);
  const unknownService = await alpha.call(statusPath, { serviceCode: "99", originalReferenceNo: "X" });
  expectCode(unknownService, "4003601");
  assert.match(unknownService.message, /serviceCode/);
});

test("a partner in mode 2 signs with its key, needs no token, and gets all the rest", async () => {
  const [own = "", other = ""] = gamma.partner.sourceAccounts;
  const before = await control.balances(own, other);
  const body = transferBody({ from: own, to: other, value: "77.00" });
  const done = await gamma.call(transferPath, body);
  expectCode(done, "2001700");
  assert.deepEqual(await control.balances(own, other), [(before[0] ?? 0n) - 7_700n, (before[1] ?? 0n) + 7_700n]);
  const found = await gamma.call(statusPath, { serviceCode: "17", originalReferenceNo: done.body["referenceNo"] });
  assert.equal(found.body["latestTransactionStatus"], "00");
  expectCode(await gamma.call(inquiryPath, { beneficiaryAccountNo: other }), "2001500");

  const forged = await gamma.call(transferPath, body, { headers: { "X-SIGNATURE": "AAAA" } });
  expectCode(forged, "4011700");
  assert.deepEqual(Object.keys(forged.body), ["responseCode", "responseMessage"]);
  // A copy of another call's signature does not sign this one.
  const { headers } = await gamma.sign(transferPath, body);
  const stolen = await gamma.call(transferPath, transferBody({ from: own, to: other }), {
    headers: { "X-SIGNATURE": String(headers["X-SIGNATURE"]) },
  });
  expectCode(stolen, "4011700");
});

test("another partner's transfer and account are answered as ones that do not exist (D19)", async () => {
  const externalId = newNumber();
  const body = transferBody({ from, to, value: "3.00" });
  const done = await alpha.call(transferPath, body, { externalId });
  const references = {
    originalPartnerReferenceNo: String(body["partnerReferenceNo"]),
    originalReferenceNo: String(done.body["referenceNo"]),
    originalExternalId: externalId,
  };
  for (const [name, value] of Object.entries(references)) {
    // The same length, so that the two answers may be compared as texts.
    const invented = value.replaceAll(/[0-9]/g, "1");
    const foreign = await beta.call(statusPath, { serviceCode: "17", [name]: value });
    const nothing = await beta.call(statusPath, { serviceCode: "17", [name]: invented });
    expectCode(foreign, "4043601");
    assert.equal(foreign.text.replace(value, "…"), nothing.text.replace(invented, "…"));
  }
  const asked = { to: beta.partner.sourceAccounts[0] ?? "", partnerReferenceNo: newNumber() };
  const [, theirs = ""] = alpha.partner.sourceAccounts;
  const foreign = await beta.call(transferPath, transferBody({ ...asked, from: theirs }));
  const nothing = await beta.call(transferPath, transferBody({ ...asked, from: "1001999999" }));
  expectCode(foreign, "4031715");
  assert.equal(foreign.text.replace(theirs, "…"), nothing.text.replace("1001999999", "…"));
});

test("a partner's token and secret open nothing of another partner", async () => {
  const body = transferBody({ from, to, value: "3.00" });
  const token = await alpha.token();
  const asBeta = await alpha.call(transferPath, body, { headers: { "X-PARTNER-ID": "beta" } });
  expectCode(asBeta, "4011700");
  assert.match(asBeta.message, /\[Unknown client\]/);
  const withAlphasToken = await beta.call(transferPath, body, { headers: { Authorization: `Bearer ${token}` } });
  expectCode(withAlphasToken, "4011700");
  const asGamma = await alpha.call(transferPath, body, { headers: { "X-PARTNER-ID": "gamma" } });
  expectCode(asGamma, "4011700");
  assert.match(asGamma.message, /\[Signature\]/);
});

test("a partner's settings: a service taken away, a rate limit, both given back", async () => {
  const [source = "", target = ""] = beta.partner.sourceAccounts;
  const pay = () => beta.call(transferPath, transferBody({ from: source, to: target, value: "1.00" }));
  const set = (settings: object) => control.call("PUT", "partners/beta/settings", { ...settings });
  await set({ services: ["15", "36"] });
  expectCode(await pay(), "4031701");
  expectCode(await beta.call(inquiryPath, { beneficiaryAccountNo: target }), "2001500");
  await set({ services: ["15", "17", "36"], rateLimit: 1 });
  const answers = await Promise.all(Array.from({ length: 5 }, pay));
  const limited = answers.filter(({ code }) => code === "4291700");
  assert.ok(limited.length >= 3 && limited.length < 5, answers.map(({ code }) => code).join());
  assert.match(String(limited[0]?.headers["retry-after"]), /^[1-9]\d*$/);
  await set({ rateLimit: null });
  expectCode(await pay(), "2001700");
});

// Last: the clock only moves forward.
test("a token expires when the sandbox's time has moved past its life, and a new one works", async () => {
  const pay = () => alpha.call(transferPath, transferBody({ from, to, value: "1.00" }));
  await alpha.token({ fresh: true });
  expectCode(await pay(), "2001700");
  await control.advance(890);
  expectCode(await pay(), "2001700");
  await control.advance(20);
  const expired = await pay();
  expectCode(expired, "4011701");
  assert.deepEqual(Object.keys(expired.body), ["responseCode", "responseMessage"]);
  await alpha.token({ fresh: true });
  expectCode(await pay(), "2001700");
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});

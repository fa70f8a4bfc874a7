/** Clients that were written for other banks make their calls unchanged (spec D1, D4, D5). */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createCaller, type Habits, newNumber } from "../support/black-box/caller.ts";
import { type Sandbox, startSandbox } from "../support/black-box/start-sandbox.ts";

let sandbox: Sandbox;
before(async () => {
  sandbox = await startSandbox({ TITIAN_PATH_PREFIX: "/snap,/banking" });
});
after(() => sandbox[Symbol.asyncDispose]());

const client = (partnerId: string, habits: Habits = {}) => createCaller(sandbox.file, partnerId, sandbox.agent, habits);
const toHex = (signature: string) => Buffer.from(signature, "base64").toString("hex");

function transferOf(partnerId: string) {
  const [source, beneficiary] = sandbox.file.partners.find((one) => one.partnerId === partnerId)?.sourceAccounts ?? [];
  return {
    partnerReferenceNo: newNumber(),
    amount: { value: "1000.00", currency: "IDR" },
    beneficiaryAccountNo: beneficiary,
    sourceAccountNo: source,
    transactionDate: "2026-11-21T10:00:00+07:00",
  };
}

test("a client that sends hex gets its token and its transfer, and a copy of its rejection", async () => {
  for (const partnerId of ["alpha", "gamma"]) {
    const hex = client(partnerId, { spell: toHex });
    assert.equal((await hex.askToken("access-token/b2b", { grantType: "client_credentials" })).code, "2007300");
    assert.equal((await hex.call("transfer-intrabank", transferOf(partnerId))).code, "2001700");
  }
  const rejected = { ...transferOf("alpha"), beneficiaryAccountNo: "9999999999" };
  const call = await client("alpha", { spell: toHex }).sign("transfer-intrabank", rejected);
  const first = await client("alpha").send(call);
  assert.equal(first.code, "4041711");
  // The same signature in Base64 is the same signature: a copy (spec D7).
  const base64 = Buffer.from(call.headers["X-SIGNATURE"] ?? "", "hex").toString("base64");
  const copy = await client("alpha").send({ ...call, headers: { ...call.headers, "X-SIGNATURE": base64 } });
  assert.equal(copy.text, first.text);
});

test("a client that calls tokens under one root and transfers under another makes its calls", async () => {
  const pathOf = (suffix: string) => `${suffix.startsWith("access-token") ? "/snap" : "/banking"}/v1.0/${suffix}`;
  const transfer = transferOf("alpha");
  const two = client("alpha", { pathOf });
  assert.equal((await two.call("transfer-intrabank", transfer)).code, "2001700");
  const asked = { serviceCode: "17", originalPartnerReferenceNo: transfer.partnerReferenceNo };
  assert.equal((await two.call("transfer/status", asked)).body["latestTransactionStatus"], "00");
  assert.equal(sandbox.file.pathPrefix, "/snap");
});

test("a client with a root of its own makes its calls", async () => {
  for (const [partnerId, root] of [
    ["alpha", "/api-partner/open_banking/v2.0"],
    ["gamma", "/v1"],
  ] as const) {
    const own = client(partnerId, { pathOf: (suffix) => `${root}/${suffix}` });
    const transfer = transferOf(partnerId);
    assert.equal((await own.call("transfer-intrabank", transfer)).code, "2001700", root);
    const repeated = await client(partnerId).call("transfer-intrabank", transfer);
    assert.equal(repeated.code, "4091701", "the same number at another root is the same number");
  }
});

test("a client whose address ends in a slash sends two and signs one", async () => {
  const call = await client("alpha").sign("transfer-intrabank", transferOf("alpha"));
  assert.equal((await client("alpha").send({ ...call, path: `/${call.path}` })).code, "2001700");
});

test("any JSON is taken as additionalInfo, and comes back as it was sent", async () => {
  const alpha = client("alpha");
  const { merchants } = alpha.partner;
  for (const additionalInfo of ["[]", '""', "0", "false", '"text"', '[ {"a":1.0} ]']) {
    const body = JSON.stringify({ ...transferOf("alpha"), additionalInfo: "@" }).replace('"@"', additionalInfo);
    assert.ok((await alpha.call("transfer-intrabank", body)).text.endsWith(`"additionalInfo":${additionalInfo}}`));
    const payment = { partnerReferenceNo: newNumber(), merchantId: merchants[0], title: "Stay", additionalInfo: "@" };
    const placed = await alpha.call("auth/payment", JSON.stringify(payment).replace('"@"', additionalInfo));
    assert.equal(placed.code, "2006300", additionalInfo);
  }
});

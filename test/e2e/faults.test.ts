/** Faults on purpose, met by the client: whatever becomes of a response, a repeated transfer moves its money once. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { AnswerOf, CallsOfSandbox } from "@titian/sandbox/types";
import { type Attempt, createClient, isCallError } from "@titian/client";
import { checkControlAnswer } from "../support/control-rows.ts";
import { newNumber } from "../support/black-box/caller.ts";
import { startSandbox } from "../support/black-box/start-sandbox.ts";

const sandbox = await startSandbox();
after(() => sandbox[Symbol.asyncDispose]());
const { control, file } = sandbox;
const faultsOf = "partners/alpha/faults";

const [alpha] = file.partners;
assert.equal(alpha?.partnerId, "alpha");
const { clientSecret, privateKey, partnerId, channelId, clientKey } = alpha;
const credentials = { mode: "symmetric", clientSecret, privateKey } as const;
const client = createClient({ baseUrl: file.baseUrl, partnerId, channelId, clientKey, credentials });

async function newTransfer() {
  const payer = await control.open({ name: "Siti", balance: "100000.00", partnerId });
  const beneficiary = await control.open({ name: "Budi", balance: "0.00" });
  const attempt = client.prepare("intrabankTransfer", {
    partnerReferenceNo: newNumber(),
    amount: { value: "30000.00", currency: "IDR" },
    sourceAccountNo: payer.accountNo,
    beneficiaryAccountNo: beneficiary.accountNo,
    transactionDate: "2026-11-25T10:00:00+07:00",
  });
  const moved = async () => (await control.account(beneficiary.accountNo)).ledgerBalance;
  return { attempt, moved };
}

/** A repeat of what was carried out is a conflict that says so: the transfer is done. */
async function expectDone(attempt: Attempt<"intrabankTransfer">, caseName: "success" | "conflict"): Promise<void> {
  const repeat = client.repeat(attempt);
  if (caseName === "success") assert.equal((await repeat).case, caseName);
  else await assert.rejects(repeat, { caseName, latestTransactionStatus: "00" });
}

/** Faults with what the client says of the call, and whether its money had moved by then. */
const faults = [
  { fault: "loseAnswer", code: "ERR_OUTCOME_UNKNOWN", moved: "30000.00" },
  { fault: "breakOff", code: "ERR_OUTCOME_UNKNOWN", moved: "0.00" },
  { fault: "delay", delayMs: 60_000, code: "ERR_OUTCOME_UNKNOWN", moved: "30000.00" },
  { fault: "error500", code: "ERR_SNAP_RESPONSE", moved: "0.00" },
  { fault: "error503", code: "ERR_SNAP_RESPONSE", moved: "0.00" },
  { fault: "error429", code: "ERR_SNAP_RESPONSE", moved: "0.00" },
] as const;

for (const { code, moved: movedByThen, ...body } of faults) {
  test(`a transfer that meets ${body.fault} and is repeated moves its money once`, async () => {
    const { attempt, moved } = await newTransfer();
    await control.call("POST", faultsOf, { ...body, next: 2, operation: "17" });
    // The repeat, which is signed anew, meets it too.
    for (const send of [
      () => client.send(attempt, { timeoutMs: 2_000 }),
      () => client.repeat(attempt, { timeoutMs: 2_000 }),
    ]) {
      await assert.rejects(send(), (error) => isCallError(error) && error.code === code);
      assert.equal(await moved(), movedByThen);
    }
    await expectDone(attempt, movedByThen === "0.00" ? "success" : "conflict");
    assert.equal(await moved(), "30000.00");
    assert.deepEqual(await control.call("GET", faultsOf), { partnerId, faults: [] });
  });
}

test("a partner that a control call onboards calls at once, with an account of its own, and shares nothing", async () => {
  for (const signing of ["symmetric", "asymmetric"] as const) {
    const own = await control.call<AnswerOf<CallsOfSandbox["POST /partners"]>>("POST", "partners", { signing });
    checkControlAnswer("POST", "/partners", own);
    const mode = signing;
    const caller = createClient({
      baseUrl: file.baseUrl,
      partnerId: own.partnerId,
      channelId: own.channelId,
      clientKey: own.clientKey,
      credentials:
        mode === "symmetric"
          ? { mode, clientSecret: own.clientSecret, privateKey: own.privateKey }
          : { mode, privateKey: own.privateKey },
    });
    const beneficiary = await control.open({ name: "Budi", balance: "0.00" });
    const transfer = {
      partnerReferenceNo: newNumber(),
      amount: { value: "30000.00", currency: "IDR" },
      beneficiaryAccountNo: beneficiary.accountNo,
      transactionDate: "2026-11-25T10:00:00+07:00",
    };
    const paid = await caller.intrabankTransfer({ ...transfer, sourceAccountNo: own.sourceAccounts[0] ?? "" });
    assert.equal(paid.responseCode, "2001700");
    const others = await control.open({ name: "Siti", balance: "100000.00", partnerId });
    const rejected = caller.intrabankTransfer({
      ...transfer,
      partnerReferenceNo: newNumber(),
      sourceAccountNo: others.accountNo,
    });
    await assert.rejects(rejected, (error) => isCallError(error));
  }
  await assert.rejects(control.call("POST", "partners", { partnerId }), /409/);
});

test("faults outlive a killed node, and the record says which call met which", async () => {
  const { attempt, moved } = await newTransfer();
  await control.call("POST", faultsOf, { fault: "loseAnswer", next: 1 });
  const port = new URL(file.baseUrl).port;
  await sandbox.service.end("SIGKILL");
  await using _node = await sandbox.startNode({ PORT: port });
  await assert.rejects(client.send(attempt), (error) => isCallError(error) && error.code === "ERR_OUTCOME_UNKNOWN");
  const { calls } = await control.call<{ calls: readonly object[] }>(
    "GET",
    "calls?operation=intrabankTransfer&limit=1",
  );
  assert.partialDeepStrictEqual(calls[0], {
    fault: "loseAnswer",
    responseCode: "2001700",
    status: 200,
    isRefused: false,
  });
  await expectDone(attempt, "conflict");
  assert.equal(await moved(), "30000.00");
  const audit = await control.audit();
  assert.deepEqual(audit.findings, []);
});

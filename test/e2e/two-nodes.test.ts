/** Two node processes on one database, called by plain HTTP: every effect happens once, whichever node is asked. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { type Answer, newNumber } from "../support/black-box/caller.ts";
import { toMinor } from "../support/black-box/control.ts";
import { timestampOf } from "../support/black-box/signer.ts";
import { startSandbox } from "../support/black-box/start-sandbox.ts";
import { expectCode, inquiryPath, statusPath, transferBody, transferPath } from "../support/black-box/transfers.ts";

const sandbox = await startSandbox();
after(() => sandbox[Symbol.asyncDispose]());
const { control, dataDir, file } = sandbox;
const fileBefore = readFileSync(join(dataDir, "sandbox.json"), "utf8");
const second = await sandbox.startNode();
after(() => second[Symbol.asyncDispose]());
const alpha = sandbox.caller("alpha");
const [from = "", to = "", besides = ""] = alpha.partner.sourceAccounts;
const nodes = [file.baseUrl, second.baseUrl];
const nodeOf = (index: number) => nodes[index % nodes.length];

const count = 1_000;

test("a second node listens elsewhere, takes the first one's tokens and leaves sandbox.json alone", async () => {
  assert.notEqual(second.baseUrl, file.baseUrl);
  assert.equal(readFileSync(join(dataDir, "sandbox.json"), "utf8"), fileBefore);
  const call = await alpha.sign(inquiryPath, { beneficiaryAccountNo: to });
  for (const node of nodes) expectCode(await alpha.send(call, node), "2001500");
});

test("1,000 concurrent copies of one transfer over both nodes: one effect, all others learn it", async () => {
  const before = await control.balances(from, to);
  const externalId = newNumber();
  const body = transferBody({ from, to, value: "1000.00" });
  // Half of them copies, byte by byte, half of them signed for themselves.
  const copy = await alpha.sign(transferPath, body, { externalId });
  const calls = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      index % 4 < 2 ? Promise.resolve(copy) : alpha.sign(transferPath, body, { externalId }),
    ),
  );
  const answers = await Promise.all(calls.map((call, index) => alpha.send(call, nodeOf(index))));

  const [first, ...more] = answers.filter(({ status }) => status === 200);
  assert.ok(first && more.length === 0, `${more.length + 1} answered 200`);
  expectCode(first, "2001700");
  const others = answers.filter((answer) => answer !== first);
  assert.equal(others.length, count - 1);
  for (const other of others) {
    expectCode(other, "4091700");
    assert.deepEqual(other.body["additionalInfo"], { originalResponse: first.body, latestTransactionStatus: "00" });
  }
  assert.deepEqual(await control.balances(from, to), [(before[0] ?? 0n) - 100_000n, (before[1] ?? 0n) + 100_000n]);
});

test("1,000 partner numbers, each sent twice under different external ids: one effect each", async () => {
  // Over several cells both are home's: no more than 1,024 transfers of a partner go to another cell at once.
  const before = await control.balances(besides, to);
  const bodies = Array.from({ length: count }, () => transferBody({ from: besides, to, value: "3.00" }));
  const send = async (index: number): Promise<Answer> =>
    alpha.send(await alpha.sign(transferPath, bodies[index % count] ?? {}), nodeOf(index + Math.floor(index / count)));
  // Both of a pair at once, on different nodes.
  const answers = await Promise.all(Array.from({ length: 2 * count }, (_, index) => send(index)));

  for (const [index, one] of answers.slice(0, count).entries()) {
    const other = answers[index + count];
    assert.ok(other);
    const [accepted, repeated] = one.status === 200 ? [one, other] : [other, one];
    expectCode(accepted, "2001700");
    expectCode(repeated, "4091701");
    assert.deepEqual(repeated.body["additionalInfo"], {
      originalResponse: accepted.body,
      latestTransactionStatus: "00",
    });
  }
  assert.deepEqual(await control.balances(besides, to), [(before[0] ?? 0n) - 300_000n, (before[1] ?? 0n) + 300_000n]);
});

test("an account emptied from both nodes at once is never overdrawn", async () => {
  const { accountNo: purse } = await control.open({ name: "Dompet", balance: "100.00", partnerId: "alpha" });
  const pay = async (index: number) =>
    alpha.send(await alpha.sign(transferPath, transferBody({ from: purse, to, value: "1.00" })), nodeOf(index));
  const answers = await Promise.all(Array.from({ length: 300 }, (_, index) => pay(index)));
  const codes = Map.groupBy(answers, ({ code }) => code);
  assert.deepEqual([codes.get("2001700")?.length, codes.get("4031714")?.length], [100, 200]);
  assert.equal((await control.account(purse)).ledgerBalance, "0.00");
});

test("sends are ordered over both nodes: whatever arrives first, never is one accepted after a later one was rejected", async () => {
  const rounds = 60;
  const fixtures = await Promise.all(
    Array.from({ length: rounds }, () => control.open({ name: "Dompet", balance: "0.00", partnerId: "alpha" })),
  );
  const answers = await Promise.all(
    fixtures.map(async ({ accountNo: purse }, round) => {
      const externalId = newNumber();
      const isOneId = round % 2 === 0;
      const body = transferBody({ from: purse, to, value: "1.00" });
      const timestamps = [30, 20, 10].map((ago) => timestampOf(Date.now() - ago * 1_000));
      const sends = await Promise.all(
        timestamps.map((timestamp) =>
          alpha.sign(transferPath, body, { externalId: isOneId ? externalId : newNumber(), timestamp }),
        ),
      );
      const funding = await alpha.sign(transferPath, transferBody({ from, to: purse, value: "5.00" }));
      // The newest send meets the money that pays for it, and those before it, on both nodes.
      const calls = [...sends, funding].map((call, index) => alpha.send(call, nodeOf((round >> 1) + index)));
      return (await Promise.all(calls)).slice(0, 3);
    }),
  );
  for (const codes of answers.map((sent) => sent.map(({ code }) => code))) {
    const accepted = codes.indexOf("2001700");
    const found = codes.join();
    assert.ok(
      codes.every((code) => ["2001700", "4091700", "4091701", "4031714"].includes(code)),
      found,
    );
    // The accepted call is answered to whoever asks for it; a rejected one was sent before it.
    if (accepted >= 0) assert.equal(codes.indexOf("4031714", accepted), -1, found);
  }
});

test("writes and settings of one node are known to the other", async () => {
  const body = transferBody({ from, to, value: "1.00" });
  const [one, two] = nodes;
  const done = await alpha.send(await alpha.sign(transferPath, body), one);
  const look = { serviceCode: "17", originalPartnerReferenceNo: body["partnerReferenceNo"] };
  const found = await alpha.send(await alpha.sign(statusPath, look), two);
  assert.equal(found.body["originalReferenceNo"], done.body["referenceNo"]);

  const { accountNo } = await control.open({ name: "Blokir", balance: "5.00", partnerId: "alpha" });
  await control.change(accountNo, { status: "blocked" });
  const blocked = await alpha.sign(transferPath, transferBody({ from: accountNo, to, value: "1.00" }));
  expectCode(await alpha.send(blocked, two), "4031718");
});

test("after all of it the books are clean and no money was made or lost", async () => {
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
  assert.ok(toMinor((await control.account(from)).ledgerBalance) > 0n);
  const exit = await second.end("SIGTERM");
  assert.deepEqual(exit, { code: 0, signal: null });
  assert.equal(readFileSync(join(dataDir, "sandbox.json"), "utf8"), fileBefore);
  expectCode(await alpha.call(inquiryPath, { beneficiaryAccountNo: to }), "2001500");
});

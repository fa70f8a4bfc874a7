// Accounts that move from one cell to another: by HTTP alone, in a sandbox of two databases.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { formatTimestamp } from "@titian/contract";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { type Answer, type Json, newNumber } from "../support/black-box/caller.ts";
import { eventually } from "../support/black-box/answers.ts";
import { toMinor } from "../support/black-box/control.ts";
import { paymentRequestPath, referenceOf } from "../support/black-box/payment-requests.ts";
import { capture, hold, refund, voidHold } from "../support/black-box/payments/holds.ts";
import { interbank } from "../support/black-box/rails/rail-services.ts";
import { railBody } from "../support/black-box/rails/rail-transfers.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { expectCode, idr, transferBody, transferPath } from "../support/black-box/transfers.ts";
import { startSplitPartner } from "./split-partner.ts";

const { sandbox, control, alpha, ofCell, ofHome, merchantId } = await startSplitPartner();
after(() => sandbox[Symbol.asyncDispose]());

interface Place {
  readonly accountNo: string;
  readonly cell: number;
  readonly movingTo?: number;
  readonly refusal?: string;
}
const placeOf = (accountNo: string) => control.call<Place>("GET", `moves/${accountNo}`);
const ask = (accountNo: string, cell: number) => control.call<Place>("POST", "moves", { accountNo, cell });
const openPayer = async (more: Json = {}) =>
  (await control.open({ name: "A payer", balance: "1000000.00", partnerId: "alpha", ...more })).accountNo;

async function untilStill(accountNo: string): Promise<Place> {
  await eventually(async () => (await placeOf(accountNo)).movingTo === undefined);
  return placeOf(accountNo);
}

async function move(accountNo: string, cell: number): Promise<void> {
  assert.equal((await ask(accountNo, cell)).movingTo, cell);
  assert.deepEqual(await untilStill(accountNo), { accountNo, cell });
}

async function expectRefused(accountNo: string, cell: number, why: RegExp): Promise<void> {
  await ask(accountNo, cell);
  const { refusal, movingTo } = await untilStill(accountNo);
  assert.equal(movingTo, undefined);
  assert.match(String(refusal), why);
}

const pay = (body: Json, externalId = newId()) => alpha.call(transferPath, body, { externalId });
const text = (minor: bigint) => `${minor / 100n}.${String(minor % 100n).padStart(2, "0")}`;
const inCell = (accountNo: string, cell: number) =>
  control
    .call<{ readonly accounts: readonly { readonly accountNo: string; readonly status: string }[] }>(
      "GET",
      `accounts?limit=1000&cell=${cell}`,
    )
    .then(({ accounts }) => accounts.find((one) => one.accountNo === accountNo)?.status);

async function expectSound(): Promise<void> {
  assert.deepEqual(await control.audit().then(({ ok, findings }) => ({ ok, findings })), { ok: true, findings: [] });
}

test("money, limits, the day's use and the minimum balance come along, and back again", async () => {
  const accountNo = await openPayer({ limits: { daily: "500.00", each: "400.00" } });
  await control.change(accountNo, { minimumBalance: "10.00" });
  expectCode(await pay(transferBody({ from: accountNo, to: ofHome, value: "300.00" })), "2001700");
  await move(accountNo, 1);
  assert.deepEqual([await inCell(accountNo, 0), await inCell(accountNo, 1)], ["moved", "active"]);
  const there = await control.call<Json>("GET", `accounts/${accountNo}`);
  assert.equal(there["ledgerBalance"], "999700.00");
  assert.equal(there["minimumBalance"], "10.00");
  // 300.00 of the day's 500.00 were used in home.
  expectCode(await pay(transferBody({ from: accountNo, to: ofCell, value: "200.01" })), "4031723");
  expectCode(await pay(transferBody({ from: accountNo, to: ofHome, value: "200.00" })), "2001700");
  await control.change(accountNo, { limits: null, status: "dormant" });
  await move(accountNo, 0);
  assert.deepEqual([await inCell(accountNo, 0), await inCell(accountNo, 1)], ["dormant", "moved"]);
  await control.change(accountNo, { status: "active" });
  expectCode(await pay(transferBody({ from: accountNo, to: ofHome, value: "999490.00" })), "2001700");
  expectCode(await pay(transferBody({ from: accountNo, to: ofHome, value: "0.01" })), "4031714");
  await move(accountNo, 1);
  assert.equal((await control.account(accountNo)).ledgerBalance, "10.00");
  await expectSound();
});

test("an account of a cell's range moves to home, and one without money moves, too", async () => {
  const accountNo = await openPayer({ balance: "0.00" });
  await Promise.all([move(accountNo, 1), move(ofCell, 0)]);
  expectCode(await pay(transferBody({ from: ofCell, to: accountNo, value: "5.00" })), "2001700");
  await move(ofCell, 1);
  assert.equal((await control.account(accountNo)).ledgerBalance, "5.00");
  expectCode(await pay(transferBody({ from: accountNo, to: ofCell, value: "5.00" })), "2001700");
  await expectSound();
});

test("a number sent before is one payment, repeated while the account moves and behind it", async () => {
  const accountNo = await openPayer();
  const [body, externalId] = [transferBody({ from: accountNo, to: ofHome, value: "100.00" }), newId()];
  expectCode(await pay(body, externalId), "2001700");
  const refused = transferBody({ from: accountNo, to: ofHome, value: "999900.01" });
  const refusedId = newId();
  expectCode(await pay(refused, refusedId), "4031714");
  await ask(accountNo, 1);
  const during = new Map<string, Answer>();
  while ((await placeOf(accountNo)).movingTo !== undefined) {
    for (const [name, repeated] of [
      ["same call", externalId],
      ["same number", newId()],
    ] as const) {
      const answer = await pay(body, repeated);
      // Nothing is said while the account is moving: the partner asks again.
      if (answer.code !== "5031700") during.set(name, answer);
    }
  }
  assert.deepEqual((await untilStill(accountNo)).cell, 1);
  await eventually(async () => (await pay(body, externalId)).code !== "5031700");
  expectCode(await pay(body, externalId), "4091700");
  expectCode(await pay(body), "4091701");
  for (const answer of during.values()) assert.match(answer.code, /^409170[01]$/);
  // A rejected number is decided anew in the new cell.
  expectCode(await pay(refused, refusedId), "4031714");
  expectCode(await pay(transferBody({ from: ofCell, to: accountNo, value: "0.01" })), "2001700");
  await sleep(1_000);
  expectCode(await pay(refused, refusedId), "2001700");
  expectCode(await pay(refused), "4091701");
  assert.equal((await control.account(accountNo)).ledgerBalance, "0.00");
  await expectSound();
});

test("a refund of a capture, a return of a transfer and a request's payment of before go on to the account's cell", async () => {
  const accountNo = await openPayer();
  const payment = await hold(alpha, merchantId, {
    amount: idr("700.00"),
    additionalInfo: { sourceAccountNo: accountNo },
  });
  expectCode(await capture(alpha, payment), "2006500");
  const returned = sandbox.file.scenarios.find(
    ({ outcome }) => outcome === "returnedAfterSettlement",
  )?.beneficiaryAccountNo;
  const sent = await alpha.call(interbank.path, railBody(interbank, accountNo, { beneficiaryAccountNo: returned }));
  expectCode(sent, "2001800");
  // Requests whose holders pay to the account: one in its cell, one in the other.
  const asked = await Promise.all(
    [ofHome, ofCell].map((sourceAccountNo) =>
      alpha.call(paymentRequestPath, {
        partnerReferenceNo: newNumber(),
        bankCode: "999",
        sourceAccountNo,
        sourceAccountName: "Siti",
        beneficiaryAccountNo: accountNo,
        beneficiaryAccountName: "A payer",
        expiredDatetime: formatTimestamp(Date.now() + 86_400_000),
        amount: idr("10.00"),
      }),
    ),
  );
  for (const answer of asked) expectCode(answer, "2001900");
  const was = toMinor((await control.account(accountNo)).ledgerBalance);
  await move(accountNo, 1);
  for (const answer of asked) await control.call("POST", `payment-requests/${referenceOf(answer)}/approve`, {});
  await eventually(async () => toMinor((await control.account(accountNo)).ledgerBalance) === was + 2_000n);
  const before = toMinor((await control.account(accountNo)).ledgerBalance);
  expectCode(await refund(alpha, payment), "2006900");
  await control.advance(86_400 * 3);
  await alpha.token({ fresh: true });
  const back = 70_000n + interbank.amount;
  await eventually(async () => toMinor((await control.account(accountNo)).ledgerBalance) === before + back);
  assert.equal((await control.call<Json>("GET", `accounts/${accountNo}?cell=1`))["ledgerBalance"], text(before + back));
  await expectSound();
});

test("an account that is in use stays, and its refusal says why", async () => {
  const held = await openPayer();
  const payment = await hold(alpha, merchantId, { additionalInfo: { sourceAccountNo: held } });
  await expectRefused(held, 1, /^something is held on the account$/);
  expectCode(await voidHold(alpha, payment), "2006700");
  await move(held, 1);
  const closed = await openPayer({ balance: "0.00" });
  await control.change(closed, { status: "closed" });
  await expectRefused(closed, 1, /^the account is closed$/);
  await expectRefused("999999999999", 1, /^there is no such account of a holder$/);
  await assert.rejects(ask(ofHome, 7), /There is no cell 7: there are 0, 1/);
});

test("the command moves accounts, waits until they are there, and says why one stays", async () => {
  const titian = (line: string) => runCli(line.split(" "), { env: { TITIAN_DATA_DIR: sandbox.dataDir } });
  const [accountNo, held] = [await openPayer(), await openPayer()];
  await hold(alpha, merchantId, { additionalInfo: { sourceAccountNo: held } });
  const ran = await titian(`account move ${accountNo} ${held} --to 1`);
  assert.equal(ran.exitCode, 1, ran.stderr);
  assert.match(ran.stdout, new RegExp(`${accountNo} +1 *\n`));
  assert.match(ran.stdout, new RegExp(`${held} +0 \\(home\\) +something is held on the account`));
  assert.match(ran.stderr, /1 not moved to cell 1/);
  const again = await titian(`account move ${accountNo} --to 1 --json`);
  assert.equal(again.exitCode, 0, again.stderr);
  assert.deepEqual(JSON.parse(again.stdout), { accounts: [{ accountNo, cell: 1 }], notMoved: [] });
  const listed = await titian("account moves --limit 100");
  for (const number of [accountNo, held]) assert.ok(listed.stdout.includes(number), listed.stdout);
  for (const [line, expected] of [
    ["account move --to 1", /No account was named/],
    [`account move ${accountNo} --to home`, /--to takes the number of a cell/],
    [`account move ${accountNo} --to 7`, /There is no cell 7: there are 0, 1/],
    ["account move 999999999999 --to 0", /There is no such account of a holder/],
  ] as const) {
    const wrong = await titian(line);
    assert.notEqual(wrong.exitCode, 0);
    assert.match(wrong.stderr, expected);
  }
});

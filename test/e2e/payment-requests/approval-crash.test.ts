/** A node that dies between an approval's commit and the submission to the rail: another submits the transfer once. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { approvePaymentRequest } from "../../../packages/server/src/rails/commands/answer-payment-request.ts";
import { createClock } from "../../../packages/server/src/basics/clock.ts";
import { createEngine } from "../../../packages/server/src/engine/engine.ts";
import { minor } from "../../../packages/server/src/ledger/money.ts";
import { createReadPool } from "../../../packages/server/src/store/postgres/connect.ts";
import { openSession } from "../../../packages/server/src/store/postgres/session.ts";
import { referenceWith } from "../../engine/transfers.ts";
import { rails } from "../../support/rails.ts";
import { type Answer, createCaller } from "../../support/black-box/caller.ts";
import { createControl } from "../../support/black-box/control.ts";
import {
  expectRequestStatus,
  inquireRequest,
  payerAt,
  referenceOf,
  requestPayment,
  untilRequestStatus,
} from "../../support/black-box/payment-requests.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { moneyOf } from "../../support/black-box/rails/rail-money.ts";
import { interbank } from "../../support/black-box/rails/rail-services.ts";
import { readSandboxFile } from "../../support/black-box/sandbox-file.ts";
import { idr } from "../../support/black-box/transfers.ts";

const fixture = await startRailFixture({ TITIAN_INTERBANK_WAIT_SECONDS: "20" });
after(() => fixture[Symbol.asyncDispose]());
const { alpha, control, sandbox } = fixture;
await fixture.moveTo(fixture.at(0, "10:00:01"));
const places = moneyOf(interbank);
const newHolder = async () => (await control.open({ name: "A holder", balance: "50000.00" })).accountNo;

test("an approval that nobody submitted is submitted by the service, with the amount it named", async () => {
  const from = await newHolder();
  const changes = await fixture.watch("interbank", from);
  const request = await requestPayment(fixture, from, { amount: undefined });
  // A node that commits, and submits nothing: what a crash right after the commit leaves behind.
  const url = sandbox.file.databaseUrl;
  const clock = createClock();
  const reads = createReadPool(url, 1);
  const engine = await createEngine({
    open: () => openSession(url, "test engine"),
    clock,
    reference: () => ({ ...referenceWith(86_400_000), rails }),
  });
  const answer = { amount: minor(1_000_000n), by: "operator" } as const;
  assert.deepEqual(await approvePaymentRequest({ engine, clock, reads }, referenceOf(request), answer), {
    kind: "recorded",
  });
  await engine.close();
  await reads.end();
  await fixture.advance(60);
  await untilRequestStatus(alpha, request, "00");
  assert.deepEqual((await expectRequestStatus(alpha, request, "00")).body["amount"], idr("10000.00"));
  assert.deepEqual(await changes(), places.settled);
});

test("killed while approvals are under way: each is paid once, or still waiting and approved again", async () => {
  const from = await newHolder();
  const requests: Answer[] = [];
  for (let count = 0; count < 3; count += 1) requests.push(await requestPayment(fixture, from));
  await fixture.setMode("interbank", "slow");
  const { approve } = payerAt(fixture);
  const answers = Promise.allSettled(requests.map((request) => approve(request)));
  await untilRequestStatus(alpha, requests[0] as Answer, "02");
  await sandbox.service.end("SIGKILL");
  assert.ok((await answers).every(({ status }) => status === "rejected"));

  await using next = await sandbox.startNode();
  const file = readSandboxFile(sandbox.dataDir);
  const nextControl = createControl(file, sandbox.agent);
  const nextAlpha = createCaller(file, "alpha", sandbox.agent);
  const again = payerAt(fixture, next.baseUrl);
  await nextControl.call("POST", "rails/interbank/mode", { mode: "normal" });
  for (const request of requests) {
    const { latestTransactionStatus } = (await inquireRequest(nextAlpha, request)).body;
    if (latestTransactionStatus === "01") await again.approve(request).catch(() => undefined);
    else assert.equal((await again.approve(request))["state"], "approved");
  }
  await nextControl.advance(60);
  for (const request of requests) await untilRequestStatus(nextAlpha, request, "00");
  assert.equal((await nextControl.account(from)).ledgerBalance, "12500.00");
  assert.deepEqual(await nextControl.audit(), { ok: true, findings: [] });
});

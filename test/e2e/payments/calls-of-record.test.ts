/** A record shows every call that touched it, with what can be sent again; a correlation id finds its call and the record. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ControlAnswers } from "../../../packages/control/src/types.ts";
import { eventually, unknownNumber } from "../../support/black-box/answers.ts";
import { newNumber } from "../../support/black-box/caller.ts";
import { captureBody, paths, refundBody, voidBody } from "../../support/black-box/payments/hold-bodies.ts";
import { hold } from "../../support/black-box/payments/holds.ts";
import { sharePaymentFixture } from "../../support/black-box/payments/payment-fixture.ts";
import { expectCode, idr, statusPath, transferBody, transferPath } from "../../support/black-box/transfers.ts";
import { checkControlAnswer } from "../../support/control-rows.ts";
import { runCli } from "../../support/cli/run-cli.ts";

type Calls = ControlAnswers["GET /timeline/{referenceNo}/calls"];

const fixture = await sharePaymentFixture();
const { alpha, control, merchant, sandbox } = fixture;
const rich = await fixture.newPayer("1000000.00");
const poor = await fixture.newPayer("0.00");

/** Compared with its row. */
async function callsOf(referenceNo: unknown): Promise<Calls> {
  const path = `timeline/${String(referenceNo)}/calls`;
  const answer = await control.call<Calls>("GET", path);
  checkControlAnswer("GET", `/${path}`, answer);
  return answer;
}

test("a transfer shows the call that made it, and the rejected, repeated and counted ones around it", async () => {
  const number = newNumber();
  const bodyFrom = (from: string) =>
    transferBody({ from, to: "1009000001" }, { partnerReferenceNo: number, amount: idr("1000.00") });
  const sent = bodyFrom(rich.accountNo);
  expectCode(await alpha.call(transferPath, bodyFrom(poor.accountNo)), "4031714");
  const made = await alpha.call(transferPath, sent);
  expectCode(made, "2001700");
  expectCode(await alpha.call(transferPath, sent), "4091701");
  const asked = { serviceCode: "17", originalPartnerReferenceNo: number };
  for (let count = 0; count < 2; count += 1) expectCode(await alpha.call(statusPath, asked), "2003600");
  const referenceNo = String(made.body["referenceNo"]);
  const { calls } = await eventually(async () => {
    const found = await callsOf(referenceNo);
    return found.calls.some(({ count }) => count === 2) && found;
  });
  assert.deepEqual(
    calls.map(({ outcome, responseCode, canBeSentAgain }) => `${outcome} ${responseCode} ${canBeSentAgain}`),
    ["rejected 4031714 true", "accepted 2001700 true", "repeat 4091701 false", "inquiry 2003600 false"],
  );
  assert.deepEqual(
    calls.map(({ responseMessage, withoutBody }) => [responseMessage, withoutBody]),
    [
      ["Insufficient Funds", undefined],
      ["Successful", undefined],
      ["Duplicate partnerReferenceNo", "notKept"],
      ["Successful", "notKept"],
    ],
  );
  assert.deepEqual(
    calls.slice(0, 2).map(({ body = "" }) => JSON.parse(body)),
    [bodyFrom(poor.accountNo), sent],
  );
  assert.ok(calls.every(({ isRecorded }) => isRecorded));
  const id = calls[1]?.correlationId ?? "";
  const { matches } = await control.call<ControlAnswers["GET /search"]>("GET", `search?number=${id.toUpperCase()}`);
  assert.deepEqual(
    matches.map(({ kind, matchedBy, referenceNo: found }) => [kind, matchedBy, found]),
    [
      ["transfer", "correlationId", referenceNo],
      ["call", "correlationId", undefined],
    ],
  );
  // With the database alone, as in production: no memory of a node.
  const { stdout, exitCode, stderr } = await runCli(["find", id, "--json"], {
    env: { TITIAN_DATA_DIR: sandbox.dataDir, DATABASE_URL: sandbox.file.databaseUrl, TITIAN_SANDBOX: "1" },
  });
  assert.equal(exitCode, 0, stderr);
  assert.match(stdout, new RegExp(referenceNo));
  assert.match(stdout, /"kind": ?"call"/);
});

test("changes of a payment are calls on it, by any of its numbers; a call that was not kept is shown from the ledger", async () => {
  const payment = await hold(alpha, merchant.merchantId, { additionalInfo: rich.additionalInfo });
  const half = captureBody(payment, { captureAmount: idr("1.00"), lastCapture: "true" });
  const capture = await alpha.call(paths.capture, half);
  expectCode(capture, "2006500");
  const secret = { accessToken: "0123456789abcdef0123456789abcdef", note: alpha.partner.clientSecret };
  expectCode(await alpha.call(paths.void, voidBody(payment, { additionalInfo: secret })), "4046700");
  const refund = await alpha.call(paths.refund, refundBody(payment, { additionalInfo: secret }));
  expectCode(refund, "2006900");
  const calls = await eventually(async () => {
    const found = (await callsOf(capture.body["captureNo"])).calls;
    return found.length === 4 && found;
  });
  const shown = (found: Calls["calls"]) => found.map(({ operation, outcome }) => `${operation} ${outcome}`);
  assert.deepEqual(shown(calls), [
    "authPayment accepted",
    "authCapture accepted",
    "authVoid rejected",
    "authRefund accepted",
  ]);
  assert.match(calls[2]?.body ?? "", new RegExp(payment.referenceNo));
  const ofRelease = `calls/${calls[2]?.correlationId}/kept`;
  const kept = await control.call<ControlAnswers["GET /calls/{id}/kept"]>("GET", ofRelease);
  checkControlAnswer("GET", `/${ofRelease}`, kept);
  assert.deepEqual([kept.body, kept.referenceNo, kept.partnerId], [calls[2]?.body, payment.referenceNo, "alpha"]);
  await assert.rejects(control.call("GET", `calls/${"0".repeat(16)}/kept`), /404/);
  assert.deepEqual(JSON.parse(calls[1]?.body ?? ""), half);
  assert.deepEqual([calls[1]?.canBeSentAgain, calls[3]?.canBeSentAgain], [true, true]);
  for (const text of [secret.accessToken, secret.note]) assert.ok(!JSON.stringify(calls).includes(text), text);
  await assert.rejects(callsOf(unknownNumber), /404/);
  // Asked for at once, before the job has run.
  const next = await hold(alpha, merchant.merchantId, { additionalInfo: rich.additionalInfo });
  const [made] = (await callsOf(next.referenceNo)).calls;
  assert.deepEqual([made?.operation, made?.outcome, made?.canBeSentAgain], ["authPayment", "accepted", true]);
  assert.equal(JSON.parse(made?.body ?? "")["partnerReferenceNo"], next.partnerReferenceNo);
});

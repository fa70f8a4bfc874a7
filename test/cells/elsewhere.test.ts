// An account that has left home, and a node that has not heard of it: nothing is taken for it, and its repeats and refunds go on.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { formatTimestamp } from "@titian/contract";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { eventually } from "../support/black-box/answers.ts";
import { newNumber } from "../support/black-box/caller.ts";
import { paymentRequestPath } from "../support/black-box/payment-requests.ts";
import { capture, hold, refund } from "../support/black-box/payments/holds.ts";
import { paths, paymentBody } from "../support/black-box/payments/hold-bodies.ts";
import { interbank } from "../support/black-box/rails/rail-services.ts";
import { railBody } from "../support/black-box/rails/rail-transfers.ts";
import { bulkBody, bulkItem, bulkPath } from "../support/black-box/bulks.ts";
import { expectCode, idr, inquiryPath, transferBody, transferPath } from "../support/black-box/transfers.ts";
import { runStatements } from "../support/database/with-client.ts";
import { startSplitPartner } from "./split-partner.ts";

const { sandbox, control, alpha, ofCell, ofHome, merchantId } = await startSplitPartner();
after(() => sandbox[Symbol.asyncDispose]());
const payer = (await control.open({ name: "A payer", balance: "1000000.00", partnerId: "alpha" })).accountNo;

const before = { body: transferBody({ from: payer, to: ofHome }), externalId: newId() };
expectCode(await alpha.call(transferPath, before.body, { externalId: before.externalId }), "2001700");
const payment = await hold(alpha, merchantId, { amount: idr("700.00"), additionalInfo: { sourceAccountNo: payer } });
expectCode(await capture(alpha, payment), "2006500");
// As the first step of a move does it; the node has not heard of the move.
await runStatements(sandbox.ownerUrl ?? "", [
  `insert into moved_accounts (account_no, cell, moving_to, act_id, number, version) values ('${payer}', 0, 1, '${newId()}', 1, 1)`,
  `select leave_account('${payer}', 1, 1)`,
  `delete from moved_accounts where account_no = '${payer}'`,
]);

const asked = {
  partnerReferenceNo: newNumber(),
  bankCode: "999",
  sourceAccountNo: payer,
  sourceAccountName: "A payer",
  beneficiaryAccountNo: ofHome,
  beneficiaryAccountName: "Siti",
  expiredDatetime: formatTimestamp(Date.now() + 86_400_000),
  amount: idr("10.00"),
};

const atAnotherBank = () => ({
  ...asked,
  partnerReferenceNo: newNumber(),
  bankCode: "014",
  sourceAccountNo: ofHome,
  beneficiaryAccountNo: payer,
});

test("nothing is taken of a call that names it", async () => {
  const answers = [
    [await alpha.call(transferPath, transferBody({ from: payer, to: ofHome })), "5031700"],
    [await alpha.call(transferPath, transferBody({ from: ofHome, to: payer })), "5031700"],
    [await alpha.call(transferPath, transferBody({ from: ofCell, to: payer })), "5031700"],
    [await alpha.call(interbank.path, railBody(interbank, payer)), "5031800"],
    [await alpha.call(paymentRequestPath, asked), "5031900"],
    [await alpha.call(bulkPath, bulkBody(payer, [bulkItem()])), "5032000"],
    [
      await alpha.call(paths.payment, paymentBody(merchantId, { additionalInfo: { sourceAccountNo: payer } })),
      "5036300",
    ],
    [await alpha.call(inquiryPath, { partnerReferenceNo: newNumber(), beneficiaryAccountNo: payer }), "5031500"],
  ] as const;
  for (const [answer, code] of answers) expectCode(answer, code);
  // Nor is it recorded: the same number may be sent again.
  const body = transferBody({ from: payer, to: ofHome });
  const externalId = newId();
  for (let times = 0; times < 2; times += 1)
    expectCode(await alpha.call(transferPath, body, { externalId }), "5031700");
});

test("a request to be paid on an account at another bank is taken, though its number is that of the account", async () => {
  expectCode(await alpha.call(paymentRequestPath, atAnotherBank()), "2001900");
});

test("operators change nothing of it", async () => {
  await assert.rejects(control.change(payer, { status: "dormant" }), /409 .*"accountMoved"/);
  const reference = newNumber();
  await assert.rejects(control.call("POST", `accounts/${payer}/fund`, { amount: "1.00", reference }), /"accountMoved"/);
  const merchant = { name: "A shop", settlementAccountNo: payer };
  await assert.rejects(control.call("PUT", "partners/alpha/merchants/shop-9", merchant), /in another cell/);
});

test("a repeat is told as ever, and a refund is credited and goes on", async () => {
  expectCode(await alpha.call(transferPath, before.body, { externalId: before.externalId }), "4091700");
  expectCode(await alpha.call(transferPath, before.body), "4091701");
  expectCode(await refund(alpha, payment), "2006900");
  // The rest is on its way to the other cell, as the refund is.
  await eventually(async () => (await control.account(payer)).ledgerBalance === "0.00");
  await assert.doesNotReject(control.audit());
});

test("a call whose payer is in a cell that the partner has not is rejected, whatever accounts it names", async () => {
  const sent = transferBody({ from: "560000000001", to: payer });
  expectCode(await alpha.call(transferPath, sent), "5031700");
  await runStatements(sandbox.ownerUrl ?? "", [
    `select add_cell(2, '[{"from":"560000000000","to":"569999999999"}]', '${newId()}')`,
  ]);
  await eventually(async () => (await alpha.call(transferPath, sent)).code === "4031715");
  expectCode(await alpha.call(paymentRequestPath, { ...asked, sourceAccountNo: "560000000001" }), "4041911");
});

// Calls that touched a payment of a cell are kept in home, and shown for it.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { ControlAnswers } from "../../packages/control/src/types.ts";
import { eventually } from "../support/black-box/answers.ts";
import { newNumber } from "../support/black-box/caller.ts";
import { paths } from "../support/black-box/payments/hold-bodies.ts";
import { capture, hold, refund } from "../support/black-box/payments/holds.ts";
import { expectCode, idr, statusPath, transferBody, transferPath } from "../support/black-box/transfers.ts";
import { startSplitPartner } from "./split-partner.ts";

const { sandbox, control, alpha, ofCell, ofHome, merchantId } = await startSplitPartner();
after(() => sandbox[Symbol.asyncDispose]());

/** Once there are so many, and each has its correlation id. */
async function callsOf(referenceNo: string, count: number) {
  const path = `timeline/${referenceNo}/calls`;
  return eventually(async () => {
    const { calls } = await control.call<ControlAnswers["GET /timeline/{referenceNo}/calls"]>("GET", path);
    return calls.length === count && calls.every(({ correlationId }) => correlationId !== undefined) && calls;
  });
}
const textOf = ({ serviceCode, outcome }: { readonly serviceCode: string; readonly outcome: string }) =>
  `${serviceCode} ${outcome}`;

test("a transfer of a cell has the calls before, of and behind it, and each leads to it", async () => {
  const partnerReferenceNo = newNumber();
  const bodyOf = (value: string) => transferBody({ from: ofCell, to: ofHome, value, partnerReferenceNo });
  expectCode(await alpha.call(transferPath, bodyOf("9999999999999.00")), "4031714");
  const made = await alpha.call(transferPath, bodyOf("10.00"));
  expectCode(made, "2001700");
  expectCode(await alpha.call(transferPath, bodyOf("10.00")), "4091701");
  const asked = { serviceCode: "17", originalPartnerReferenceNo: partnerReferenceNo };
  expectCode(await alpha.call(statusPath, asked), "2003600");
  const referenceNo = String(made.body["referenceNo"]);
  const calls = await callsOf(referenceNo, 4);
  assert.deepEqual(calls.map(textOf), ["17 rejected", "17 accepted", "17 repeat", "36 inquiry"]);
  assert.match(calls[0]?.body ?? "", /9999999999999\.00/);
  const id = calls[1]?.correlationId ?? "";
  const kept = await control.call<ControlAnswers["GET /calls/{id}/kept"]>("GET", `calls/${id}/kept`);
  assert.equal(kept.referenceNo, referenceNo);
  const { matches } = await control.call<ControlAnswers["GET /search"]>("GET", `search?number=${id}`);
  assert.deepEqual(
    matches.map(({ kind, partnerId, referenceNo: found }) => [kind, partnerId, found]),
    [
      ["transfer", "alpha", referenceNo],
      ["call", "alpha", undefined],
    ],
  );
});

test("changes of a payment of a cell, and inquiries, are calls on it", async () => {
  const payment = await hold(alpha, merchantId, {
    amount: idr("700.00"),
    additionalInfo: { sourceAccountNo: ofCell },
  });
  expectCode(await capture(alpha, payment), "2006500");
  expectCode(await refund(alpha, payment), "2006900");
  const asked = { originalPartnerReferenceNo: payment.partnerReferenceNo, merchantId };
  expectCode(await alpha.call(paths.query, asked), "2006400");
  const calls = await callsOf(payment.referenceNo, 4);
  assert.deepEqual(calls.map(textOf), ["63 accepted", "65 accepted", "69 accepted", "64 inquiry"]);
  assert.ok(calls[1]?.canBeSentAgain);
});

/** A payer and one payment request in every state, for tests that look at what is kept of them. */
import assert from "node:assert/strict";
import { formatTimestamp, operations } from "@titian/contract";
import { openAccount } from "../../packages/server/src/admin/accounts/open-account.ts";
import { onboardPartner } from "../../packages/server/src/admin/partners/partners.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import { handleRequestForPayment } from "../../packages/server/src/operations/transfers/request-for-payment.ts";
import {
  approvePaymentRequest,
  declinePaymentRequest,
} from "../../packages/server/src/rails/commands/answer-payment-request.ts";
import { callOf, type TestNode, writeDepsOf } from "./administration.ts";
import { valueOf } from "./expect.ts";
import { newPartner } from "./partners.ts";

export interface PaymentRequestFixture {
  readonly partnerId: string;
  /** referenceNo of each. */
  readonly waiting: string;
  readonly declined: string;
  readonly own: string;
  readonly rail: string;
}

/**
 * The payer 4001 has 1,000,000.00. Of 10.00 to 4002 one request waits, one is declined, one (`own`) approved; an open one
 * over the rail is approved with 30.00, and submitted by nobody. Their partner's numbers are WAITING, DECLINED, OWN, RAIL.
 */
export async function requestAndAnswer(node: TestNode): Promise<PaymentRequestFixture> {
  const { key, partnerId } = valueOf(await onboardPartner(node, newPartner()));
  const partner = node.reference.byPartnerId(partnerId) ?? assert.fail();
  for (const accountNo of ["4001", "4002"]) {
    const terms = { name: "Siti", currency: "IDR", type: "S", partners: [key], accountNo } as const;
    valueOf(await openAccount(node, { ...terms, balance: minor(100_000_000n) }));
  }
  const send = async (partnerReferenceNo: string, isOwn = true): Promise<string> => {
    const request = {
      partnerReferenceNo,
      bankCode: isOwn ? "999" : "014",
      beneficiaryAccountNo: isOwn ? "4002" : "7001001001",
      beneficiaryAccountName: "Siti",
      expiredDatetime: formatTimestamp(node.clock.now() + 30 * 86_400_000),
      sourceAccountNo: "4001",
      sourceAccountName: "Siti",
      ...(isOwn && { amount: { value: "10.00", currency: "IDR" } }),
    };
    const call = callOf(node, partner, { operation: operations.requestForPayment, request });
    return String((await handleRequestForPayment(writeDepsOf(node))(call)).fields?.["referenceNo"]);
  };
  const waiting = await send("WAITING");
  const [declined, own, rail] = [await send("DECLINED"), await send("OWN"), await send("RAIL", false)];
  const answers = [
    await declinePaymentRequest(node, declined, "operator"),
    await approvePaymentRequest(node, own, { by: "payer" }),
    await approvePaymentRequest(node, rail, { amount: minor(3_000n), by: "payer" }),
  ];
  assert.deepEqual(answers, [{ kind: "recorded" }, { kind: "recorded" }, { kind: "recorded" }]);
  return { partnerId, waiting, declined, own, rail };
}

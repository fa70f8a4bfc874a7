/** A small ledger with every kind of hold on it, for tests that look at what the audit makes of it. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { operations } from "@titian/contract";
import { openAccount } from "../../src/admin/accounts.ts";
import { registerMerchant } from "../../src/admin/merchants.ts";
import { onboardPartner } from "../../src/admin/partners.ts";
import type { Handler, Reply } from "../../src/call.ts";
import { createExpireHolds } from "../../src/duties/expire-holds.ts";
import { minor } from "../../src/ledger/money.ts";
import { handleAuthCapture } from "../../src/operations/auth-capture.ts";
import { handleAuthPayment } from "../../src/operations/auth-payment.ts";
import { handleAuthRefund } from "../../src/operations/auth-refund.ts";
import { handleAuthVoid } from "../../src/operations/auth-void.ts";
import { type WriteDeps } from "../../src/operations/write.ts";
import { callOf, startNode, writeDepsOf } from "./administration.ts";
import { useDatabase } from "./database.ts";
import { valueOf } from "./expect.ts";
import { newPartner } from "./partners.ts";

export interface HoldScene extends AsyncDisposable {
  readonly url: string;
}

const handlers = {
  authPayment: handleAuthPayment,
  authCapture: handleAuthCapture,
  authVoid: handleAuthVoid,
  authRefund: handleAuthRefund,
} satisfies Record<string, (deps: WriteDeps) => Handler>;

const idr = (value: string) => ({ value, currency: "IDR" });

/**
 * The payer 2001 has 1,000.00, the merchant's account is 2002. One hold of 100.00 is open with 10.00 and 20.00 captured,
 * 5.00 voided and 15.00 refunded over both captures; one lapsed; one ended with a last capture; one was refused.
 */
export async function createHoldScene(): Promise<HoldScene> {
  const database = await useDatabase();
  const node = await startNode(database.url);
  const { key, partnerId } = valueOf(await onboardPartner(node, newPartner()));
  const terms = { name: "Siti", currency: "IDR", type: "S", partners: [key] } as const;
  valueOf(await openAccount(node, { ...terms, accountNo: "2001", balance: minor(100_000n) }));
  valueOf(await openAccount(node, { ...terms, accountNo: "2002", balance: minor(0n) }));
  const shop = { partnerId, merchantId: "SHOP", name: "Shop", settlementAccountNo: "2002", payerAccountNo: "2001" };
  valueOf(await registerMerchant(node, shop));
  const partner = node.reference.byPartnerId(partnerId) ?? assert.fail();

  const send = async (name: keyof typeof handlers, fields: object): Promise<Reply> => {
    const request = { merchantId: "SHOP", title: "Stay", ...fields };
    return handlers[name](writeDepsOf(node))(callOf(node, partner, { operation: operations[name], request }));
  };
  const done = async (name: keyof typeof handlers, fields: object) => {
    const reply = await send(name, fields);
    assert.equal(reply.case, "success", JSON.stringify(reply));
  };
  const place = async (value: string) => {
    const partnerReferenceNo = randomUUID();
    const { fields } = await send("authPayment", { partnerReferenceNo, amount: idr(value) });
    return { originalReferenceNo: fields?.["referenceNo"], originalPartnerReferenceNo: partnerReferenceNo };
  };
  const capture = (hold: object, value: string, more: object = {}) =>
    done("authCapture", { ...hold, partnerCaptureNo: randomUUID(), captureAmount: idr(value), ...more });

  const lapsed = await place("50.00");
  await capture(lapsed, "5.00");
  node.clock.setOffset(8 * 86_400_000);
  await createExpireHolds(node).run(Infinity);
  const open = await place("100.00");
  await capture(open, "10.00");
  await capture(open, "20.00");
  await done("authVoid", { ...open, partnerVoidNo: randomUUID(), voidAmount: idr("5.00") });
  await done("authRefund", { ...open, partnerRefundNo: randomUUID(), refundAmount: idr("15.00") });
  const ended = await place("30.00");
  await capture(ended, "25.00", { lastCapture: "true" });
  const refused = await send("authPayment", { partnerReferenceNo: randomUUID(), amount: idr("9000.00") });
  assert.equal(refused.case, "insufficientFunds");
  await node.close();
  return { url: database.url, [Symbol.asyncDispose]: () => database.drop() };
}

/** Calls about holds as the edge hands them to the operations, on a node of a test. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { operations } from "@titian/contract";
import { openAccount } from "../../packages/server/src/admin/accounts/open-account.ts";
import { registerMerchant } from "../../packages/server/src/admin/merchants/merchants.ts";
import { onboardPartner } from "../../packages/server/src/admin/partners/partners.ts";
import type { Handler, PartnerCredentials, Reply } from "../../packages/server/src/interfaces/call.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import { handleAuthCapture } from "../../packages/server/src/operations/holds/auth-capture.ts";
import { handleAuthPayment } from "../../packages/server/src/operations/holds/auth-payment.ts";
import { handleAuthRefund } from "../../packages/server/src/operations/holds/auth-refund.ts";
import { handleAuthVoid } from "../../packages/server/src/operations/holds/auth-void.ts";
import type { WriteDeps } from "../../packages/server/src/operations/write.ts";
import { callOf, type TestNode, writeDepsOf } from "./administration.ts";
import { valueOf } from "./expect.ts";
import { newPartner } from "./partners.ts";

const handlers = {
  authPayment: handleAuthPayment,
  authCapture: handleAuthCapture,
  authVoid: handleAuthVoid,
  authRefund: handleAuthRefund,
} satisfies Record<string, (deps: WriteDeps) => Handler>;

type HoldOperation = keyof typeof handlers;

/** References by which a call names its hold. */
export interface Named {
  readonly originalReferenceNo: string;
  readonly originalPartnerReferenceNo: string;
}

export interface HoldCalls {
  send(name: HoldOperation, fields: object): Promise<Reply>;
  /** Places a hold that must succeed. */
  place(value: string): Promise<Named>;
  capture(hold: Named, value: string, more?: object): Promise<Reply>;
}

export const idr = (value: string) => ({ value, currency: "IDR" });

/** A partner with one merchant, SHOP, whose money goes to the account 2002 and whose payer is 2001 with 1,000.00. */
export async function openMerchant(node: TestNode): Promise<PartnerCredentials> {
  const { key, partnerId } = valueOf(await onboardPartner(node, newPartner()));
  const terms = { name: "Siti", currency: "IDR", type: "S", partners: [key] } as const;
  valueOf(await openAccount(node, { ...terms, accountNo: "2001", balance: minor(100_000n) }));
  valueOf(await openAccount(node, { ...terms, accountNo: "2002", balance: minor(0n) }));
  const merchant = { partnerId, merchantId: "SHOP", name: "Shop", settlementAccountNo: "2002", payerAccountNo: "2001" };
  valueOf(await registerMerchant(node, merchant));
  return node.reference.byPartnerId(partnerId) ?? assert.fail();
}

export function holdCalls(node: TestNode, partner: PartnerCredentials): HoldCalls {
  const send: HoldCalls["send"] = (name, fields) => {
    const request = { merchantId: "SHOP", title: "Stay", ...fields };
    return handlers[name](writeDepsOf(node))(callOf(node, partner, { operation: operations[name], request }));
  };
  return {
    send,
    place: async (value) => {
      const partnerReferenceNo = randomUUID();
      const { fields } = await send("authPayment", { partnerReferenceNo, amount: idr(value) });
      const referenceNo = fields?.["referenceNo"];
      assert.ok(typeof referenceNo === "string");
      return { originalReferenceNo: referenceNo, originalPartnerReferenceNo: partnerReferenceNo };
    },
    capture: (hold, value, more = {}) =>
      send("authCapture", { ...hold, partnerCaptureNo: randomUUID(), captureAmount: idr(value), ...more }),
  };
}

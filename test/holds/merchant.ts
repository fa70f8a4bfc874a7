/** One partner with one merchant: a payer, and the account the merchant is paid to. */
import { randomUUID } from "node:crypto";
import { openAccount } from "../../packages/server/src/admin/accounts.ts";
import { merchantKeyOf, type Reference } from "../../packages/server/src/ledger/reference/reference-data.ts";
import { newId } from "../../packages/server/src/ids.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import { valueOf } from "../support/expect.ts";
import { rails } from "../support/rails.ts";
import type { HoldNode, NodeCall, Request } from "./hold-node.ts";

export interface Shop {
  /** Internal id. */
  readonly partner: string;
  readonly payer: ShopAccount;
  readonly settlement: ShopAccount;
  /** As every node of the test sees it; it can be sent to another process. */
  readonly reference: Reference;
}

interface ShopAccount {
  readonly id: string;
  readonly accountNo: string;
}

export const merchantId = "SHOP";

export function newShop(): Shop {
  const [partner, payer, settlement] = [newId(), newAccount("P"), newAccount("S")];
  const terms = {
    key: newId(),
    partner,
    merchantId,
    status: "active",
    settlementAccount: settlement.id,
    payerAccount: payer.id,
    customerTokenRequired: false,
    holdMs: 7 * 86_400_000,
  } as const;
  const reference: Reference = {
    version: 1,
    partners: new Map(),
    merchants: new Map([[merchantKeyOf(partner, merchantId), terms]]),
    idempotencyWindowMs: 86_400_000,
    holdEventsMax: 1_000,
    rails,
  };
  return { partner, payer, settlement, reference };
}

function newAccount(letter: string): ShopAccount {
  const id = newId();
  return { id, accountNo: `${letter}${id.slice(-12)}` };
}

/** Opens the payer's account with the given minor units on it, and the merchant's with nothing. */
export async function openShop(node: HoldNode, { partner, payer, settlement }: Shop, balance: bigint): Promise<void> {
  const terms = { name: "Holder", currency: "IDR", type: "S", partners: [partner] } as const;
  valueOf(await openAccount(node.admin, { ...terms, ...payer, balance: minor(balance) }));
  valueOf(await openAccount(node.admin, { ...terms, ...settlement, balance: minor(0n) }));
}

export const idr = (value: string) => ({ value, currency: "IDR" });

/** What captures, voids and refunds say of a hold. */
export interface Original {
  readonly originalReferenceNo: string;
  readonly originalPartnerReferenceNo: string;
}

const ownNumber = {
  authPayment: "partnerReferenceNo",
  authCapture: "partnerCaptureNo",
  authVoid: "partnerVoidNo",
  authRefund: "partnerRefundNo",
} as const;

/** A call of the shop's with a number of its own. */
export function shopCall({ partner }: Shop, name: keyof typeof ownNumber, fields: object): NodeCall {
  const request: Request = { merchantId, title: "Stay", [ownNumber[name]]: randomUUID(), ...fields };
  return { name, partner, request };
}

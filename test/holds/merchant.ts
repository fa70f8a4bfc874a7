/** A partner with one merchant, a payer, and the account that the merchant is paid to. */
import { homeAlone } from "../../packages/server/src/ledger/reference/directory.ts";
import { randomUUID } from "node:crypto";
import { openAccount } from "../../packages/server/src/admin/accounts/open-account.ts";
import { merchantKeyOf, type Reference } from "../../packages/server/src/ledger/reference/reference-data.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import { valueOf } from "../support/expect.ts";
import { rails } from "../support/rails.ts";
import type { HoldNode, NodeCall, Request } from "./hold-node.ts";
import { writeFields, type WriteName } from "./write-fields.ts";
import { paymentRequestLimits } from "../support/payment-request-limits.ts";

export interface TestMerchant {
  /** Internal id. */
  readonly partner: string;
  readonly payer: MerchantAccount;
  readonly settlement: MerchantAccount;
  /** As every node of the test sees it; it can be sent to another process. */
  readonly reference: Reference;
}

interface MerchantAccount {
  readonly id: string;
  readonly accountNo: string;
}

export const merchantId = "HOTEL";

export function newMerchant(): TestMerchant {
  const [partner, payer, settlement] = [newId(), newAccount("P"), newAccount("S")];
  const terms = {
    key: newId(),
    partner,
    merchantId,
    status: "active",
    settlementAccount: settlement.id,
    currency: "IDR",
    payerAccount: payer.id,
    customerTokenRequired: false,
    holdMs: 7 * 86_400_000,
    refundMs: 365 * 86_400_000,
  } as const;
  const reference: Reference = {
    version: 1,
    partners: new Map(),
    closed: new Set(),
    directory: homeAlone,
    merchants: new Map([[merchantKeyOf(partner, merchantId), terms]]),
    idempotencyWindowMs: 86_400_000,
    holdEventsMax: 1_000,
    paymentRequests: paymentRequestLimits,
    rails,
  };
  return { partner, payer, settlement, reference };
}

function newAccount(letter: string): MerchantAccount {
  const id = newId();
  return { id, accountNo: `${letter}${id.slice(-12)}` };
}

/** Opens the payer's account with the given minor units, and the merchant's with nothing. */
export async function openAccounts(node: HoldNode, merchant: TestMerchant, balance: bigint): Promise<void> {
  const terms = { name: "Holder", currency: "IDR", type: "S", partners: [merchant.partner] } as const;
  valueOf(await openAccount(node.admin, { ...terms, ...merchant.payer, balance: minor(balance) }));
  valueOf(await openAccount(node.admin, { ...terms, ...merchant.settlement, balance: minor(0n) }));
}

export const idr = (value: string) => ({ value, currency: "IDR" });

/** References by which captures, voids and refunds name a hold. */
export interface OriginalReferences {
  readonly originalReferenceNo: string;
  readonly originalPartnerReferenceNo: string;
}

/** A call to the merchant, with a partner's number of its own. */
export function merchantCall({ partner }: TestMerchant, name: WriteName, fields: object): NodeCall {
  const request: Request = { merchantId, title: "Stay", [writeFields[name].number]: randomUUID(), ...fields };
  return { name, partner, request };
}

/** Merchants of a partner: settlement account, default payer, default amount of a hold (spec D10). */
import { isDeepStrictEqual } from "node:util";
import { newId } from "../../basics/ids.ts";
import { findMerchant, findPartner, type MerchantRow, type PartnerRow } from "../../store/reference/reference.ts";
import { chooseAccounts } from "./merchant-accounts.ts";
import {
  applyMerchantSettings,
  type MerchantTermsInput,
  rejectMerchantId,
  rejectMerchantTerms,
} from "./merchant-input.ts";
import { type ActWords, proposeChange, repeatWhenChanged } from "../reference/reference-act.ts";
import type { ReferenceDeps } from "../reference/reference-change.ts";
import { AdminError, type AdminResult, done, rejected, rejectUnknownPartner } from "../result.ts";

export interface NewMerchant extends MerchantTermsInput, ActWords {
  /** Internal id (a UUID); absent: a new one. */
  readonly key?: string;
  /** `X-PARTNER-ID` of its partner. */
  readonly partnerId: string;
  /** `merchantId` in calls; two partners' merchants may share one. */
  readonly merchantId: string;
  readonly name: string;
  readonly settlementAccountNo: string;
}

export interface MerchantChange extends MerchantTermsInput, ActWords {
  /** A suspended merchant gets no new payment; what it was promised goes on (spec D6, D9). */
  readonly status?: "active" | "suspended";
}

export function registerMerchant(deps: ReferenceDeps, input: NewMerchant): Promise<AdminResult<MerchantRow>> {
  return repeatWhenChanged(() => registerOnce(deps, input));
}

async function registerOnce(deps: ReferenceDeps, input: NewMerchant): Promise<AdminResult<MerchantRow>> {
  const { partnerId, merchantId, reason } = input;
  const invalid = rejectMerchantId(merchantId) ?? rejectMerchantTerms(input);
  if (invalid) return invalid;
  const { database } = deps;
  const partner = await findPartner(database, partnerId);
  if (!partner) return rejectUnknownPartner();
  const accounts = await chooseAccounts(database, input);
  if (!accounts.ok) return accounts;
  const existing = await findMerchant(database, partner.key, merchantId);
  const wanted: MerchantTerms = {
    name: input.name,
    status: "active",
    settlementAccount: accounts.value.settlement.id,
    payerAccount: accounts.value.payer?.id,
    settings: applyMerchantSettings({}, input),
  };
  if (existing) {
    if (isSame({ ...existing, status: "active" }, wanted)) return done(existing);
    return rejected("merchantExists", "The partner has a merchant with this id, and it differs.", "merchantId");
  }
  const after = { id: input.key ?? newId(), ...termsOf(wanted) };
  return propose(deps, partner, { merchantId, before: undefined, after, reason });
}

/**
 * Changes what is given of a merchant, on every node within 2 s; may be repeated safely. Payments authorized before
 * keep the accounts, the amount and the time they were given: no money moves, and none is promised to anybody else.
 */
export async function changeMerchant(
  deps: ReferenceDeps,
  partnerId: string,
  merchantId: string,
  terms: MerchantChange,
): Promise<AdminResult<MerchantRow, "unknownMerchant">> {
  return rejectMerchantTerms(terms) ?? repeatWhenChanged(() => changeFound(deps, partnerId, merchantId, terms));
}

async function changeFound(
  deps: ReferenceDeps,
  partnerId: string,
  merchantId: string,
  terms: MerchantChange,
): Promise<AdminResult<MerchantRow, "unknownMerchant">> {
  const { database } = deps;
  const partner = await findPartner(database, partnerId);
  if (!partner) return rejectUnknownPartner();
  const merchant = await findMerchant(database, partner.key, merchantId);
  if (!merchant) return unknownMerchant;
  const accounts = await chooseAccounts(database, terms, merchant);
  if (!accounts.ok) return accounts;
  const changed: MerchantTerms = {
    name: terms.name ?? merchant.name,
    status: terms.status ?? merchant.status,
    settlementAccount: accounts.value.settlement.id,
    payerAccount: accounts.value.payer?.id,
    settings: applyMerchantSettings(merchant.settings, terms),
  };
  if (isSame(merchant, changed)) return done(merchant);
  const [before, after] = [termsOf(merchant), termsOf(changed)];
  return propose(deps, partner, { merchantId, before, after, reason: terms.reason });
}

interface Proposed extends ActWords {
  readonly merchantId: string;
  readonly before: object | undefined;
  readonly after: object;
}

function propose(
  deps: ReferenceDeps,
  { partnerId: target, key }: PartnerRow,
  { merchantId, ...proposed }: Proposed,
): Promise<AdminResult<MerchantRow>> {
  return proposeChange(deps, { kind: "merchant", target, reference: merchantId, ...proposed }, async () => {
    const merchant = await findMerchant(deps.database, key, merchantId);
    if (!merchant) throw new AdminError(`Merchant ${merchantId} was just written and is not found.`);
    return merchant;
  });
}

type MerchantTerms = Omit<MerchantRow, "key" | "partner" | "merchantId">;

/** Terms of a merchant as an act has them (`merchant_terms` of 0040-reference-acts.sql). */
function termsOf({ name, status, settlementAccount, payerAccount, settings }: MerchantTerms) {
  return { name, status, settlementAccount, payerAccount: payerAccount ?? null, settings };
}

const unknownMerchant = {
  ok: false,
  rejection: { kind: "unknownMerchant", message: "The partner has no such merchant.", field: "merchantId" },
} as const;

function isSame(a: MerchantTerms, b: MerchantTerms): boolean {
  return isDeepStrictEqual(termsOf(a), termsOf(b));
}

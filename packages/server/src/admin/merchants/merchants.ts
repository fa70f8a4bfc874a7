/** Merchants of a partner: settlement account, default payer, default amount of a hold (spec D10). */
import { newId } from "../../basics/ids.ts";
import { findMerchant, type MerchantRow } from "../../store/reference/reference.ts";
import { writeMerchant } from "../../store/reference/reference-changes.ts";
import { chooseAccounts } from "./merchant-accounts.ts";
import {
  applyMerchantSettings,
  type MerchantTermsInput,
  rejectMerchantId,
  rejectMerchantTerms,
} from "./merchant-input.ts";
import { changeExisting, type ReferenceDeps } from "../reference/reference-change.ts";
import { type AdminResult, done, rejected } from "../result.ts";

export interface NewMerchant extends MerchantTermsInput {
  /** Internal id (a UUID); absent: a new one. */
  readonly key?: string;
  /** `X-PARTNER-ID` of its partner. */
  readonly partnerId: string;
  /** `merchantId` in calls; two partners' merchants may share one. */
  readonly merchantId: string;
  readonly name: string;
  readonly settlementAccountNo: string;
}

export interface MerchantChange extends MerchantTermsInput {
  /** A suspended merchant gets no new payment; what it was promised goes on (spec D6, D9). */
  readonly status?: "active" | "suspended";
}

export function registerMerchant(deps: ReferenceDeps, input: NewMerchant): Promise<AdminResult<MerchantRow>> {
  const invalid = rejectMerchantId(input.merchantId) ?? rejectMerchantTerms(input);
  if (invalid) return Promise.resolve(invalid);
  return changeExisting<MerchantRow>(deps, input.partnerId, async (client, partner, stamp) => {
    const accounts = await chooseAccounts(client, input);
    if (!accounts.ok) return accounts;
    const existing = await findMerchant(client, partner.key, input.merchantId);
    const wanted: MerchantRow = {
      key: existing?.key ?? input.key ?? newId(),
      partner: partner.key,
      merchantId: input.merchantId,
      name: input.name,
      status: "active",
      settlementAccount: accounts.value.settlement.id,
      payerAccount: accounts.value.payer?.id,
      settings: applyMerchantSettings({}, input),
    };
    if (existing) {
      if (isSame(existing, wanted)) return done(existing);
      return rejected("merchantExists", "The partner has a merchant with this id, and it differs.", "merchantId");
    }
    await writeMerchant(client, wanted, stamp);
    return done(wanted);
  });
}

/**
 * Changes what is given of a merchant, on every node within 2 s; may be repeated safely. Payments authorized before
 * keep the accounts, the amount and the time they were given: no money moves, and none is promised to anybody else.
 */
export function changeMerchant(
  deps: ReferenceDeps,
  partnerId: string,
  merchantId: string,
  terms: MerchantChange,
): Promise<AdminResult<MerchantRow, "unknownMerchant">> {
  const invalid = rejectMerchantTerms(terms);
  if (invalid) return Promise.resolve(invalid);
  return changeExisting<MerchantRow, "unknownMerchant">(deps, partnerId, async (client, partner, stamp) => {
    const merchant = await findMerchant(client, partner.key, merchantId);
    if (!merchant) return unknownMerchant;
    const accounts = await chooseAccounts(client, terms, merchant);
    if (!accounts.ok) return accounts;
    const changed: MerchantRow = {
      ...merchant,
      name: terms.name ?? merchant.name,
      status: terms.status ?? merchant.status,
      settlementAccount: accounts.value.settlement.id,
      payerAccount: accounts.value.payer?.id,
      settings: applyMerchantSettings(merchant.settings, terms),
    };
    await writeMerchant(client, changed, stamp);
    return done(changed);
  });
}

const unknownMerchant = {
  ok: false,
  rejection: { kind: "unknownMerchant", message: "The partner has no such merchant.", field: "merchantId" },
} as const;

function isSame(a: MerchantRow, b: MerchantRow): boolean {
  const terms = ({ name, settlementAccount, payerAccount, settings }: MerchantRow) =>
    JSON.stringify([name, settlementAccount, payerAccount, settings]);
  return terms(a) === terms(b);
}

/** Merchants of a partner: settlement account, default payer, default amount of a hold (spec D10). */
import { isDeepStrictEqual } from "node:util";
import { newId } from "../../basics/ids.ts";
import {
  findMerchant,
  findPartnerTerms,
  type MerchantRow,
  type PartnerTermsRow,
} from "../../store/reference/reference.ts";
import { chooseAccounts } from "./merchant-accounts.ts";
import {
  applyMerchantSettings,
  type MerchantTermsInput,
  rejectMerchantId,
  rejectMerchantTerms,
} from "./merchant-input.ts";
import {
  type ActWords,
  type AtOnceNote,
  findAtOnceNote,
  proposeChange,
  repeatWhenChanged,
} from "../reference/reference-act.ts";
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

export interface MerchantChange extends MerchantTermsInput, ActWords {}

export function registerMerchant(deps: ReferenceDeps, input: NewMerchant): Promise<AdminResult<MerchantRow>> {
  return repeatWhenChanged(() => registerOnce(deps, input));
}

async function registerOnce(deps: ReferenceDeps, input: NewMerchant): Promise<AdminResult<MerchantRow>> {
  const { partnerId, merchantId, reason, ticket } = input;
  const invalid = rejectMerchantId(merchantId) ?? rejectMerchantTerms(input);
  if (invalid) return invalid;
  const { database } = deps;
  const partner = await findPartnerTerms(database, partnerId);
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
  return propose(deps, partner, { merchantId, before: undefined, after, reason, ticket });
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
): Promise<AdminResult<MerchantRow>> {
  return rejectMerchantTerms(terms) ?? repeatWhenChanged(() => changeFound(deps, partnerId, merchantId, terms));
}

async function changeFound(
  deps: ReferenceDeps,
  partnerId: string,
  merchantId: string,
  terms: MerchantChange,
): Promise<AdminResult<MerchantRow>> {
  const { database } = deps;
  const found = await findOfPartner(database, partnerId, merchantId);
  if (!found.ok) return found;
  const { partner, merchant } = found.value;
  const accounts = await chooseAccounts(database, terms, merchant);
  if (!accounts.ok) return accounts;
  const changed: MerchantTerms = {
    name: terms.name ?? merchant.name,
    status: merchant.status,
    settlementAccount: accounts.value.settlement.id,
    payerAccount: accounts.value.payer?.id,
    settings: applyMerchantSettings(merchant.settings, terms),
  };
  if (isSame(merchant, changed)) return done(merchant);
  const { reason, ticket } = terms;
  return propose(deps, partner, { merchantId, before: termsOf(merchant), after: termsOf(changed), reason, ticket });
}

const statusActs = {
  active: { kind: "merchantResumption", isAtOnce: false },
  suspended: { kind: "merchantSuspension", isAtOnce: true },
} as const;

/** `note`: about a suspension. */
export interface MerchantWithNote extends AtOnceNote {
  readonly merchant: MerchantRow;
}

/**
 * A suspended merchant gets no new payment within 2 s, on every node; what it was promised goes on (spec D6, D9). That is done at
 * once, and approved later; its end waits for approval.
 */
export async function setMerchantStatus(
  deps: ReferenceDeps,
  { partnerId, merchantId, status, ...words }: MerchantOrder,
): Promise<AdminResult<MerchantWithNote>> {
  const found = await findOfPartner(deps.database, partnerId, merchantId);
  if (!found.ok) return found;
  const { merchant, partner } = found.value;
  const of = { ...statusActs[status], target: partnerId, reference: merchantId };
  if (merchant.status === status) return done({ merchant, ...(await findAtOnceNote(deps.database, of)) });
  const states = { before: { status: merchant.status }, after: { status } };
  const act = { ...of, ...states, ...words };
  return proposeChange(deps, act, async (note, actId) => ({
    merchant: await readWritten(deps, partner.key, merchantId),
    note,
    actId,
  }));
}

interface MerchantOrder extends ActWords {
  readonly partnerId: string;
  readonly merchantId: string;
  readonly status: "active" | "suspended";
}

interface MerchantOfPartner {
  readonly partner: PartnerTermsRow;
  readonly merchant: MerchantRow;
}

async function findOfPartner(
  database: ReferenceDeps["database"],
  partnerId: string,
  merchantId: string,
): Promise<AdminResult<MerchantOfPartner>> {
  const partner = await findPartnerTerms(database, partnerId);
  if (!partner) return rejectUnknownPartner();
  const merchant = await findMerchant(database, partner.key, merchantId);
  return merchant ? done({ partner, merchant }) : rejectUnknownMerchant();
}

interface Proposed extends ActWords {
  readonly merchantId: string;
  readonly before: object | undefined;
  readonly after: object;
}

function propose(
  deps: ReferenceDeps,
  { partnerId: target, key }: PartnerTermsRow,
  { merchantId, ...proposed }: Proposed,
): Promise<AdminResult<MerchantRow>> {
  return proposeChange(deps, { kind: "merchant", target, reference: merchantId, ...proposed }, () =>
    readWritten(deps, key, merchantId),
  );
}

async function readWritten({ database }: ReferenceDeps, partner: string, merchantId: string): Promise<MerchantRow> {
  const merchant = await findMerchant(database, partner, merchantId);
  if (!merchant) throw new AdminError(`Merchant ${merchantId} was just written and is not found.`);
  return merchant;
}

type MerchantTerms = Omit<MerchantRow, "key" | "partner" | "merchantId" | "currency">;

/** Terms of a merchant as an act has them (`merchant_terms` of 0040-reference-acts.sql). */
function termsOf({ name, status, settlementAccount, payerAccount, settings }: MerchantTerms) {
  return { name, status, settlementAccount, payerAccount: payerAccount ?? null, settings };
}

function rejectUnknownMerchant() {
  return rejected("unknownMerchant", "The partner has no such merchant.", "merchantId");
}

function isSame(a: MerchantTerms, b: MerchantTerms): boolean {
  return isDeepStrictEqual(termsOf(a), termsOf(b));
}

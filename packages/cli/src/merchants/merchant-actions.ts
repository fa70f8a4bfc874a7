/** Actions of `titian merchant`. */
import { usageError } from "../cli-error.ts";
import { readDuration } from "../options/duration.ts";
import { withCalls } from "../control/with-calls.ts";
import type { ActFlags } from "../options/act-options.ts";
import { formatJson, note, print } from "../output.ts";
import { pageSizeOf } from "../options/page-size.ts";
import { formatList } from "../tables/totals.ts";
import { formatMerchants } from "./merchant-table.ts";

export interface SettingsFlags extends ActFlags {
  readonly name?: string;
  readonly settlementAccount?: string;
  /** false: `--no-payer-account`. */
  readonly payerAccount?: string | false;
  /** false: `--no-default-hold`. */
  readonly defaultHold?: string | false;
  readonly holdFor?: string;
  readonly refundDays?: string;
  readonly customerToken?: "required" | "optional";
}

export interface OfPartner {
  readonly partner: string;
}

export type ListFlags = Partial<OfPartner> & {
  readonly limit: string;
  readonly after?: string;
  readonly json?: true;
};

export type AddFlags = OfPartner & SettingsFlags & { readonly name: string; readonly settlementAccount: string };

export async function list({ partner, after, limit, json }: ListFlags): Promise<void> {
  if (after !== undefined && partner === undefined)
    throw usageError("--after needs --partner, because merchant ids are unique per partner.");
  const query = { partnerId: partner, after, limit: pageSizeOf(limit) };
  const answer = await withCalls((call) => call("GET /merchants", { query }));
  const { merchants, next } = answer;
  if (json) return print(formatList(answer, merchants));
  print(formatMerchants(merchants));
  if (next !== null) note(`\nMore: titian merchant list --partner ${merchants.at(-1)?.partnerId} --after ${next}`);
}

export async function show(merchantId: string, { partner, json }: OfPartner & { readonly json?: true }): Promise<void> {
  const params = { partnerId: partner, merchantId };
  const merchant = await withCalls((call) => call("GET /partners/{partnerId}/merchants/{merchantId}", { params }));
  if (json) return print(formatJson(merchant));
  print(formatMerchants([merchant]));
  const { openAct } = merchant;
  if (openAct !== undefined) note(`\nWaits for approval: ${openAct.does}: titian act show ${openAct.actId}`);
}

export async function add(merchantId: string, { partner, ...flags }: AddFlags): Promise<void> {
  const { name, settlementAccount: settlementAccountNo } = flags;
  const params = { partnerId: partner, merchantId };
  const body = { name, settlementAccountNo, ...readSettings(flags) };
  await withCalls((call) => call("PUT /partners/{partnerId}/merchants/{merchantId}", { params, body }));
}

export async function change(partner: string, merchantId: string, flags: SettingsFlags): Promise<void> {
  const { name, settlementAccount: settlementAccountNo } = flags;
  const params = { partnerId: partner, merchantId };
  const body = { name, settlementAccountNo, ...readSettings(flags) };
  await withCalls((call) => call("PATCH /partners/{partnerId}/merchants/{merchantId}", { params, body }));
}

export async function setStatus(
  merchantId: string,
  verb: "suspend" | "resume",
  { partner, reason, ticket }: OfPartner & ActFlags,
): Promise<void> {
  const given = { params: { partnerId: partner, merchantId }, body: { reason, ticket } };
  const { status, note: waits } = await withCalls((call) =>
    call(`POST /partners/{partnerId}/merchants/{merchantId}/${verb}`, given),
  );
  print(`${merchantId} of ${partner} is ${status}.`);
  if (waits !== undefined) note(waits);
}

function readSettings(flags: SettingsFlags) {
  const { payerAccount, defaultHold, holdFor, refundDays, customerToken, reason, ticket } = flags;
  return {
    payerAccountNo: payerAccount === false ? null : payerAccount,
    defaultHoldAmount: defaultHold === false ? null : defaultHold,
    holdSeconds: holdFor === undefined ? undefined : readDuration("--hold-for", holdFor),
    refundDays: refundDays === undefined ? undefined : Number(refundDays),
    customerTokenRequired: customerToken === undefined ? undefined : customerToken === "required",
    reason,
    ticket,
  };
}

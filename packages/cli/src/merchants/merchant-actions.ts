/** Actions of `titian merchant`. */
import {
  changeMerchant,
  findAccount,
  findMerchant,
  registerMerchant,
  type Core,
  type MerchantChange,
  type MerchantTermsInput,
} from "@titian/server/admin";
import { CliError, usageError } from "../cli-error.ts";
import { readDuration } from "../options/duration.ts";
import { withCalls } from "../control/with-calls.ts";
import type { ReasonFlags } from "../options/reason.ts";
import { note, print } from "../output.ts";
import { pageSizeOf } from "../options/page-size.ts";
import { readAmount } from "../tables/amounts.ts";
import { formatList } from "../tables/totals.ts";
import { valueOf, withCore } from "../with-core.ts";
import { formatMerchants } from "./merchant-table.ts";

export interface SettingsFlags extends ReasonFlags {
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

export async function add(merchantId: string, { partner, ...flags }: AddFlags): Promise<void> {
  const { name, settlementAccount: settlementAccountNo, reason } = flags;
  await withCore(async (core) => {
    const terms = readSettings(flags, await currencyOf(core, settlementAccountNo));
    valueOf(
      await registerMerchant(depsOf(core), {
        ...terms,
        partnerId: partner,
        merchantId,
        name,
        settlementAccountNo,
        reason,
      }),
    );
  });
}

export async function change(partner: string, merchantId: string, flags: SettingsFlags): Promise<void> {
  const { name, settlementAccount, reason } = flags;
  await withCore(async (core) => {
    const terms: MerchantChange = {
      ...readSettings(flags, await currencyAfter(core, partner, merchantId, settlementAccount)),
      ...(name !== undefined && { name }),
      ...(settlementAccount !== undefined && { settlementAccountNo: settlementAccount }),
      reason,
    };
    valueOf(await changeMerchant(depsOf(core), partner, merchantId, terms));
  });
}

export async function setStatus(
  merchantId: string,
  status: "active" | "suspended",
  { partner, reason }: OfPartner & ReasonFlags,
): Promise<void> {
  await withCore(async (core) => valueOf(await changeMerchant(depsOf(core), partner, merchantId, { status, reason })));
}

function readSettings(flags: SettingsFlags, currency: string) {
  const { payerAccount, defaultHold, holdFor, refundDays, customerToken } = flags;
  return {
    ...(payerAccount !== undefined && { payerAccountNo: payerAccount === false ? null : payerAccount }),
    ...(defaultHold !== undefined && {
      defaultHoldAmount: defaultHold === false ? null : readAmount("--default-hold", defaultHold, currency),
    }),
    ...(holdFor !== undefined && { holdSeconds: readDuration("--hold-for", holdFor) }),
    ...(refundDays !== undefined && { refundDays: Number(refundDays) }),
    ...(customerToken !== undefined && { customerTokenRequired: customerToken === "required" }),
  } satisfies MerchantTermsInput;
}

/** The currency of the given settlement account, else of the current one. */
async function currencyAfter(core: Core, partner: string, merchantId: string, accountNo?: string): Promise<string> {
  if (accountNo !== undefined) return currencyOf(core, accountNo);
  const merchant = await findMerchant(core, partner, merchantId);
  if (merchant === undefined) throw new CliError(`${partner} has no merchant ${merchantId}: titian merchant list`);
  return merchant.currency;
}

async function currencyOf(core: Core, accountNo: string): Promise<string> {
  const account = await findAccount(core, accountNo);
  if (account === undefined) throw new CliError(`There is no account ${accountNo}: titian account list`);
  return account.currency;
}

function depsOf({ adminPool, secrets, clock }: Core) {
  return { database: adminPool, secrets, clock };
}

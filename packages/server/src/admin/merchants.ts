/** Merchants of a partner: where their money goes, who pays where a call does not say, what is held by default (D10). */
import { newId } from "../ids.ts";
import type { Account } from "../ledger/account.ts";
import { type Minor, zero } from "../ledger/money.ts";
import type { StatementClient } from "../store/connect.ts";
import { findAccountByNumber } from "../store/reads/accounts.ts";
import { findMerchant, type MerchantRow, type MerchantSettings } from "../store/reference.ts";
import { writeMerchant } from "../store/reference-changes.ts";
import { changeExisting, type ReferenceDeps } from "./reference-change.ts";
import { type AdminResult, done, refused } from "./result.ts";

export interface NewMerchant {
  /** Internal id (a UUID); absent: a new one. */
  readonly key?: string;
  /** `X-PARTNER-ID` of its partner. */
  readonly partnerId: string;
  /** `merchantId` in calls; two partners' merchants may share one. */
  readonly merchantId: string;
  readonly name: string;
  readonly settlementAccountNo: string;
  readonly payerAccountNo?: string;
  /** Minor units of the settlement account's currency. */
  readonly defaultHoldAmount?: Minor;
  /** Whether its authorized payments need a customer token (decision D2); absent: no. */
  readonly customerTokenRequired?: boolean;
  /** How long a hold lasts where a call does not say (s): a minute to 90 days; absent: 7 days. */
  readonly holdSeconds?: number;
}

const merchantIdShape = /^[!-~]{1,64}$/;
const holdSecondsMin = 60;
const holdSecondsMax = 90 * 24 * 60 * 60;

export function registerMerchant(deps: ReferenceDeps, input: NewMerchant): Promise<AdminResult<MerchantRow>> {
  const invalid = refuseInput(input);
  if (invalid) return Promise.resolve(invalid);
  return changeExisting<MerchantRow>(deps, input.partnerId, async (client, partner, stamp) => {
    const settlement = await findHolder(client, input.settlementAccountNo);
    if (!settlement) return refuseAccount("settlementAccountNo");
    const payer = input.payerAccountNo === undefined ? undefined : await findHolder(client, input.payerAccountNo);
    if (input.payerAccountNo !== undefined && !payer) return refuseAccount("payerAccountNo");
    if (payer && payer.currency !== settlement.currency) {
      return refused("invalidField", "Payer and settlement account have different currencies.", "payerAccountNo");
    }
    const existing = await findMerchant(client, partner.key, input.merchantId);
    const wanted: MerchantRow = {
      key: existing?.key ?? input.key ?? newId(),
      partner: partner.key,
      merchantId: input.merchantId,
      name: input.name,
      status: "active",
      settlementAccount: settlement.id,
      payerAccount: payer?.id,
      settings: settingsOf(input),
    };
    if (existing && !isSame(existing, wanted)) {
      return refused("merchantExists", "The partner has a merchant with this id, and it differs.", "merchantId");
    }
    if (existing) return done(existing);
    await writeMerchant(client, wanted, stamp);
    return done(wanted);
  });
}

function refuseInput({
  merchantId,
  name,
  defaultHoldAmount,
  holdSeconds,
}: NewMerchant): AdminResult<never> | undefined {
  if (!merchantIdShape.test(merchantId)) {
    return refused("invalidField", "A merchant id has 1 to 64 visible ASCII characters.", "merchantId");
  }
  if (!/^\P{Cc}{1,100}$/u.test(name)) {
    return refused("invalidField", "A name has 1 to 100 characters, none of them a control character.", "name");
  }
  if (defaultHoldAmount !== undefined && defaultHoldAmount <= zero) {
    return refused("invalidField", "A default hold amount is more than zero.", "defaultHoldAmount");
  }
  if (holdSeconds !== undefined && !isHoldTime(holdSeconds)) {
    return refused("invalidField", "A hold lasts a whole number of seconds: a minute to 90 days.", "holdSeconds");
  }
  return undefined;
}

function isHoldTime(seconds: number): boolean {
  return Number.isInteger(seconds) && seconds >= holdSecondsMin && seconds <= holdSecondsMax;
}

/** Only what differs from the house's terms is kept, so that saying "no" and saying nothing are the same merchant. */
function settingsOf({ defaultHoldAmount, customerTokenRequired, holdSeconds }: NewMerchant): MerchantSettings {
  return {
    ...(defaultHoldAmount !== undefined && { defaultHoldAmount: defaultHoldAmount.toString() }),
    ...(customerTokenRequired === true && { customerTokenRequired }),
    ...(holdSeconds !== undefined && { holdSeconds }),
  };
}

async function findHolder(client: StatementClient, accountNo: string): Promise<Account | undefined> {
  const account = await findAccountByNumber(client, accountNo);
  return account?.purpose === "customer" && account.status !== "closed" ? account : undefined;
}

function refuseAccount(field: string): AdminResult<never> {
  return refused("unknownAccount", "There is no such account of a holder, or it is closed.", field);
}

function isSame(a: MerchantRow, b: MerchantRow): boolean {
  const terms = ({ name, settlementAccount, payerAccount, settings }: MerchantRow) =>
    JSON.stringify([name, settlementAccount, payerAccount, settings]);
  return terms(a) === terms(b);
}

/** Fills a new sandbox once. Cut short, it goes on where it stopped: every step may run again. */
import { hash } from "node:crypto";
import {
  homeCell,
  onboardPartner,
  openAccount,
  parseMinor,
  readState,
  registerMerchant,
  toUuid,
  type AccountDeps,
  type AdminResult,
  type CarryOutDeps,
  type Minor,
  type PartnerDeps,
  writeState,
} from "@titian/server/admin";
import type { SandboxKeys } from "./keys.ts";
import {
  firstPartner,
  type SeededAccount,
  type SeededPartner,
  seededBeneficiaries,
  seededPartners,
} from "./seed-data.ts";
import { seedRecords } from "./seed-records.ts";

export interface SeedDeps extends AccountDeps, PartnerDeps, CarryOutDeps {
  /** Parts of the cell that the account number belongs to. */
  ofNumber(accountNo: string): AccountDeps;
  /** Numbers of all cells: partners have accounts in each. Absent: home alone. */
  readonly numbersOfCells?: readonly number[];
  readonly keys: SandboxKeys;
  readonly onProgress: (text: string) => void;
}

const seeded = "sandboxSeeded";
const idrScale = 2;

export async function seedSandbox(deps: SeedDeps): Promise<void> {
  if ((await readState(deps.reads, seeded)) === true) return;
  deps.onProgress("Filling the sandbox with partners, accounts and merchants");
  const partners = new Map<SeededPartner, string>();
  for (const partner of seededPartners) partners.set(partner, await seedPartner(deps, partner));
  await Promise.all([
    ...seededPartners.flatMap((partner) => [
      ...partner.sourceAccounts.map((account) => seedAccount(deps, account, [partners.get(partner) as string])),
      ...partner.merchantAccounts.map((account) => seedAccount(deps, account, [])),
    ]),
    ...seededBeneficiaries.map((account) => seedAccount(deps, account, [])),
  ]);
  for (const { partnerId, merchants } of seededPartners) {
    for (const { defaultHoldAmount, ...merchant } of merchants) {
      const hold = defaultHoldAmount === undefined ? {} : { defaultHoldAmount: rupiah(defaultHoldAmount) };
      must(await registerMerchant(deps, { ...merchant, ...hold, partnerId }));
    }
  }
  // Another node may have made some of it, of which this one has not heard yet.
  await deps.refresh?.();
  await seedRecords(deps, firstPartner);
  await writeState(deps.database, seeded, true);
}

/** Returns the partner's internal id. */
async function seedPartner(deps: SeedDeps, partner: SeededPartner): Promise<string> {
  const keys = deps.keys.partners[partner.partnerId];
  if (!keys) throw new Error(`The sandbox's keys hold none of partner ${partner.partnerId}.`);
  const { partnerId, clientKey, name, channelId, signing } = partner;
  const { clientSecret, publicKey } = keys;
  const { numbersOfCells: cells = [homeCell] } = deps;
  const terms = { partnerId, clientKey, name, channelId, signing, rateLimit: null, cells };
  return must(await onboardPartner(deps, { ...terms, secrets: [clientSecret], publicKeys: [publicKey] })).key;
}

async function seedAccount(deps: SeedDeps, account: SeededAccount, partners: readonly string[]): Promise<void> {
  const cell = deps.ofNumber(account.accountNo);
  const id = idOf(account.accountNo, cell.numbers?.cell ?? homeCell);
  must(await openAccount(cell, { ...account, id, currency: "IDR", balance: rupiah(account.balance), partners }));
}

/** The number's, so that a second try finds the first one's account; like every id it ends in its cell, and is not of an old time. */
function idOf(accountNo: string, cell: number): string {
  const digits = hash("sha256", `titian sandbox account ${accountNo}`, "hex");
  return toUuid(`f${digits.slice(1, 30)}${cell.toString(16).padStart(2, "0")}`);
}

export function rupiah(text: string): Minor {
  const amount = parseMinor(text, idrScale);
  if (amount === undefined) throw new Error(`${text} is no amount of rupiah.`);
  return amount;
}

function must<Value>(result: AdminResult<Value>): Value {
  if (result.ok) return result.value;
  throw new Error(
    `The sandbox cannot be filled: ${result.rejection.message} (${result.rejection.field ?? "no field"})`,
  );
}

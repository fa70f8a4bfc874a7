/** What each run has to itself: two partners with their merchants, four payers and two settlement accounts. */
import { type NewAccount, openAccount } from "../../../packages/server/src/admin/accounts.ts";
import { merchantKeyOf, type MerchantTerms } from "../../../packages/server/src/ledger/reference/reference-data.ts";
import { minor } from "../../../packages/server/src/ledger/money.ts";
import { newId } from "../../../packages/server/src/ids.ts";
import { valueOf } from "../../support/expect.ts";
import type { HoldNode } from "../hold-node.ts";
import type { ModelAccount, ModelMerchant, World } from "./naive-world.ts";

const hourMs = 3_600_000;

/** Accounts 0 to 2 pay, 3 is in dollars, 4 and 5 belong to merchants; by which partners (0, 1) they may be named. */
const seeds = [
  { balance: 60n, partners: [0] },
  { balance: 40n, partners: [0, 1] },
  { balance: 30n, partners: [1] },
  { balance: 50n, partners: [0, 1], currency: "USD" },
  { balance: 0n, partners: [0] },
  { balance: 2n, partners: [] },
] as const;

interface MerchantSeed {
  readonly settlement: number;
  readonly payer?: number;
  readonly defaultAmount?: bigint;
  readonly holdMs?: number;
  readonly needsToken?: boolean;
}

const plain: MerchantSeed = { settlement: 4 };
/** By partner. Both call one of theirs SHOP. */
const merchantSeeds: readonly Readonly<Record<string, MerchantSeed>>[] = [
  {
    SHOP: plain,
    PUMP: { settlement: 5, payer: 0, defaultAmount: 5n, holdMs: hourMs },
    HOTEL: { settlement: 4, payer: 1, needsToken: true },
  },
  {
    SHOP: { settlement: 5, payer: 1 },
    PUMP: { settlement: 4, payer: 2, defaultAmount: 3n },
    HOTEL: { settlement: 5, holdMs: 24 * hourMs },
  },
];

export interface RunScene {
  /** Internal ids. */
  readonly partners: readonly [string, string];
  readonly accountNos: readonly string[];
  readonly merchantIds: readonly string[];
  /** As the node is to see them. */
  readonly merchants: Map<string, MerchantTerms>;
  readonly world: World;
}

const weekMs = 7 * 24 * hourMs;

export async function openRunScene(node: HoldNode, changesMax: number): Promise<RunScene> {
  const partners = [newId(), newId()] as const;
  const ids = seeds.map(() => newId());
  const accountNos = ids.map((id, index) => `${"PPPPSS"[index]}${id.slice(-12)}`);
  const named = (list: readonly number[]) => list.map((which) => partners[which] ?? "");
  await Promise.all(
    seeds.map((seed, index) => {
      const { balance, partners: by } = seed;
      const account: NewAccount = {
        id: ids[index] ?? "",
        accountNo: accountNos[index] ?? "",
        name: "Holder",
        currency: "currency" in seed ? seed.currency : "IDR",
        type: "S",
        balance: minor(balance),
        partners: named(by),
      };
      return openAccount(node.admin, account).then(valueOf);
    }),
  );
  const accounts = seeds.map((seed, index): [string, ModelAccount] => [
    accountNos[index] ?? "",
    {
      currency: "currency" in seed ? seed.currency : "IDR",
      partners: named(seed.partners),
      balance: seed.balance,
      status: "active",
      used: [],
    },
  ]);
  return {
    partners,
    accountNos,
    merchantIds: ["SHOP", "PUMP", "HOTEL"],
    merchants: termsOf(partners, ids),
    world: { accounts: new Map(accounts), merchants: modelsOf(partners, accountNos), holds: [], changesMax },
  };
}

function termsOf(partners: readonly string[], accountIds: readonly string[]): Map<string, MerchantTerms> {
  const terms = new Map<string, MerchantTerms>();
  for (const [which, partner] of partners.entries()) {
    for (const [merchantId, seed] of Object.entries(merchantSeeds[which] ?? {})) {
      const { settlement, payer, defaultAmount, holdMs = weekMs, needsToken = false } = seed;
      terms.set(merchantKeyOf(partner, merchantId), {
        key: newId(),
        partner,
        merchantId,
        status: "active",
        settlementAccount: accountIds[settlement] ?? "",
        ...(payer !== undefined && { payerAccount: accountIds[payer] ?? "" }),
        ...(defaultAmount !== undefined && { defaultHoldAmount: minor(defaultAmount) }),
        customerTokenRequired: needsToken,
        holdMs,
      });
    }
  }
  return terms;
}

function modelsOf(partners: readonly string[], accountNos: readonly string[]): Map<string, ModelMerchant> {
  const models = new Map<string, ModelMerchant>();
  for (const [which, partner] of partners.entries()) {
    for (const [merchantId, seed] of Object.entries(merchantSeeds[which] ?? {})) {
      const { settlement, payer, defaultAmount, holdMs = weekMs, needsToken = false } = seed;
      models.set(`${partner}/${merchantId}`, {
        settlement: accountNos[settlement] ?? "",
        ...(payer !== undefined && { payer: accountNos[payer] ?? "" }),
        ...(defaultAmount !== undefined && { defaultAmount }),
        holdMs,
        needsToken,
        isActive: true,
      });
    }
  }
  return models;
}

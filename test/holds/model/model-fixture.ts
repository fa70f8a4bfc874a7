/** The fixture of one run: two partners with their merchants, four payers and two settlement accounts. */
import { openAccount } from "../../../packages/server/src/admin/accounts/open-account.ts";
import { merchantKeyOf, type MerchantTerms } from "../../../packages/server/src/ledger/reference/reference-data.ts";
import { minor } from "../../../packages/server/src/ledger/money.ts";
import { newId } from "../../../packages/server/src/basics/ids.ts";
import { valueOf } from "../../support/expect.ts";
import type { HoldNode } from "../hold-node.ts";
import { type HoldState, type ModelMerchant, newAccount as newModelAccount } from "./hold-state.ts";

const hourMs = 3_600_000;
const weekMs = 7 * 24 * hourMs;

/** Accounts 0 to 2 pay, 3 is in dollars, 4 and 5 belong to merchants; by which partners (0, 1) they may be named. */
const accountSeeds = [
  { balance: 60n, partners: [0], currency: "IDR" },
  { balance: 40n, partners: [0, 1], currency: "IDR" },
  { balance: 30n, partners: [1], currency: "IDR" },
  { balance: 50n, partners: [0, 1], currency: "USD" },
  { balance: 0n, partners: [0], currency: "IDR" },
  { balance: 2n, partners: [], currency: "IDR" },
];

interface MerchantSeed {
  readonly settlement: number;
  readonly payer?: number;
  readonly defaultAmount?: bigint;
  readonly holdMs?: number;
  readonly needsToken?: boolean;
}

const plain: MerchantSeed = { settlement: 4 };
/** By partner: both have merchants of the same ids. */
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

export interface RunFixture {
  /** Internal ids. */
  readonly partners: readonly [string, string];
  readonly accountNos: readonly string[];
  readonly merchantIds: readonly string[];
  /** As the node is to see them. */
  readonly merchants: Map<string, MerchantTerms>;
  readonly state: HoldState;
}

export async function openRunFixture(node: HoldNode, eventsMax: number): Promise<RunFixture> {
  const partners = [newId(), newId()] as const;
  const accounts = accountSeeds.map((seed, index) => {
    const id = newId();
    return {
      ...seed,
      id,
      accountNo: `${"PPPPSS"[index]}${id.slice(-12)}`,
      name: "Holder",
      type: "S" as const,
      balance: minor(seed.balance),
      partners: seed.partners.map((which) => partners[which] ?? ""),
    };
  });
  await Promise.all(accounts.map((account) => openAccount(node.admin, account).then(valueOf)));
  const state: HoldState = {
    accounts: new Map(
      accounts.map(({ accountNo, currency, partners: by, balance }) => {
        return [accountNo, newModelAccount({ currency, partners: by, balance })];
      }),
    ),
    merchants: new Map(),
    holds: [],
    eventsMax,
  };
  const merchants = new Map<string, MerchantTerms>();
  for (const [which, partner] of partners.entries()) {
    for (const [merchantId, seed] of Object.entries(merchantSeeds[which] ?? {})) {
      merchants.set(merchantKeyOf(partner, merchantId), termsOf(seed, partner, merchantId, accounts));
      state.merchants.set(`${partner}/${merchantId}`, modelOf(seed, accounts));
    }
  }
  const accountNos = accounts.map(({ accountNo }) => accountNo);
  return { partners, accountNos, merchantIds: Object.keys(merchantSeeds[0] ?? {}), merchants, state };
}

type Accounts = readonly { readonly id: string; readonly accountNo: string }[];

function termsOf(seed: MerchantSeed, partner: string, merchantId: string, accounts: Accounts): MerchantTerms {
  const { settlement, payer, defaultAmount, holdMs = weekMs, needsToken = false } = seed;
  return {
    key: newId(),
    partner,
    merchantId,
    status: "active",
    settlementAccount: accounts[settlement]?.id ?? "",
    currency: "IDR",
    ...(payer !== undefined && { payerAccount: accounts[payer]?.id ?? "" }),
    ...(defaultAmount !== undefined && { defaultHoldAmount: minor(defaultAmount) }),
    customerTokenRequired: needsToken,
    holdMs,
    refundMs: 365 * 24 * hourMs,
  };
}

function modelOf(seed: MerchantSeed, accounts: Accounts): ModelMerchant {
  const { settlement, payer, holdMs = weekMs, needsToken = false } = seed;
  return {
    ...seed,
    settlement: accounts[settlement]?.accountNo ?? "",
    payer: payer === undefined ? undefined : accounts[payer]?.accountNo,
    holdMs,
    needsToken,
    isActive: true,
  };
}

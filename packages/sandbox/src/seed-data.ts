/** Content of a new sandbox. Numbers are fixed, so that examples and tests may name them; partners share nothing. */
import type { HeldStatus } from "@titian/server/admin";

export interface SeededAccount {
  readonly accountNo: string;
  readonly name: string;
  readonly status: HeldStatus;
  readonly type: "D" | "S";
  /** Decimal text in IDR. */
  readonly balance: string;
}

export interface SeededMerchant {
  readonly merchantId: string;
  readonly name: string;
  readonly settlementAccountNo: string;
  readonly payerAccountNo: string;
  /** Decimal text in IDR. */
  readonly defaultHoldAmount?: string;
}

export interface SeededPartner {
  readonly partnerId: string;
  readonly clientKey: string;
  readonly name: string;
  readonly channelId: string;
  readonly signing: "symmetric" | "asymmetric";
  /** Accounts it may debit; active and well funded ones first. */
  readonly sourceAccounts: readonly SeededAccount[];
  /** Accounts of its merchants and their payers. */
  readonly merchantAccounts: readonly SeededAccount[];
  readonly merchants: readonly SeededMerchant[];
}

const wellFunded = "1000000000000.00";

/** `prefix` is the first four digits of the partner's accounts. */
function partner(
  prefix: string,
  name: string,
  terms: Pick<SeededPartner, "partnerId" | "channelId" | "signing">,
): SeededPartner {
  const account = (
    tail: string,
    holder: string,
    balance: string,
    status: HeldStatus = "active",
    type: "D" | "S" = "S",
  ): SeededAccount => ({ accountNo: `${prefix}${tail}`, name: holder, status, type, balance });
  return {
    ...terms,
    // Some clients know one id and send it as both.
    clientKey: terms.partnerId,
    name,
    sourceAccounts: [
      account("000001", "Siti Rahayu", wellFunded),
      account("000002", "Budi Santoso", wellFunded),
      account("000003", "CV Sumber Makmur", wellFunded, "active", "D"),
      account("000004", "PT Nusantara Jaya", wellFunded, "active", "D"),
      account("000005", "Dewi Lestari (empty)", "0.00"),
      account("000006", "Agus Wijaya (dormant)", wellFunded, "dormant"),
      account("000007", "Rina Kartika (blocked)", wellFunded, "blocked"),
      account("000008", "Joko Susilo (closed)", "0.00", "closed"),
    ],
    merchantAccounts: [
      account("000011", "Hotel Melati", "0.00", "active", "D"),
      account("000012", "Toko Cempaka", "0.00", "active", "D"),
      account("000021", "Putri Anggraini (payer)", wellFunded),
    ],
    merchants: [
      {
        merchantId: `${terms.partnerId}-hotel`,
        name: "Hotel Melati",
        settlementAccountNo: `${prefix}000011`,
        payerAccountNo: `${prefix}000021`,
        defaultHoldAmount: "500000.00",
      },
      {
        merchantId: `${terms.partnerId}-shop`,
        name: "Toko Cempaka",
        settlementAccountNo: `${prefix}000012`,
        payerAccountNo: `${prefix}000021`,
      },
    ],
  };
}

/** The partner of the documented examples, and of the records that a sandbox begins with. */
export const firstPartner: SeededPartner = partner("1001", "Alpha Pay", {
  partnerId: "alpha",
  channelId: "95221",
  signing: "symmetric",
});

export const seededPartners: readonly SeededPartner[] = [
  firstPartner,
  partner("1002", "Beta Pay", { partnerId: "beta", channelId: "95051", signing: "symmetric" }),
  partner("1003", "Gamma Pay", { partnerId: "gamma", channelId: "95231", signing: "asymmetric" }),
];

/** Accounts that no partner may debit. */
export const seededBeneficiaries: readonly SeededAccount[] = [
  { accountNo: "1009000001", name: "Ahmad Fauzi", status: "active", type: "S", balance: wellFunded },
  { accountNo: "1009000002", name: "Maria Simanjuntak", status: "active", type: "S", balance: wellFunded },
  { accountNo: "1009000003", name: "PT Bahari Abadi", status: "active", type: "D", balance: "0.00" },
];

export const seededAccounts: readonly SeededAccount[] = [
  ...seededPartners.flatMap((one) => [...one.sourceAccounts, ...one.merchantAccounts]),
  ...seededBeneficiaries,
];

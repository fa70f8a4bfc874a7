/** Accounts and their entries as answers. */
import { array, choice, integer, object, optional, type Static, string } from "@titian/contract";
import { amount, type postingView, time } from "@titian/server/admin";
import { openAct } from "../acts/act-view.ts";

const account = {
  accountNo: string({ personal: "account" }),
  accountId: string({ description: "ours: calls by accountNo take it too, as where the number is masked" }),
  name: string({ description: "of its holder", personal: "name" }),
  currency: string(),
  status: choice(["active", "dormant", "blocked", "closed", "moved", "arriving"]),
  type: choice(["D", "S"], { description: "D current account, S savings" }),
  ledgerBalance: amount({ description: "credits minus debits" }),
  availableBalance: amount({ description: "the ledger balance minus what is held" }),
};
export const accountView = object(account);
export const changedAccountView = object({
  ...account,
  note: optional(string({ description: "that its blocking is done, and waits for an approval" })),
  actId: optional(string({ description: "of the act that note is about" })),
  cell: optional(integer({ description: "the further cell that has that act; absent: home" })),
});
const accountLimits = object(
  { each: optional(amount()), daily: optional(amount()), dailyCount: optional(integer()) },
  { description: "of one transfer, of a business day, and of how many on that day; absent: none" },
);
export const accountDetailsView = object({
  ...account,
  limits: accountLimits,
  minimumBalance: optional(amount({ description: "what stays available" })),
  partnerIds: array(string(), { description: "partners that may debit it" }),
  openAct,
});
export type AccountDetailsView = Static<typeof accountDetailsView>;
export const ownAccountView = object({
  accountNo: string(),
  purpose: choice(["funding", "suspense", "clearing", "fee", "unclaimed", "restored", "transit", "merchant"]),
  currency: string(),
  ledgerBalance: amount({ description: "credits minus debits" }),
});
export type AccountView = Static<typeof accountView>;

export type PostingView = Static<typeof postingView>;

const entry = {
  referenceNo: string({ description: "of its journal" }),
  kind: string({ description: "of the posting, such as transfer or capture" }),
  direction: choice(["debit", "credit"]),
  amount: amount(),
  balanceAfter: amount(),
  at: time(),
};
export const entryView = object(entry);
export const numberedEntryView = object({ version: integer({ description: "from 1, in its account" }), ...entry });
export type EntryView = Static<typeof entryView>;
export type NumberedEntryView = Static<typeof numberedEntryView>;

export function showEntry<Entry extends { readonly amount: bigint }>(found: Entry) {
  const { amount: moved } = found;
  const direction: EntryView["direction"] = moved < 0n ? "debit" : "credit";
  return { ...found, direction, amount: moved < 0n ? -moved : moved };
}

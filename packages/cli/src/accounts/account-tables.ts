/** Tables of `titian account`. */
import { formatTimestamp } from "@titian/contract";
import type { AccountSummary, EntrySummary } from "@titian/server/admin";
import { showAmount } from "../tables/amounts.ts";
import { formatTable } from "../tables/table.ts";

const accountColumns = {
  accountNo: "account",
  name: "name",
  currency: "currency",
  type: "type",
  status: "status",
  ledger: "ledger balance",
  available: "available balance",
};

export function formatAccounts(accounts: readonly AccountSummary[]): string {
  const rows = accounts.map((account) => ({
    ...account,
    ledger: showAmount(account.ledgerBalance, account.currency),
    available: showAmount(account.availableBalance, account.currency),
  }));
  return formatTable(accountColumns, rows);
}

/** An account on one line: number, holder, and status unless active. Undefined for an unknown account. */
export function describeAccount(account: AccountSummary | undefined): string | undefined {
  if (!account) return undefined;
  const { accountNo, name, status } = account;
  return `${accountNo} ${name}${status === "active" ? "" : `, ${status}`}`;
}

const entryColumns = {
  version: "version",
  at: "time",
  kind: "kind",
  debit: "debit",
  credit: "credit",
  after: "ledger balance",
  referenceNo: "reference no",
};

export function formatEntries(entries: readonly EntrySummary[], currency: string): string {
  const rows = entries.map(({ version, at, kind, amount, balanceAfter, referenceNo }) => ({
    version,
    at: formatTimestamp(at),
    kind,
    debit: amount < 0n ? showAmount(-amount, currency) : "",
    credit: amount > 0n ? showAmount(amount, currency) : "",
    after: showAmount(balanceAfter, currency),
    referenceNo,
  }));
  return formatTable(entryColumns, rows);
}

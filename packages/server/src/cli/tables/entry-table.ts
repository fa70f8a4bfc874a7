/** Entries as `titian account entries` shows them. */
import { formatTimestamp } from "@titian/contract";
import { toReferenceNo } from "../../ids.ts";
import { postingKinds } from "../../ledger/posting.ts";
import type { KeptEntry } from "../../store/reads/entries.ts";
import { showAmount } from "./amounts.ts";
import { formatTable } from "./table.ts";

const columns = {
  version: "version",
  at: "time",
  kind: "kind",
  debit: "debit",
  credit: "credit",
  after: "ledger balance",
  no: "reference no",
};

const kindNames = new Map<number, string>(Object.entries(postingKinds).map(([name, kind]) => [kind, name]));

export function formatEntries(entries: readonly KeptEntry[], currency: string): string {
  const rows = entries.map(({ version, at, kind, amount, balanceAfter, journalId }) => ({
    version,
    at: formatTimestamp(at),
    kind: kindNames.get(kind) ?? String(kind),
    debit: amount < 0n ? showAmount(-amount, currency) : "",
    credit: amount > 0n ? showAmount(amount, currency) : "",
    after: showAmount(balanceAfter, currency),
    no: toReferenceNo(journalId),
  }));
  return formatTable(columns, rows);
}

/** Actions of `titian rails adopt` and `titian rails owed`. */
import { formatTimestamp } from "@titian/contract";
import {
  adoptLines,
  countDifferences,
  listOwedPayments,
  type AdoptionResult,
  type RailName,
} from "@titian/server/admin";
import { type ExitCode, exitCodes, usageError } from "../cli-error.ts";
import { note, print } from "../output.ts";
import { startProgress } from "../progress.ts";
import { showAmount } from "../tables/amounts.ts";
import { amountColumn, formatTable } from "../tables/table.ts";
import { formatList } from "../tables/totals.ts";
import { withCore } from "../with-core.ts";

export interface AdoptFlags {
  readonly all?: true;
  readonly reason: string;
}

const reasonMax = 500;

export async function adopt(rail: RailName, numbers: readonly string[], flags: AdoptFlags): Promise<ExitCode> {
  const reason = flags.reason.trim();
  if (reason === "" || reason.length > reasonMax || /\p{Cc}/u.test(reason))
    throw usageError(`--reason must have 1 to ${reasonMax} characters, none of them a control character.`);
  if (flags.all === numbers.length > 0) throw usageError("Name the numbers, or give --all.");
  const counts = new Map<AdoptionResult["kind"], number>();
  await withCore(async (core) => {
    const progress = startProgress({ what: "lines", done: "looked at" });
    const total = flags.all
      ? (await countDifferences(core.pool)).find((one) => one.rail === rail && one.kind === "ahead")?.count
      : numbers.length;
    let done = 0;
    for await (const result of adoptLines(core, rail, flags.all ? { reason } : { numbers, reason })) {
      done += 1;
      counts.set(result.kind, (counts.get(result.kind) ?? 0) + 1);
      if (!flags.all || result.kind === "refused") print(`${result.referenceNo}: ${describe(result)}`);
      progress.update(done, total ?? 0);
    }
    progress.stop();
  });
  const countOf = (...kinds: readonly AdoptionResult["kind"][]) =>
    kinds.reduce((sum, kind) => sum + (counts.get(kind) ?? 0), 0);
  print(
    `Adopted: ${countOf("debited", "owed", "known", "repeated", "done")}, of them owed: ${countOf("owed")}. Refused: ${countOf("refused")}.`,
  );
  if (countOf("owed") > 0) note(`titian rails owed ${rail} lists what is owed.`);
  return countOf("refused") === 0 ? exitCodes.done : exitCodes.failed;
}

function describe(result: AdoptionResult): string {
  switch (result.kind) {
    case "debited":
      return "written back, and its payer debited";
    case "owed":
      return `written back, and owed by its payer (${result.owedBecause ?? "as recorded before"})`;
    case "known":
      return "the ledger has its transfer; it counts as handed over";
    case "repeated":
      return "its partner's repeat was accepted; it gets the result of this one";
    case "done":
      return "adopted before";
    case "refused":
      return `not adopted: ${result.why}`;
  }
}

const owedColumns = {
  at: "adopted at",
  rail: "rail",
  referenceNo: "reference no",
  partnerId: "partner",
  payerAccountNo: "payer",
  amount: amountColumn("owed"),
  currency: "currency",
  reason: "reason",
};

/** Rows of one list. */
const owedMax = 1_000;

export async function listOwed(rail: RailName | undefined, { json }: { readonly json?: true }): Promise<void> {
  const owed = await withCore((core) => listOwedPayments(core, { rail, limit: owedMax }));
  const shown = owed.map(({ at, amount, ...one }) => ({
    ...one,
    at: formatTimestamp(at),
    amount: showAmount(amount, one.currency),
  }));
  print(json ? formatList({ owed: shown }, shown, ["amount"]) : formatTable(owedColumns, shown));
}

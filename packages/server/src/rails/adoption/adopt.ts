/**
 * Adopts lines of a rail's directory that are ahead: what the rail was handed and the database has forgotten is written back
 * whole, by an operator's act (ADR 0061). Each commit stands by itself; what was adopted before is passed over.
 */
import type { RailName } from "../../ledger/rails/terms.ts";
import { findDifference, listAheadOfBulk, listDifferences } from "../../store/tables/rail-records/rail-differences.ts";
import { type AdoptDeps, type AdoptionResult, refused } from "./adopt-deps.ts";
import { adoptForgottenItems, type ForgottenItem } from "./adopt-bulk.ts";
import { adoptForgottenTransfer } from "./adopt-transfer.ts";
import { readForgotten } from "./forgotten.ts";
import { railsCommand } from "../rails-command.ts";

interface OpenLine {
  readonly referenceNo: string;
  /** All of it, as JSON text. */
  readonly line: string;
}

/** The line of the number; of an item of a bulk, those of all its items that are open. */
export async function adoptNumber(
  deps: AdoptDeps,
  rail: RailName,
  referenceNo: string,
  reason: string,
): Promise<readonly AdoptionResult[]> {
  const found = await findDifference(deps.reads, rail, referenceNo);
  if (found?.decision === "adopted") return [{ referenceNo, kind: "done" }];
  if (found === undefined || found.kind !== "ahead")
    return refused(
      [{ referenceNo }],
      `no line of it is ahead of the database: ${railsCommand(deps.cell)} reconcile ${rail} lists them`,
    );
  if (found.decision !== undefined)
    return refused([{ referenceNo }], `it was decided on before, and stays so: ${found.decision} (${found.reason})`);
  return adoptLine(deps, rail, found, reason);
}

const pageSize = 500;

/** All that are open, in the order in which they were found. */
export async function* adoptAll(deps: AdoptDeps, rail: RailName, reason: string): AsyncGenerator<AdoptionResult> {
  const tried = new Set<string>();
  for (let behind = 0; ; ) {
    const page = await listDifferences(deps.reads, rail, { behind, limit: pageSize });
    const last = page.at(-1);
    if (last === undefined) return;
    for (const one of page) {
      if (one.kind !== "ahead" || one.decision !== undefined || tried.has(one.referenceNo)) continue;
      for (const result of await adoptLine(deps, rail, one, reason)) {
        tried.add(result.referenceNo);
        yield result;
      }
    }
    behind = last.id;
  }
}

async function adoptLine(
  deps: AdoptDeps,
  rail: RailName,
  { referenceNo, line }: OpenLine,
  reason: string,
): Promise<readonly AdoptionResult[]> {
  const read = readForgotten(rail, line);
  if (!read.ok) return refused([{ referenceNo }], read.why);
  const { payment } = read;
  if (payment.bulk === undefined) return adoptForgottenTransfer(deps, payment, reason);
  const siblings = await listAheadOfBulk(deps.reads, rail, payment.bulk.id);
  const results = siblings.map((one) => readForgotten(rail, one.line));
  const unreadable = results.find(({ ok }) => !ok);
  // A bulk never gets an item later: without one of them it is not written back.
  if (unreadable !== undefined && !unreadable.ok)
    return refused(siblings, `a line of its bulk cannot be adopted: ${unreadable.why}`);
  const items = results.flatMap((one) => (one.ok && one.payment.bulk ? [one.payment as ForgottenItem] : []));
  return adoptForgottenItems(deps, items, reason);
}

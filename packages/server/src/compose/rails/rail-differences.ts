/**
 * Decisions of an operator on a difference between a rail's directory and the database
 * (docs/reference/rails.md#directory-and-database).
 */
import { parseTimestamp } from "@titian/contract";
import { fromReferenceNo } from "../../basics/ids.ts";
import type { RailName } from "../../ledger/rails/terms.ts";
import type { StatementClient, StatementPool } from "../../store/postgres/connect.ts";
import { inTransaction } from "../../store/postgres/in-transaction.ts";
import {
  type Decision,
  decideDifference,
  exportAgain,
  findTakenByOthers,
  kindsOfDecision,
  openRail,
} from "../../store/tables/rail-records/rail-decisions.ts";
import { makeTransfersDue } from "../../store/tables/due-transfers.ts";
import { findDifference } from "../../store/tables/rail-records/rail-differences.ts";
import { recordHandedOver } from "../../store/tables/rail-records/rail-instructions.ts";
import { readKeptLine } from "../../rails/instructions/instruction-line.ts";
import type { Clock } from "../../basics/clock.ts";
import { type AdminResult, done } from "../../admin/result.ts";

type Undecidable = "notListed" | "otherKind" | "decided" | "ended";

const ended =
  "A result of it was reported, or its transfer has ended: it is not exported again. Decide --carried, and resolve the transfer if it is open.";

/** Carries out the decision, in one transaction with it. Decided as before is done. */
export async function decideOnDifference(
  pool: StatementPool,
  rail: RailName,
  decided: Decision,
): Promise<AdminResult<true, Undecidable>> {
  const { referenceNo, decision, at } = decided;
  return inTransaction(pool, async (client) => {
    // A decision allows the change that carries it out, so it stands first; without the change there is none.
    await client.query("savepoint undecided");
    if (decision === "carried") await handOver(client, rail, decided);
    if (!(await decideDifference(client, rail, decided))) {
      await client.query("rollback to savepoint undecided");
      const found = await findDifference(client, rail, referenceNo);
      return found?.decision === decision ? done(true) : explain(rail, decided, found);
    }
    if (decision !== "export_again") return done(true);
    const transferId = fromReferenceNo(referenceNo);
    if (await exportAgain(client, rail, { referenceNo, transferId, at })) return done(true);
    await client.query("rollback to savepoint undecided");
    return { ok: false, rejection: { kind: "ended", message: ended } };
  });
}

/**
 * A line that the database has forgotten, and the rail has, counts as handed over: nothing is exported under its key again. Where
 * another number has that key, or its sequence, the line goes without.
 */
async function handOver(client: StatementClient, rail: RailName, { referenceNo, at }: Decision): Promise<void> {
  const found = await findDifference(client, rail, referenceNo);
  if (found === undefined || found.kind !== "ahead" || found.decision !== undefined) return;
  const { terms, validUntil } = readKeptLine(found.line);
  const taken = await findTakenByOthers(client, rail, found, terms.idempotencyKey);
  const line = {
    referenceNo,
    idempotencyKey: taken.key ? undefined : terms.idempotencyKey,
    terms: JSON.stringify(terms),
    sequence: taken.sequence ? undefined : found.sequence,
    writtenAt: Math.min(parseTimestamp(validUntil) ?? at, at),
  };
  await recordHandedOver(client, rail, [line]);
}

/**
 * Lets a rail go on whose directory was compared, and whose last line has the sequence. Its pending transfers are inquired about
 * at once. Returns the sequence that it goes on behind; undefined: a difference is open.
 */
export async function openRailDirectory(
  { adminPool, clock }: { readonly adminPool: StatementPool; readonly clock: Pick<Clock, "now"> },
  rail: RailName,
  sequence: number,
): Promise<number | undefined> {
  const behind = await openRail(adminPool, rail, sequence);
  if (behind !== undefined) await makeTransfersDue(adminPool, rail, clock.now());
  return behind;
}

function explain(
  rail: RailName,
  { referenceNo, decision }: Decision,
  found: Awaited<ReturnType<typeof findDifference>>,
): AdminResult<never, Undecidable> {
  const reject = (kind: Undecidable, message: string) => ({ ok: false, rejection: { kind, message } }) as const;
  if (found === undefined)
    return reject("notListed", `No difference of ${referenceNo} is listed: titian rails reconcile ${rail} finds them.`);
  if (found.decision !== undefined)
    return reject("decided", `It was decided before, and stays so: ${found.decision} (${found.reason}).`);
  return reject(
    "otherKind",
    `The directory is ${found.kind} by it; ${decision} is of what is ${kindsOfDecision[decision].join(" or ")}.`,
  );
}

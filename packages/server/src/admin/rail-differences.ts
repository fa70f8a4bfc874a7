/** What an operator decides of a difference between a rail's directory and the database (docs/rails.md#directory-and-database). */
import { fromReferenceNo } from "../ids.ts";
import type { RailName } from "../ledger/rails/terms.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import { inTransaction } from "../store/postgres/in-transaction.ts";
import { type Decision, decideDifference, exportAgain, kindOfDecision } from "../store/tables/rail-decisions.ts";
import { findDifference } from "../store/tables/rail-differences.ts";
import { type AdminResult, done } from "./result.ts";

type Undecidable = "notListed" | "otherKind" | "decided" | "ended";

const ended =
  "A result of it was reported, or its transfer has ended: it is not exported again. Decide --carried, and resolve the transfer if it is open.";

/** Carries out the decision, in one transaction with it. Decided as before is done. */
export async function decideOnDifference(
  pool: StatementPool,
  rail: RailName,
  decided: Decision,
): Promise<AdminResult<true, Undecidable>> {
  const { referenceNo, decision } = decided;
  return inTransaction(pool, async (client) => {
    if (decision === "export_again") {
      // The decision allows the change, so it stands first; without the change there is none.
      await client.query("savepoint undecided");
    }
    if (!(await decideDifference(client, rail, decided))) {
      const found = await findDifference(client, rail, referenceNo);
      return found?.decision === decision ? done(true) : explain(rail, decided, found);
    }
    if (decision !== "export_again") return done(true);
    const transferId = fromReferenceNo(referenceNo);
    if (await exportAgain(client, rail, { referenceNo, transferId })) return done(true);
    await client.query("rollback to savepoint undecided");
    return { ok: false, rejection: { kind: "ended", message: ended } };
  });
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
    `The directory is ${found.kind} by it; ${decision} is of what is ${kindOfDecision[decision]}.`,
  );
}

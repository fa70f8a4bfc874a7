/** Administration needs rights that the service's role has not: an error that says which, and how to get them. */
import type { StatementPool } from "../store/postgres/connect.ts";
import { findMissingRights, isDenied, isSameDatabase } from "../store/schema/rights.ts";
import { AdminError } from "./result.ts";

/** Runs the work of administration. @throws AdminError that names the rights which the database's role lacks. */
export async function withRights<Value>(database: StatementPool, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!isDenied(error)) throw error;
    throw new AdminError((await explainMissing(database)) ?? (error as Error).message, { cause: error });
  }
}

/** @throws where the role lacks rights of administration, or its URL leads to another database than the service's. */
export async function checkAdministration(service: StatementPool, administration: StatementPool): Promise<void> {
  if (!(await isSameDatabase(service, administration)))
    throw new AdminError("TITIAN_ADMIN_DATABASE_URL leads to another database than DATABASE_URL: both need the same.");
  const missing = await explainMissing(administration);
  if (missing !== undefined) throw new AdminError(missing);
}

async function explainMissing(database: StatementPool): Promise<string | undefined> {
  const { role, missing } = await findMissingRights(database);
  if (missing.length === 0) return undefined;
  return (
    `The database role ${role} lacks rights of administration: ${missing.join(", ")}. Set TITIAN_ADMIN_DATABASE_URL to ` +
    "the URL of a role that has them; the database's owner gives them by `titian migrate --administration-role <role>`."
  );
}

/** Operators as the database's owner names the first ones, and everybody sees them. */
import { connectPlain } from "../store/postgres/connect.ts";
import { type FirstOperators, insertFirstOperators } from "../store/tables/operators.ts";
import { AdminError } from "./result.ts";

const connect = (url: string) => connectPlain({ connectionString: url, application_name: "titian operators" });

/**
 * Names the first two operators of a database. @throws AdminError where it has operators, where both are one person, or where
 * the database is a sandbox's.
 */
export async function bootstrapOperators(ownerUrl: string, first: FirstOperators): Promise<void> {
  const { security, approver } = first;
  if (security.issuer === approver.issuer && security.subject === approver.subject)
    throw new AdminError("One person cannot propose and approve: name two.");
  const client = await connect(ownerUrl);
  try {
    await insertFirstOperators(client, first);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && (error.code === "23001" || error.code === "42501"))) throw error;
    const message = `Nobody was named: ${error.message}. The database's owner names the first operators, once.`;
    throw new AdminError(message, { cause: error });
  } finally {
    await client.end();
  }
}

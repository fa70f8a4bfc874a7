/** Operators: people and programs that propose and approve acts. */
import { connectPlain } from "../store/postgres/connect.ts";
import { AdminError } from "./result.ts";

export interface NewOperator {
  /** Of the identity provider: both together are one person. */
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  /** Role of PostgreSQL by which the operator connects. */
  readonly databaseRole: string;
}

/**
 * Names the first two operators of a database, as its owner. @throws AdminError where it has operators, where both are one
 * person, or where the database is a sandbox's.
 */
export async function bootstrapOperators(
  ownerUrl: string,
  { security, approver }: { readonly security: NewOperator; readonly approver: NewOperator },
): Promise<void> {
  if (security.issuer === approver.issuer && security.subject === approver.subject)
    throw new AdminError("One person cannot propose and approve: name two.");
  const client = await connectPlain({ connectionString: ownerUrl, application_name: "titian operators" });
  try {
    await client.query("select bootstrap_operators($1, $2)", [security, approver]);
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "23001" || error.code === "42501"))
      throw new AdminError(`Nobody was named: ${error.message}. The database's owner names the first operators, once.`, {
        cause: error,
      });
    throw error;
  } finally {
    await client.end();
  }
}

export interface Operator extends NewOperator {
  readonly roles: readonly string[];
  readonly isEnded: boolean;
}

/** By name. */
export async function listOperators(url: string): Promise<readonly Operator[]> {
  const client = await connectPlain({ connectionString: url, application_name: "titian operators" });
  try {
    const { rows } = await client.query<Operator>(
      `select issuer, subject, name, database_role as "databaseRole", ended_at is not null as "isEnded",
        array(select role from operator_roles where operator_id = operators.id order by role) as roles
      from operators order by name, id`,
    );
    return rows;
  } finally {
    await client.end();
  }
}

/** Operators: people and programs that propose and approve acts. */
import type { Client } from "pg";

export interface NewOperator {
  /** By the identity provider; with the subject it is one person. */
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  /** Role of PostgreSQL by which the operator connects. */
  readonly databaseRole: string;
}

export interface FirstOperators {
  /** Proposes operators and keys. */
  readonly security: NewOperator;
  readonly approver: NewOperator;
}

/** As the database's owner, once. */
export async function insertFirstOperators(client: Client, { security, approver }: FirstOperators): Promise<void> {
  await client.query("select bootstrap_operators($1, $2)", [security, approver]);
}

export interface Operator extends NewOperator {
  readonly roles: readonly string[];
  readonly isEnded: boolean;
}

/** By name. */
export async function readOperators(client: Client): Promise<readonly Operator[]> {
  const { rows } = await client.query<Operator>(
    `select issuer, subject, name, database_role as "databaseRole", ended_at is not null as "isEnded",
      array(select role from operator_roles where operator_id = operators.id order by role) as roles
    from operators order by name, id`,
  );
  return rows;
}

/** Operators: people and programs that propose and approve acts. */
import type { Client, Pool } from "pg";
import { queryRows } from "../postgres/query-rows.ts";
import type { TextRow } from "../postgres/session.ts";

export interface NewOperator {
  /** By the identity provider; with the subject it is one person. */
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  /** Role of PostgreSQL by which the operator connects; absent: by none, the console alone. */
  readonly databaseRole?: string;
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

/** The same stand in the database (0034-operators-acts.sql). */
export const operatorRoles: readonly string[] = ["viewer", "support", "operator", "approver", "security", "auditor"];

export interface Operator extends Omit<NewOperator, "databaseRole"> {
  readonly id: string;
  /** Null: by the console and the command line alone. */
  readonly databaseRole: string | null;
  readonly roles: readonly string[];
  readonly isEnded: boolean;
}

const select = `select id, issuer, subject, name, database_role, ended_at is not null,
    array_to_json(array(select role from operator_roles where operator_id = operators.id order by role))
  from operators`;

/** By name. */
export async function readOperators(client: Client | Pool): Promise<readonly Operator[]> {
  return (await queryRows(client, { text: `${select} order by name, id` })).map(readOperator);
}

export async function findOperator(pool: Pool, id: string): Promise<Operator | undefined> {
  if (id.includes("\u0000")) return undefined;
  const [row] = await queryRows(pool, { text: `${select} where id::text = $1`, values: [id] });
  return row && readOperator(row);
}

export async function findOperatorBySubject(
  pool: Pool,
  issuer: string,
  subject: string,
): Promise<Operator | undefined> {
  const [row] = await queryRows(pool, {
    text: `${select} where (issuer, subject) = ($1, $2)`,
    values: [issuer, subject],
  });
  return row && readOperator(row);
}

function readOperator([id, issuer, subject, name, databaseRole, isEnded, roles]: TextRow): Operator {
  return {
    id: id as string,
    issuer: issuer as string,
    subject: subject as string,
    name: name as string,
    databaseRole: databaseRole ?? null,
    isEnded: isEnded === "t",
    roles: JSON.parse(roles as string) as string[],
  };
}

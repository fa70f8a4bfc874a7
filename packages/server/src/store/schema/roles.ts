/** The roles of a database that we set up ourselves: the service's and administration's. Neither owns anything. */
import type { Client } from "pg";
import { grantRole } from "./migrate.ts";
import type { RoleKind } from "./rights.ts";

export const applicationRole = "titian_app";
export const administrationRole = "titian_admin";

/** The database's URLs for both roles. */
export interface RoleUrls {
  readonly url: string;
  readonly administrationUrl: string;
}

/** Creates or updates both roles with the passwords that `passwordOf` gives them, on a connection of the owner. */
export async function ensureRoles(
  client: Client,
  ownerUrl: string,
  passwordOf: (role: string) => string,
): Promise<RoleUrls> {
  await ensureRole(client, applicationRole, "service", passwordOf);
  await ensureRole(client, administrationRole, "administration", passwordOf);
  const urlOf = (role: string) => urlFor(ownerUrl, role, passwordOf(role));
  return { url: urlOf(applicationRole), administrationUrl: urlOf(administrationRole) };
}

async function ensureRole(
  client: Client,
  role: string,
  kind: RoleKind,
  passwordOf: (role: string) => string,
): Promise<void> {
  const found = await client.query("select from pg_roles where rolname = $1", [role]);
  const verb = found.rowCount === 0 ? "create" : "alter";
  await client.query(`${verb} role ${role} login password ${client.escapeLiteral(passwordOf(role))}`);
  await grantRole(client, role, kind);
}

/** The same database, for another role. */
export function urlFor(databaseUrl: string, role: string, password: string): string {
  const url = new URL(databaseUrl);
  url.username = role;
  url.password = password;
  return url.href;
}

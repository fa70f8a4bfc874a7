/** The role the service runs as: may not change or delete entries, whatever the code does. */
import { connectPlain } from "./connect.ts";
import { grantApplicationRole } from "./migrate.ts";

export const applicationRole = "titian_app";

/** Creates or updates the role with the given password and returns the database's URL for it. */
export async function ensureApplicationRole(ownerUrl: string, password: string): Promise<string> {
  const client = await connectPlain({ connectionString: ownerUrl, application_name: "titian roles" });
  try {
    const found = await client.query("select from pg_roles where rolname = $1", [applicationRole]);
    const verb = found.rowCount === 0 ? "create" : "alter";
    await client.query(`${verb} role ${applicationRole} login password ${client.escapeLiteral(password)}`);
    await grantApplicationRole(client, applicationRole);
  } finally {
    await client.end();
  }
  const url = new URL(ownerUrl);
  url.username = applicationRole;
  url.password = password;
  return url.href;
}

/** The connection that a URL leads to, and the role that it logs in as. */
import { Client } from "pg";
import { connectPlain } from "../postgres/connect.ts";

export interface DatabaseAddress {
  /** Name, address, or the directory of a Unix socket. */
  readonly host: string;
  /** True: the server proves by its certificate that it is the host. */
  readonly isVerified: boolean;
}

/** As `pg` reads it. */
export function addressOf(url: string): DatabaseAddress {
  const { host } = new Client({ connectionString: url });
  const parameters = new URLSearchParams(/\?([^#]*)/.exec(url)?.[1]);
  return { host, isVerified: parameters.getAll("sslmode").at(-1) === "verify-full" };
}

export interface LoginRole {
  readonly name: string;
  readonly isSuperuser: boolean;
  /** Owners of the service's tables or of their schema that the role is, or may become. */
  readonly owners: readonly string[];
}

/** `session_user`: a session can leave the role that it was set to. */
const findRole = `
  with owners as (
    select c.relowner as id from pg_class c, pg_class a
      where a.oid = to_regclass('accounts') and c.relnamespace = a.relnamespace and c.relkind in ('r', 'p')
    union
    select n.nspowner from pg_namespace n, pg_class a where a.oid = to_regclass('accounts') and n.oid = a.relnamespace)
  select r.rolname as name, r.rolsuper as "isSuperuser",
    array(select pg_get_userbyid(id)::text from owners where pg_has_role(r.oid, id, 'member') order by 1) as owners
  from pg_roles r where r.rolname = session_user`;

/** Connects once and looks; never changes anything. */
export async function findLoginRole(url: string): Promise<LoginRole> {
  const client = await connectPlain({ connectionString: url, application_name: "titian start", query_timeout: 5_000 });
  try {
    const { rows } = await client.query<LoginRole>(findRole);
    const [role] = rows;
    if (role === undefined) throw new Error("The database does not say which role this service logs in as.");
    return role;
  } finally {
    await client.end();
  }
}

/** Migrated once, cloned for every test file: a clone costs tens of milliseconds, migrating costs many times that. */
import { createClock } from "../../../packages/server/src/basics/clock.ts";
import { newId } from "../../../packages/server/src/basics/ids.ts";
import { migrate } from "../../../packages/server/src/store/schema/migrate.ts";
import {
  administrationRole,
  applicationRole,
  ensureRoles,
  type RoleUrls,
  urlFor,
} from "../../../packages/server/src/store/schema/roles.ts";
import { schema } from "./test-cluster.ts";
import { runStatements, withClient } from "./with-client.ts";

const templateOf = (inSchema: string | undefined) => `titian_template${inSchema ? `_in_${inSchema}` : ""}`;

/** Password of every test cluster: nobody but the tests reaches one. */
const rolePassword = "titian-tests";

/** Makes the template in the cluster that `url` leads to, and the roles that services and administration run as. */
export async function createTemplate(url: string, inSchema = schema): Promise<void> {
  const name = templateOf(inSchema);
  await administer(url, [`create database ${name}`, ...lookFirst(name, inSchema)]);
  if (inSchema) await runStatements(withDatabase(url, name), [`create schema if not exists ${inSchema}`]);
  await migrateForServices(withDatabase(url, name));
  await close(url, name);
}

/** Statements behind that of a copy: it does not have the settings of its template. */
export const lookFirst = (database: string, inSchema = schema): readonly string[] =>
  inSchema ? [`alter database ${database} set search_path = ${inSchema}`] : [];

/** Makes a database the template of that name. */
export async function makeTemplate(url: string, ownerUrl: string, name: string): Promise<void> {
  await administer(url, [`alter database ${databaseOf(ownerUrl)} rename to ${name}`]);
  await close(url, name);
}

/** A session left in a template would stop every clone. */
function close(url: string, template: string): Promise<void> {
  return administer(url, [`alter database ${template} with is_template true allow_connections false`]);
}

/** As a start of the service does it on a database of its own. */
export async function migrateForServices(ownerUrl: string): Promise<RoleUrls> {
  await migrate(ownerUrl, { now: createClock().now() });
  return withClient(ownerUrl, (client) => ensureRoles(client, ownerUrl, () => rolePassword));
}

/** The URLs of the roles that services and administration run as. */
export function roleUrlsOf(ownerUrl: string): RoleUrls {
  return {
    url: urlFor(ownerUrl, applicationRole, rolePassword),
    administrationUrl: urlFor(ownerUrl, administrationRole, rolePassword),
  };
}

/** For administration where the URL is the service's; another role does both. */
export function administrationUrlOf(url: string): string {
  return new URL(url).username === applicationRole ? roleUrlsOf(url).administrationUrl : url;
}

/** Clones the template; answers the clone's url for its owner. */
export async function cloneTemplate(url: string, template = templateOf(schema)): Promise<string> {
  const name = `test_${newId().replaceAll("-", "")}`;
  // Copied file by file: measured at 70 ms, where logging every page takes 190 ms.
  await administer(url, [`create database ${name} template ${template} strategy file_copy`, ...lookFirst(name)]);
  return withDatabase(url, name);
}

/** Drops a clone with its connections. */
export async function dropClone(url: string, clone: string): Promise<void> {
  await administer(url, [`drop database if exists ${databaseOf(clone)} with (force)`]);
}

const databaseOf = (url: string) => new URL(url).pathname.slice(1);

export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

function administer(url: string, statements: readonly string[]): Promise<void> {
  return runStatements(withDatabase(url, "postgres"), statements);
}

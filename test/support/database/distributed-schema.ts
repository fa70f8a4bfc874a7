/**
 * A distributed schema of Citus instead of a database, where `TITIAN_TEST_CITUS_URL` leads to the coordinator of one, as a
 * superuser. Services connect to the machine that holds the schema. No package of npm or Debian has Citus, so that CI does not.
 */
import assert from "node:assert/strict";
import type { RoleUrls } from "../../../packages/server/src/store/schema/roles.ts";
import { createClock } from "../../../packages/server/src/basics/clock.ts";
import { migrate } from "../../../packages/server/src/store/schema/migrate.ts";
import { newId } from "../../../packages/server/src/basics/ids.ts";
import { migrateForServices } from "./template.ts";
import { waitUntil } from "@titian/embedded-postgres";
import { runStatements, withClient } from "./with-client.ts";

/** Undefined: the tests have databases of plain PostgreSQL. */
export const citusUrl = process.env["TITIAN_TEST_CITUS_URL"];

export interface DistributedSchema extends RoleUrls {
  readonly ownerUrl: string;
  drop(): Promise<void>;
}

/** Tried again and again: a statement that waits for a lock has a snapshot, which the build of an index would wait for. */
const lock = `select pg_try_advisory_lock(hashtext('titian tests')) as "isLocked"`;

/** As docs/guides/cells.md says it. One at a time: the roles, which get their rights, are those of all schemas. */
export function createDistributedSchema(url: string): Promise<DistributedSchema> {
  return withClient(url, async (client) => {
    await waitUntil(async () => (await client.query(lock)).rows[0]?.isLocked || undefined, {
      timeoutMs: 600_000,
      everyMs: 50,
    });
    const name = `test_${newId().replaceAll("-", "")}`;
    await client.query(`create schema ${name}`);
    const ownerUrl = within(url, name);
    await migrate(ownerUrl, { now: createClock().now(), distributes: true });
    const urls = await migrateForServices(ownerUrl);
    const { rows } = await client.query<Machine>(
      "select nodename, nodeport from citus_shards where table_name = $1::regclass",
      [`${name}.accounts`],
    );
    const machine = rows[0] ?? assert.fail("the schema lies nowhere");
    return {
      ownerUrl,
      url: on(urls.url, machine),
      administrationUrl: on(urls.administrationUrl, machine),
      drop: () => runStatements(url, [`drop schema ${name} cascade`]),
    };
  });
}

interface Machine {
  readonly nodename: string;
  readonly nodeport: number;
}

function within(url: string, schema: string): string {
  const changed = new URL(url);
  changed.searchParams.set("options", `-c search_path=${schema}`);
  return changed.href;
}

function on(url: string, { nodename, nodeport }: Machine): string {
  const changed = new URL(url);
  changed.hostname = nodename;
  changed.port = String(nodeport);
  return changed.href;
}

/** Roles of audits and of jobs on a test's database. */
import { newId } from "../../../packages/server/src/basics/ids.ts";
import { migrate } from "../../../packages/server/src/store/schema/migrate.ts";
import { urlFor } from "../../../packages/server/src/store/schema/roles.ts";
import { runStatements } from "./with-client.ts";

export interface JobRoles {
  readonly auditUrl: string;
  readonly jobUrl: string;
  /** Before the database is dropped. */
  drop(): Promise<void>;
}

/** Roles of PostgreSQL belong to the whole server: names of their own. */
export async function useJobRoles(ownerUrl: string): Promise<JobRoles> {
  const run = newId().slice(-12);
  const [auditRole, jobRole] = [`audit_${run}`, `jobs_${run}`];
  await runStatements(
    ownerUrl,
    [auditRole, jobRole].map((role) => `create role ${role} login password 'secret'`),
  );
  await migrate(ownerUrl, { now: 0, auditRole, jobRole });
  return {
    auditUrl: urlFor(ownerUrl, auditRole, "secret"),
    jobUrl: urlFor(ownerUrl, jobRole, "secret"),
    drop: () =>
      runStatements(
        ownerUrl,
        [auditRole, jobRole].flatMap((role) => [`drop owned by ${role}`, `drop role ${role}`]),
      ),
  };
}

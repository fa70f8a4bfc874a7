/** Migrations of a database by its table `migrations`, against what a release knows. */
import type { Client, Pool } from "pg";
import { type Migration, readMigrations } from "./migration-files.ts";
import { queryRows } from "../postgres/query-rows.ts";

export interface AppliedMigration extends Pick<Migration, "number" | "name" | "breaking"> {
  /** Undefined: a release that kept none applied it. */
  readonly sha256: string | undefined;
}

export async function readApplied(client: Client | Pool): Promise<readonly AppliedMigration[]> {
  const rows = await queryRows(client, {
    // By its name in JSON: a release that kept no SHA-256 made the table without the column.
    text: "select number, name, breaking, to_jsonb(m) ->> 'sha256' from migrations m order by number",
  });
  return rows.map(([number, name, breaking, sha256]) => ({
    number: Number(number),
    name: name as string,
    breaking: breaking === "t",
    sha256: sha256 ?? undefined,
  }));
}

type Known = readonly Pick<Migration, "number" | "name" | "sha256">[];

/** A sentence where a known migration was applied under another name or with other content; undefined where none was. */
export function findOtherBuild(applied: readonly AppliedMigration[], known: Known): string | undefined {
  const byNumber = new Map(known.map((migration) => [migration.number, migration]));
  for (const { number, name, sha256 } of applied) {
    const own = byNumber.get(number);
    if (own === undefined) continue;
    if (own.name !== name) {
      return (
        `the database was made by another build: it has migration ${name} where this release has ${own.name}. ` +
        "Its data cannot be migrated: use an empty database; in the sandbox, another TITIAN_DATA_DIR"
      );
    }
    if (sha256 !== undefined && sha256 !== own.sha256) {
      return (
        `migration ${name} is not the one that was applied: the database has it with SHA-256 ${sha256}, this release with ` +
        `${own.sha256}. A migration never changes once it was released: use the release that the database was migrated by, or a later one`
      );
    }
  }
  return undefined;
}

/** Applied by a later release. */
export function newerThan<Row extends Pick<Migration, "number">>(
  known: Known,
  applied: readonly Row[],
): readonly Row[] {
  const last = known.at(-1)?.number ?? 0;
  return applied.filter(({ number }) => number > last);
}

/** Differences from this release's schema; none: empty. */
export async function findSchemaFaults(client: Client): Promise<readonly string[]> {
  const found = await client.query<{ present: boolean }>("select to_regclass('migrations') is not null as present");
  if (found.rows[0]?.present !== true) return ["the database holds no Titian schema: run `titian migrate`"];
  const applied = await readApplied(client);
  const known = readMigrations();
  const other = findOtherBuild(applied, known);
  if (other !== undefined) return [other];
  const have = new Set(applied.map((row) => row.number));
  const missing = known
    .filter((one) => !have.has(one.number))
    .map((one) => `migration ${one.name} is missing: run \`titian migrate\``);
  return [
    ...missing,
    ...newerThan(known, applied)
      .filter(({ breaking }) => breaking)
      .map(breaks),
  ];
}

/** A sentence where a later release has made a schema that this one cannot work on. */
export async function findBreakingMigration(pool: Pool, known: Known): Promise<string | undefined> {
  const found = newerThan(known, await readApplied(pool)).find(({ breaking }) => breaking);
  return found && breaks(found);
}

function breaks({ name }: Pick<Migration, "name">): string {
  return `migration ${name} is newer than this release and breaks it: upgrade this node`;
}

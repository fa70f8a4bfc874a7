/** The table of rights against every statement that is executed, both ways. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type Right, rightsOf, type RoleKind } from "../../packages/server/src/store/schema/rights.ts";
import { neededRights, readSources, type Source } from "../support/database/statement-rights.ts";

/** Statements of administration alone. */
const administration = [
  "reference/reference-changes.ts",
  "tables/acts.ts",
  "tables/rail-records/rail-adoptions.ts",
  "tables/rail-records/rail-decisions.ts",
].map((path) => `packages/server/src/store/${path}`);
const sources = readSources();
const services = sources.filter(({ path }) => !administration.includes(path));

const nameOf = ({ table, verb, column }: Right) => `${verb}${column === undefined ? "" : ` (${column})`} on ${table}`;

/** Rights that statements need and the role lacks, and rights that no statement needs. */
function compare(kind: RoleKind, of: readonly Source[], planted: readonly Right[] = []) {
  const given = [...rightsOf(kind), ...planted].filter(({ verb }) => verb !== "select");
  const needed = neededRights(of);
  const isSame = (a: Right, b: Right) => a.table === b.table && a.verb === b.verb;
  const isEqual = (a: Right, b: Right) => isSame(a, b) && a.column === b.column;
  // A lock of rows is content with any column; an update names its columns, so that no right is wider than they.
  const isLock = ({ verb, column }: Right) => verb === "update" && column === undefined;
  const isMet = (need: Right) => given.some((right) => (isLock(need) ? isSame : isEqual)(right, need));
  return {
    lacking: needed.filter((need) => !isMet(need)).map((need) => `${need.path}: ${nameOf(need)}`),
    unused: given.filter((right) => isLock(right) || !needed.some((need) => isEqual(right, need))).map(nameOf),
  };
}

const nothing = { lacking: [], unused: [] };

test("the service's role has the rights that its statements need, and no other", () => {
  assert.ok(neededRights(services).length > 100);
  assert.deepEqual(compare("service", services), nothing);
});

test("administration's role has those and what its own statements need, and no other", () => {
  assert.deepEqual(compare("administration", sources), nothing);
});

test("the console, operators, audits and jobs read all but what lets callers in, and write nothing", () => {
  const tables = (kind: RoleKind) => [...new Set(rightsOf(kind).map(({ table }) => table))];
  // A command loads partners with their credentials, which are sealed, and the ids of ended grants.
  const unread = {
    console: ["customer_grants", "ended_grants", "partner_credentials"],
    operator: ["customer_grants"],
    audit: ["customer_grants"],
    jobs: ["customer_grants"],
  };
  for (const kind of ["console", "operator", "audit", "jobs"] as const) {
    assert.deepEqual([...new Set(rightsOf(kind).map(({ verb, column }) => column ?? verb))], ["select"], kind);
    const lacking = tables("service").filter((table) => !tables(kind).includes(table));
    assert.deepEqual(lacking.toSorted(), unread[kind], kind);
  }
  const seen = sources.filter(({ path }) => path.includes("/views/") || path.includes("/store/reads/"));
  assert.ok(seen.length > 20);
  const reading = new RegExp(`\\b(?:from|join) (?:${unread.console.join("|")})\\b`);
  assert.deepEqual(
    seen.filter(({ text }) => reading.test(text)).map(({ path }) => path),
    [],
  );
});

test("a statement without its right and a right without a statement are found", () => {
  const planted = (text: string) => compare("service", [...services, { path: "planted.ts", text }]).lacking;
  assert.deepEqual(planted('query("delete from service_state where starts_with(name, $1)")'), [
    "planted.ts: delete on service_state",
  ]);
  assert.deepEqual(planted("`insert into partners (id) values ($1)`"), ["planted.ts: insert on partners"]);
  assert.deepEqual(
    planted("`insert into migrations (number) values (1) on conflict (number) do update set name = excluded.name`"),
    ["planted.ts: insert on migrations", "planted.ts: update (name) on migrations"],
  );
  assert.deepEqual(
    planted("`update outbox o set state = case when coalesce(a, b) > 1 then 'x' end, url = $1 from t where 1 = 1`"),
    ["planted.ts: update (url) on outbox"],
  );
  assert.deepEqual(planted('const update = updateRows<Row>({ table: "holds", set: { held: int(({ a }) => a) } });'), [
    "planted.ts: update (held) on holds",
  ]);
  assert.deepEqual(planted("`select from partners where id = $1 for update`"), ["planted.ts: update on partners"]);
  assert.throws(() => planted("`delete from ${table} where true`"), /planted\.ts: write the table of "delete from/);

  const unused: readonly Right[] = [
    { table: "entries", verb: "delete" },
    { table: "holds", verb: "update", column: "held" },
    { table: "holds", verb: "update" },
  ];
  assert.deepEqual(compare("service", services, unused).unused, unused.map(nameOf));
});

/**
 * Rights that the statements of a serving node of the release before need, read from its sources as above. Left out are
 * an insert into customer_grants and updates of accounts' terms, which only its commands and control calls made, and a delete that
 * its role could not execute either.
 */
const previousRelease: readonly string[] = JSON.parse(
  readFileSync(new URL("previous-release-rights.json", import.meta.url), "utf8"),
);

test("a node of the release before goes on serving under these rights", () => {
  const given = new Set(rightsOf("service").map(nameOf));
  const tables = new Set(rightsOf("service").map(({ verb, table }) => `${verb} on ${table}`));
  assert.ok(previousRelease.length > 80);
  assert.deepEqual(
    previousRelease.filter((right) => !given.has(right) && !(right.startsWith("update on ") && tables.has(right))),
    [],
  );
});

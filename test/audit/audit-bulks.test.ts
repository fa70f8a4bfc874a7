// Each check of the audit that is about bulks is proven alive: a database is spoiled on purpose, as its owner with the
// limits off, and exactly the findings that follow from it are expected.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { DatabaseError } from "pg";
import { type AuditOptions, runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import type { Finding } from "../../packages/server/src/store/audit/finding.ts";
import { openAuditSession } from "../../packages/server/src/store/audit/session.ts";
import { highestId, lowestId } from "../../packages/server/src/basics/ids.ts";
import { resolveTransfer } from "../../packages/server/src/rails/commands/resolve-transfer.ts";
import { startNode } from "../support/administration.ts";
import { sendBulks } from "../support/bulk-fixture.ts";
import { copyDatabase } from "../support/database/copy-database.ts";
import { useDatabase } from "../support/database/database.ts";
import { runStatements, spoilRows, withClient } from "../support/database/with-client.ts";
import { bulk, ended, faults, item, limitsOff } from "./bulk-faults.ts";

const original = await useDatabase();
after(() => original.drop());
const node = await startNode(original.url);
const fixture = await sendBulks(node);
await node.close();

async function findingsOf(url: string, options: AuditOptions): Promise<readonly string[]> {
  return textsOf((await runAudit(url, options)).findings);
}

function textsOf(findings: readonly Finding[]): readonly string[] {
  const withoutIds = (text: string) => text.replace(/[0-9a-f-]{36}/g, "id");
  return findings.map(({ check, expected, found }) => withoutIds(`${check}: ${expected} / ${found}`)).toSorted();
}

const tables = ["accepted_requests", "accounts", "bulks", "outbox", "transfers"];
const spoiled = await copyDatabase(original.ownerUrl);
after(() => spoiled[Symbol.asyncDispose]());
await runStatements(spoiled.url, [
  ...limitsOff,
  "create schema kept",
  ...tables.map((table) => `create table kept.${table} as table ${table}`),
]);
// All in one slice, over one connection: most of an audit's time is planning.
const session = await openAuditSession(spoiled.url);
after(() => session[Symbol.asyncDispose]());
const restore = tables.flatMap((table) => [`delete from ${table}`, `insert into ${table} table kept.${table}`]);

for (const [name, statement, expected] of faults) {
  test(`the audit finds ${name}`, async () => {
    await spoilRows(spoiled.url, [...restore, statement]);
    const findings: Finding[] = [];
    for (const pass of ["accounts", "journals"] as const) {
      const slice = { pass, from: lowestId, to: highestId };
      findings.push(...(await session.check(slice, { limit: 100, touched: false })));
    }
    const all = new Map(findings.map((finding) => [JSON.stringify(finding), finding]));
    assert.deepEqual(textsOf([...all.values()]), expected.toSorted());
  });
}

test("an audit of the bulks as they were finds nothing, in slices of any size", async () => {
  for (const sliceRows of [1, 3, 20_000]) assert.deepEqual(await findingsOf(original.url, { sliceRows }), []);
});

test("a bulk that is returned later ended as it did; an audit of what came since finds a return that was not counted", async () => {
  await using copy = await copyDatabase(original.ownerUrl);
  await findingsOf(copy.url, { watermark: "renew", lateCommitMs: 0 });
  await using later = await startNode(copy.url);
  const returnItem = (number: string) =>
    resolveTransfer(later, fixture.items.get(number) ?? "", { resolution: "returned" });
  await returnItem("ENDED-0");
  const since = () => findingsOf(copy.url, { watermark: "use", lateCommitMs: 0 });
  await spoilRows(copy.url, [...limitsOff, `update bulks set returned_count = 1 where ${bulk("ENDED")}`]);
  const counted = `${ended}, ended`;
  assert.deepEqual(await since(), [`bulkCountsItems: ${counted.replace("1 returned", "2 returned")} / ${counted}`]);
  await spoilRows(copy.url, [`update bulks set returned_count = 2 where ${bulk("ENDED")}`]);
  assert.deepEqual(await since(), []);
  await returnItem("ENDED-3");
  for (const status of ["00", "06"]) {
    await spoilRows(copy.url, [`update outbox set status = '${status}'`]);
    assert.deepEqual(await since(), [], `all returned, ${status}`);
  }
});

test("the database itself rejects counts and ends that are none", async () => {
  await using copy = await copyDatabase(original.ownerUrl);
  await withClient(copy.url, async (client) => {
    const rejected = [
      ["bulks_counts", `update bulks set settled_count = 4 where ${bulk("ENDED")}`],
      ["bulks_counts", `update bulks set returned_count = 4 where ${bulk("ENDED")}`],
      ["bulks_open", `update bulks set settled_count = 2 where ${bulk("ENDED")}`],
      ["bulks_open", `update bulks set is_open = false, ended_at = now() where ${bulk("OPEN")}`],
      ["bulks_ended", `update bulks set ended_at = null where ${bulk("ENDED")}`],
      ["bulks_check", `update bulks set rejected_amount = amount + 1 where ${bulk("ENDED")}`],
      ["transfers_bulk", `update transfers set bulk_position = null where ${item("ENDED-0")}`],
      // A node that knows of no bulks does this.
      ["transfers_counted", `update transfers set state = 'returned' where ${item("ENDED-0")}`],
      ["transfers_by_bulk", `update transfers set bulk_position = 1 where ${item("ENDED-0")}`],
    ] as const;
    for (const [limit, change] of rejected) {
      const isRejected = (error: unknown) => error instanceof DatabaseError && error.constraint === limit;
      await assert.rejects(client.query(change), isRejected, change);
    }
  });
});

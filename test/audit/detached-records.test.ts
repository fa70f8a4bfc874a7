// Audit of detached partitions: their signed records, the signed list of them, and that none came back by itself.
import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type AuditOptions, runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { attachPartition, detachPartitions } from "../../packages/server/src/admin/partitions.ts";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { createReleaseExternalIds } from "../../packages/server/src/jobs/release-external-ids.ts";
import { createAdminPool } from "../../packages/server/src/store/postgres/connect.ts";
import { makePartition } from "../../packages/server/src/store/partitions/partitions.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { copyDatabase } from "../support/database/copy-database.ts";
import { useDatabase } from "../support/database/database.ts";
import { endPools } from "../support/database/end-pool.ts";
import { fillLedger } from "../support/database/large-ledger.ts";
import { roleUrlsOf } from "../support/database/template.ts";
import { queryRows, spoilRows } from "../support/database/with-client.ts";
import { newProviderKey } from "../support/provider-key.ts";
import { mayGoOn } from "../support/run-job.ts";

const day = 86_400_000;
const providerKey = newProviderKey();
const publicKeyOf = (key: string) => createPublicKey(key).export({ type: "spki", format: "pem" }).toString();
/** The first two are detached; the third is empty. */
const periods = [210, 203, 196].map((ago) => Math.floor(Date.now() / day - ago) * day);
const [first = 0, second = 0] = periods;
const [entries, requests, laterEntries, laterRequests] = [first, second].flatMap((from) => {
  const date = new Date(from).toISOString().slice(0, 10).replaceAll("-", "");
  return [`entries_${date}`, `accepted_requests_${date}`];
});

const original = await useDatabase();
after(() => original.drop());
const { ownerUrl } = original;
const pool = createAdminPool(original.url, 2);
for (const from of periods) {
  for (const table of ["entries", "accepted_requests"] as const)
    assert.ok(await makePartition(pool, table, { from, to: from + 7 * day }));
}
for (const [position, startMs] of [first, second, Date.now() - 9 * day].entries())
  await fillLedger(ownerUrl, { after: position * 50, transfers: 50, accounts: 20, startMs: startMs + 1_000 });
await createReleaseExternalIds({ pool, clock: createClock(), keepMs: 7 * day, idempotencyWindowMs: day }).run(mayGoOn);
await endPools(pool);
assert.deepEqual(await runAudit(original.url, { watermark: "renew" }), { ok: true, findings: [] });
const until = second + 8 * day;
assert.equal((await detachPartitions(ownerUrl, until, providerKey)).detached.length, 4);

/** As `check subject: found`, of an audit with the key. */
async function findingsOf(url: string, options: AuditOptions = {}): Promise<readonly string[]> {
  const { findings } = await runAudit(url, { providerKeys: [providerKey], ...options });
  return findings.map(({ check, subject, found }) => `${check} ${subject}: ${found}`).toSorted();
}

const row = (name: string | undefined, change: string) =>
  `update detached_partitions set ${change} where name = '${name}'`;
const of = (name: string | undefined, column: string) =>
  `(select ${column} from detached_partitions where name = '${name}')`;
const changeList = (value: string) => `update service_state set value = ${value} where name = 'detached_partitions'`;
const noList = "delete from service_state where name = 'detached_partitions'";
const drop = (...names: readonly (string | undefined)[]) => [
  `drop table ${names.join()}`,
  `delete from detached_partitions where name in (${names.map((name) => `'${name}'`).join()})`,
];
const unsigned = "it has another text, or was signed with another key";
const described = (name: string | undefined, from: number) =>
  `${name} of entries, ${new Date(from).toISOString()} to ${new Date(from + 7 * day).toISOString()}`;
const idIn = (at: number) => `id_at('${new Date(at + 5_000).toISOString()}')`;

const faults: readonly (readonly [what: string, statements: readonly string[], findings: readonly string[]])[] = [
  [
    "a changed record",
    [row(entries, `record = replace(record, '"rows":"100"', '"rows":"99"')`)],
    [`detachedList ${entries}: another record`, `detachedRecord ${entries}: ${unsigned}`],
  ],
  [
    "a changed signature",
    [row(entries, `signature = ${of(requests, "signature")}`)],
    [`detachedRecord ${entries}: ${unsigned}`],
  ],
  [
    "the record of another partition, with its signature",
    [row(entries, `(record, signature) = ${of(laterEntries, "record, signature")}`)],
    [`detachedList ${entries}: another record`, `detachedRecord ${entries}: one of ${described(laterEntries, second)}`],
  ],
  [
    "a record for another period",
    [row(entries, `to_id = ${idIn(first)}`)],
    [`detachedRecord ${entries}: one of ${described(entries, first)}`],
  ],
  [
    "a record that is gone from its row, as if an earlier release had detached it",
    [row(entries, "record = null, signature = null")],
    [`detachedList ${entries}: no record`],
  ],
  [
    "records that were removed, with their tables",
    drop(entries, requests),
    [`detachedList ${requests}: nothing`, `detachedList ${entries}: nothing`],
  ],
  [
    "records of the last period that were removed, with their tables",
    drop(laterEntries, laterRequests),
    [`detachedList ${laterRequests}: nothing`, `detachedList ${laterEntries}: nothing`],
  ],
  [
    "records that were removed, and the list changed for it",
    [
      ...drop(entries, requests),
      changeList(
        `jsonb_set(value::jsonb, '{list}', to_jsonb(((value ->> 'list')::jsonb - '${entries}' - '${requests}')::text))::json`,
      ),
    ],
    [`detachedList list of detached partitions: ${unsigned}`],
  ],
  [
    "records that were removed, and the list",
    [...drop(entries, requests), noList],
    ["detachedList list of detached partitions: none"],
  ],
  [
    "all records that were removed, and the list",
    [...drop(entries, requests, laterEntries, laterRequests), noList],
    ["detachedList list of detached partitions: none"],
  ],
  ["a list that nobody can read", [changeList("'7'")], [`detachedList list of detached partitions: ${unsigned}`]],
  [
    "a record that was added",
    [
      `insert into detached_partitions select 'entries_more', parent, ${idIn(first - 9 * day)}, ${idIn(first - 8 * day)}, record, signature
      from detached_partitions where name = '${entries}'`,
    ],
    ["detachedList entries_more: a record", `detachedRecord entries_more: one of ${described(entries, first)}`],
  ],
  [
    "a partition that was changed, attached by hand, and its record removed",
    [
      `update ${requests} set body_hash = id where ctid = (select max(ctid) from ${requests})`,
      `alter table accepted_requests attach partition ${requests} for values from (id_at('${new Date(first).toISOString()}'))
        to (id_at('${new Date(first + 7 * day).toISOString()}'))`,
      `delete from detached_partitions where name = '${requests}'`,
    ],
    [`detachedList ${requests}: attached`],
  ],
  [
    "rows of a detached period beside its partition",
    [
      `insert into accepted_requests select (jsonb_populate_record(r, jsonb_build_object('id', ${idIn(second)}))).* from ${laterRequests} r limit 1`,
    ],
    [`detachedPartition ${laterRequests}: rows of its period in accepted_requests`],
  ],
];

for (const [what, statements, expected] of faults) {
  test(`the audit finds ${what}, and nothing more is signed`, async () => {
    await using copy = await copyDatabase(ownerUrl);
    await spoilRows(copy.url, statements);
    const found = await findingsOf(roleUrlsOf(copy.url).url);
    assert.deepEqual(found, [...expected].toSorted());
    assert.deepEqual(await findingsOf(copy.url, { watermark: "use" }), found);
    if (!found.join().includes("detachedList")) return;
    await assert.rejects(
      detachPartitions(copy.url, until + 7 * day, providerKey),
      /is not what was recorded|different periods/,
    );
    const [left] = await queryRows(copy.url, "select name from detached_partitions order by name limit 1");
    if (left === undefined) return;
    const attach = attachPartition(copy.url, (left as { name: string }).name, providerKey);
    await assert.rejects(attach, /is not what was recorded/);
  });
}

test("records are those of the key they were signed with, of a former one too, and what came back verified is no finding", async () => {
  const [newKey, formerKey] = [newProviderKey(), publicKeyOf(providerKey)];
  assert.deepEqual(await findingsOf(original.url), []);
  const byNew = await findingsOf(original.url, { providerKeys: [newKey] });
  assert.equal(byNew.length, 5);
  assert.ok(byNew.every((text) => text.endsWith(unsigned)));
  assert.deepEqual(await findingsOf(original.url, { providerKeys: [newKey, formerKey] }), []);
  await using copy = await copyDatabase(ownerUrl);
  const attach = (...formerKeys: readonly string[]) => attachPartition(copy.url, entries ?? "", newKey, formerKeys);
  await assert.rejects(attach(), /signed with another key.*--public-key/);
  assert.equal((await attach(formerKey)).length, 2);
  const both = { providerKeys: [newKey, formerKey] };
  assert.deepEqual(await findingsOf(copy.url, { ...both, watermark: "use" }), []);
  await attachPartition(copy.url, laterEntries ?? "", newKey, [formerKey]);
  assert.deepEqual(await findingsOf(copy.url, { providerKeys: [newKey], watermark: "use" }), []);
  assert.equal((await detachPartitions(copy.url, until, newKey)).detached.length, 4);
  assert.deepEqual(await findingsOf(copy.url, { providerKeys: [newKey] }), []);
});

test("partitions that earlier releases detached are unknown to the audit, and it says so", async () => {
  await using copy = await copyDatabase(ownerUrl);
  const before = `record = replace(record, ',"isListed":true', '')`;
  await spoilRows(copy.url, [noList, row(entries, "record = null, signature = null"), row(requests, before)]);
  await spoilRows(copy.url, drop(laterEntries, laterRequests));
  const report = await runAudit(copy.url, {});
  assert.deepEqual(report.findings, []);
  const said = report.unchecked?.join() ?? "";
  assert.match(said, /1 .*earlier release.*no signed list/);
});

test("without the key the command says what it did not verify, with it or its public half it is clean", async () => {
  const audit = (args: readonly string[], key?: string) =>
    runCli(["audit", ...args], {
      env: { DATABASE_URL: original.url, ...(key !== undefined && { TITIAN_PROVIDER_KEY: key }) },
    });
  const without = await audit([]);
  assert.equal(without.exitCode, 0);
  assert.match(without.stdout, /^No differences in what was checked\.$/m);
  assert.match(without.stdout, /^Not checked: whether .* signed .* TITIAN_PROVIDER_KEY/m);
  assert.doesNotMatch(without.stdout, /Clean/);
  assert.equal(JSON.parse((await audit(["--json"])).stdout).unchecked.length, 1);
  assert.equal((await audit([], providerKey)).stdout, "Clean: no differences.\n");

  const folder = mkdtempSync(join(tmpdir(), "titian-keys-"));
  const fileOf = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const publicKey = fileOf("public.pem", publicKeyOf(providerKey));
  assert.equal((await audit(["--public-key", publicKey])).stdout, "Clean: no differences.\n");
  assert.equal((await audit(["--public-key", fileOf("private.pem", providerKey)])).exitCode, 2);
  const byOther = await audit([], newProviderKey());
  assert.equal(byOther.exitCode, 1);
  assert.match(byOther.stdout, new RegExp(`detachedRecord +${entries} `));
  assert.match(byOther.stderr, /--public-key/);
  rmSync(folder, { recursive: true });
  assert.equal((await queryRows(ownerUrl, "select from detached_partitions")).length, 4);
});

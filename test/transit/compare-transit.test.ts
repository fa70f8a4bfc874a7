// Audits of two cells and between them: payments across are in order, and each planted fault is found.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { compareTransit, findUnmirrored } from "../../packages/server/src/admin/audit/compare-transit.ts";
import { newId, timeOf } from "../../packages/server/src/basics/ids.ts";
import { createReadPool } from "../../packages/server/src/store/postgres/connect.ts";
import { readTransitEntries, readTransitPositions } from "../../packages/server/src/store/reads/transit.ts";
import { copyDatabase } from "../support/database/copy-database.ts";
import { endPools } from "../support/database/end-pool.ts";
import { acrossCommand, inNo, outNo, pay, ship, spoil, startEngine, useCell } from "./transit-fixture.ts";

const [a, b] = [await useCell(), await useCell()];
after(async () => {
  await a.drop();
  await b.drop();
});
const [from, to] = [await startEngine(a.url), await startEngine(b.url)];
await pay(from, 30);
assert.equal((await from.submit(acrossCommand({ from: "1", to: "unknown", amount: 5n }))).kind, "effect");
const shipping = ship(a.url, { url: b.url, engine: to });
assert.ok(await shipping.shipper.waitForMirror({ currency: "IDR", version: 31 }, 10_000));
await shipping[Symbol.asyncDispose]();
await pay(from, 9);
await from.close();
await to.close();

async function compare(urlA: string, urlB: string): Promise<readonly string[]> {
  const pools = [createReadPool(urlA, 1), createReadPool(urlB, 1)] as const;
  const findings = await compareTransit(...pools, 1, 2);
  await endPools(...pools);
  return findings.map(({ check, expected, found }) => `${check}: ${expected} / ${found}`);
}

/** Without the openings of the tests' accounts, of which no act is known. */
async function audit(url: string): Promise<readonly string[]> {
  const { findings } = await runAudit(url);
  return findings.filter(({ found }) => !found.startsWith("opening: ")).map(({ check }) => check);
}

test("both cells are in order, and agree", async () => {
  assert.deepEqual([await audit(a.url), await audit(b.url), await compare(a.url, b.url)], [[], [], []]);
});

test("what is not mirrored yet is known by its oldest journal", async () => {
  const [poolA, poolB] = [createReadPool(a.url, 1), createReadPool(b.url, 1)];
  const { id: account = "" } = (await readTransitPositions(poolA, [outNo])).get(outNo) ?? {};
  const [oldest] = await readTransitEntries(poolA, { account, after: 31, afterJournal: undefined });
  const { from: bound = "", entries } = (await findUnmirrored(poolA, poolB, 1, 2)) ?? {};
  assert.deepEqual([timeOf(oldest?.journalId ?? "") - timeOf(bound), entries], [360_000, 9]);
  // Nothing goes the other way.
  assert.equal(await findUnmirrored(poolB, poolA, 2, 1), undefined);
  await endPools(poolA, poolB);
  await using copy = await copyDatabase(b.ownerUrl);
  await spoil(copy.url, setAccount(inNo, "version = 40"));
  const pools = [createReadPool(a.url, 1), createReadPool(copy.url, 1)] as const;
  assert.equal(await findUnmirrored(...pools, 1, 2), undefined);
  await endPools(...pools);
});

const ofAccount = (no: string) => `account_id = (select id from accounts where account_no = '${no}')`;
const setAccount = (no: string, set: string) => `update accounts set ${set} where account_no = '${no}'`;

const faults: readonly (readonly [name: string, a: readonly string[], b: readonly string[], found: RegExp])[] = [
  [
    "a mirrored entry that was changed",
    [],
    [setAccount(inNo, "balance = balance - 1")],
    /^transitMirrored: balance -\d+ at version 31 \/ /,
  ],
  [
    "a sent entry that was changed",
    [`update entries set balance_after = balance_after + 1 where ${ofAccount(outNo)} and version = 31`],
    [],
    /^transitMirrored: /,
  ],
  [
    "a sent entry that is missing",
    [`delete from entries where ${ofAccount(outNo)} and version = 31`],
    [],
    /^transitMirrored: an entry of version 31 \/ /,
  ],
  [
    "a mirror that is ahead",
    [],
    [setAccount(inNo, "version = 41")],
    /^transitNotAhead: version 40 at most \/ version 41$/,
  ],
  [
    "a mirror of another account",
    [],
    [setAccount(inNo, "name = 'other'")],
    /^transitMirrorsItsAccount: account \w{8}-.* \/ account other$/,
  ],
  ["a mirror of nothing", [setAccount(outNo, "account_no = 'lost'")], [], /^transitMirrorsItsAccount: account of none/],
];

for (const [name, spoilA, spoilB, found] of faults) {
  test(`between the cells is found: ${name}`, async () => {
    await using copyA = await copyDatabase(a.ownerUrl);
    await using copyB = await copyDatabase(b.ownerUrl);
    await spoil(copyA.url, ...spoilA);
    await spoil(copyB.url, ...spoilB);
    const findings = await compare(copyA.url, copyB.url);
    assert.equal(findings.length, 1);
    assert.match(findings[0] ?? "", found);
  });
}

const journalOf = (no: string, version: number) =>
  `(select journal_id from entries where ${ofAccount(no)} and version = ${version})`;

/** In one cell. */
const forgeries: readonly (readonly [name: string, cell: "a" | "b", statement: string, found: readonly string[]])[] = [
  [
    "a payment across that credits another cell's account",
    "a",
    setAccount(outNo, "account_no = 'transit:out:IDR:03'"),
    ["recordHasJournal"],
  ],
  [
    "a payment across that is recorded as one within the cell",
    "a",
    `update accepted_requests set payload = payload::jsonb - 'cell' where id = ${journalOf(outNo, 7)}`,
    ["recordHasJournal"],
  ],
  [
    "a credit from another cell that a customer paid",
    "b",
    `update entries set account_id = (select id from accounts where account_no = '9'), version = 99, balance_after = 1
      where ${ofAccount(inNo)} and version = 31`,
    ["accountMatchesEntries", "entryChain", "entryNotBeyondAccount", "transitOnItsAccounts"],
  ],
  [
    "a mirrored entry of another kind",
    "b",
    `update entries set kind = 12 where journal_id = ${journalOf(inNo, 7)}`,
    ["journalHasOrigin", "transitOnItsAccounts"],
  ],
];

for (const [name, cell, statement, found] of forgeries) {
  test(`in one cell is found: ${name}`, async () => {
    await using copy = await copyDatabase((cell === "a" ? a : b).ownerUrl);
    await spoil(copy.url, statement);
    assert.deepEqual([...new Set(await audit(copy.url))].sort(), found);
  });
}

test("an approved payment request whose beneficiary is in another cell credits what goes there", async () => {
  await using copy = await copyDatabase(a.ownerUrl);
  const id = newId(1);
  const journal = journalOf(outNo, 8);
  // The payment of version 8 becomes an approval's.
  await spoil(
    copy.url,
    `insert into payment_requests (id, partner, payer_account_id, beneficiary_account_id, currency, requested_amount, expires_at,
        state, approved_amount, approval_journal_id, answered_at, answered_by, version, accepted_at)
      select '${id}', r.partner, e.account_id, '${newId(2)}', 'IDR', -e.amount, now() + interval '1 day', 'approved', -e.amount,
        r.id, now(), 'payer', 2, now() from accepted_requests r join entries e on e.journal_id = r.id and e.amount < 0
      where r.id = ${journal}`,
    `update accepted_requests set id = '${id}', service = 19 where id = ${journal}`,
  );
  const pool = createReadPool(copy.url, 1);
  const { id: account = "" } = (await readTransitPositions(pool, [outNo])).get(outNo) ?? {};
  const [entry] = await readTransitEntries(pool, { account, after: 7, afterJournal: undefined });
  await endPools(pool);
  assert.match(entry?.payload ?? "", /^\{"cell":2,"request":/);
  assert.ok(!(await audit(copy.url)).includes("recordHasJournal"));
  await spoil(
    copy.url,
    `update accepted_requests set payload = replace(payload, '"cell":2', '"cell":3') where id = '${id}'`,
  );
  assert.ok((await audit(copy.url)).includes("recordHasJournal"));
});

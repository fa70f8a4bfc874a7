/** Locks of a batch's rows: a lock keeps others out, and a row that is not as it was locked is not written. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Client } from "pg";
import { newId } from "../../packages/server/src/basics/ids.ts";
import {
  beginTransaction,
  openSession,
  rollbackTransaction,
  type Session,
} from "../../packages/server/src/store/postgres/session.ts";
import { findAcceptedRequests } from "../../packages/server/src/store/tables/requests/accepted-requests.ts";
import {
  findLockedAccounts,
  lockAccounts,
  lockAccountsWithParents,
  updateAccounts,
} from "../../packages/server/src/store/tables/accounts.ts";
import { bulkLocks, updateBulks } from "../../packages/server/src/store/tables/bulks.ts";
import { updateCaptures } from "../../packages/server/src/store/tables/hold-events.ts";
import { findLockedHolds, insertHolds, lockHolds, updateHolds } from "../../packages/server/src/store/tables/holds.ts";
import type { LockedRow } from "../../packages/server/src/store/tables/locked-row.ts";
import {
  findOpenRequests,
  paymentRequestLocks,
  updatePaymentRequests,
} from "../../packages/server/src/store/tables/payment-requests.ts";
import { findRequestKeys, releaseRequestKeys } from "../../packages/server/src/store/tables/requests/request-keys.ts";
import { transferLocks, updateTransfers } from "../../packages/server/src/store/tables/transfers.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import { useDatabase } from "../support/database/database.ts";
import { insertRow, type Row, type Table } from "../support/database/valid-rows.ts";

const database = await useDatabase();
const client = new Client({ connectionString: database.ownerUrl });
await client.connect();
const [session, other] = await Promise.all([openSession(database.url, "one"), openSession(database.url, "other")]);
after(async () => {
  await Promise.all([session.close(), other.close(), client.end()]);
  await database.drop();
});

const noKeys = { ids: [], partnerReferenceKeys: [] };
const byId = (id: string) => ({ ids: [id], partnerReferenceKeys: [] });

interface Kind {
  readonly table: Table;
  lock(by: Session, id: string): Promise<readonly unknown[]>;
  findLocked(by: Session, id: string): Promise<readonly LockedRow[]>;
  /** Writes the row as it becomes, if it is still at this version. */
  update(version: number, id: string): Promise<unknown>;
}

const kinds: readonly Kind[] = [
  {
    table: "accounts",
    lock: async (by, id) => (await lockAccounts(by, { ids: [id], numbers: [] })).accounts,
    findLocked: (by, id) => findLockedAccounts(by, { ids: [id], numbers: [] }, noKeys),
    update: async (version, id) => {
      const {
        accounts: [account],
      } = await lockAccounts(session, { ids: [sample("accounts")], numbers: [] });
      return (
        account && updateAccounts(session, [{ oldVersion: version, account: { ...account, id, version: version + 1 } }])
      );
    },
  },
  {
    table: "holds",
    lock: (by, id) => lockHolds(by, byId(id)),
    findLocked: (by, id) => findLockedHolds(by, byId(id)),
    update: async (version, id) => {
      const [row] = await lockHolds(session, byId(sample("holds")));
      return (
        row && updateHolds(session, [{ oldEventCount: version, hold: { ...row.hold, id, eventCount: version + 1 } }])
      );
    },
  },
  {
    table: "transfers",
    lock: (by, id) => transferLocks.lock(by, [id]),
    findLocked: (by, id) => transferLocks.findLocked(by, [id]),
    update: async (version, id) => {
      const [transfer] = await transferLocks.lock(session, [sample("transfers")]);
      return (
        transfer &&
        updateTransfers(session, [{ oldVersion: version, transfer: { ...transfer, id, version: version + 1 } }])
      );
    },
  },
  {
    table: "bulks",
    lock: (by, id) => bulkLocks.lock(by, [id]),
    findLocked: (by, id) => bulkLocks.findLocked(by, [id]),
    update: async (version, id) => {
      const [bulk] = await bulkLocks.lock(session, [sample("bulks")]);
      return bulk && updateBulks(session, [{ oldVersion: version, bulk: { ...bulk, id, version: version + 1 } }]);
    },
  },
  {
    table: "payment_requests",
    lock: (by, id) => paymentRequestLocks.lock(by, [id]),
    findLocked: (by, id) => paymentRequestLocks.findLocked(by, [id]),
    update: async (version, id) => {
      const [request] = await paymentRequestLocks.lock(session, [sample("payment_requests")]);
      return (
        request &&
        updatePaymentRequests(session, [{ oldVersion: version, request: { ...request, id, version: version + 1 } }])
      );
    },
  },
];

const samples = new Map<Table, Row>();
const sample = (table: Table) => String(samples.get(table)?.["id"]);
for (const { table } of kinds) samples.set(table, await insertRow(client, table));

const settled = () => ({ state: "settled", is_open: false, resolution_journal_id: newId(), resolved_by: "rail" });
const isStale = (error: unknown) => error instanceof Error && "code" in error && error.code === "22012";

for (const { table, lock, findLocked, update } of kinds) {
  test(`a row of ${table} that one batch has locked is locked for the others until it ends`, async () => {
    const id = sample(table);
    await beginTransaction(session);
    assert.equal((await lock(session, id)).length, 1);
    await beginTransaction(other);
    assert.deepEqual(
      (await findLocked(other, id)).map((row) => row.id),
      [id],
    );
    await assert.rejects(lock(other, id), { code: "55P03" });
    await rollbackTransaction(other);
    await rollbackTransaction(session);
    assert.deepEqual(await findLocked(other, id), []);
  });

  test(`a row of ${table} is written at the version it was locked at, and never where it is not there`, async () => {
    const version = Number(samples.get(table)?.[table === "holds" ? "event_count" : "version"]);
    await assert.rejects(update(version + 1, sample(table)), isStale);
    await assert.rejects(update(version, newId()), isStale);
    await update(version, sample(table));
    await assert.rejects(update(version, sample(table)), isStale);
  });
}

test("the accounts that a hold names are locked with it", async () => {
  const [payer, settlement] = [await insertRow(client, "accounts"), await insertRow(client, "accounts")];
  const hold = await insertRow(client, "holds", {
    payer_account_id: payer["id"],
    settlement_account_id: settlement["id"],
  });
  const parents = byId(String(hold["id"]));
  await beginTransaction(session);
  assert.equal((await lockAccountsWithParents(session, { ids: [], numbers: [] }, parents, [])).accounts.length, 2);
  await beginTransaction(other);
  assert.equal((await findLockedAccounts(other, { ids: [], numbers: [] }, parents)).length, 2);
  await rollbackTransaction(other);
  await rollbackTransaction(session);
});

test("a new hold is open, and one with something left", async () => {
  const [row] = await lockHolds(session, byId(sample("holds")));
  assert.ok(row);
  const id = newId();
  await insertHolds(session, [{ ...row, hold: { ...row.hold, id } }], "2026-11-23T03:00:00Z");
  const isOpen = async () => (await client.query("select from holds where id = $1 and is_open", [id])).rowCount === 1;
  assert.equal(await isOpen(), true);
  const captured = (amount: bigint, count: number) => ({ ...row.hold, id, captured: minor(amount), eventCount: count });
  await updateHolds(session, [{ oldEventCount: 0, hold: captured(4n, 1) }]);
  assert.equal(await isOpen(), true);
  await updateHolds(session, [{ oldEventCount: 1, hold: captured(10n, 2) }]);
  assert.equal(await isOpen(), false);
});

test("a bulk is open until it ends", async () => {
  const { id } = await insertRow(client, "bulks");
  const [bulk] = await bulkLocks.lock(session, [String(id)]);
  assert.ok(bulk);
  const isOpen = async () => (await client.query("select from bulks where id = $1 and is_open", [id])).rowCount === 1;
  const counted = { ...bulk, settledCount: 1, version: 1 };
  await updateBulks(session, [{ oldVersion: 0, bulk: counted }]);
  assert.equal(await isOpen(), true);
  const ended = { ...bulk, settledCount: 2, endedAt: Date.UTC(2026, 10, 23, 5), version: 2 };
  await updateBulks(session, [{ oldVersion: 1, bulk: ended }]);
  assert.equal(await isOpen(), false);
});

test("an external id is given up by the request that has it, and by no other", async () => {
  const key = "0fffffff-ffff-ffff-ffff-ffffffffffff";
  const { request_id: requestId } = await insertRow(client, "request_keys", { key });
  await releaseRequestKeys(session, [{ key, requestId: newId() }]);
  assert.equal((await findRequestKeys(session, [key])).get(0), requestId);
  await releaseRequestKeys(session, [{ key, requestId: String(requestId) }]);
  assert.equal((await findRequestKeys(session, [key])).size, 0);
});

test("payment requests that wait are open", async () => {
  const payer = await insertRow(client, "accounts");
  const request = { payer_account_id: payer["id"] };
  const { id } = await insertRow(client, "payment_requests", request);
  const answered = { state: "declined", answered_at: "2026-11-23T03:30:00Z", answered_by: "payer" };
  await insertRow(client, "payment_requests", { ...request, ...answered });
  const found = await findOpenRequests(session, [{ accountNo: String(payer["account_no"]), max: 9 }]);
  assert.deepEqual(
    [...found.values()].flat().map((one) => one.id),
    [id],
  );
});

test("the external id of a request stays taken while what it began is open", async () => {
  const openUntil = async (table: Table, changes: Row = {}) => {
    const { id } = await insertRow(client, table, changes);
    await insertRow(client, "accepted_requests", { id });
    const { byExternalIdKey } = await findAcceptedRequests(session, new Map([[0, String(id)]]), new Map());
    return byExternalIdKey.get(0)?.openUntil;
  };
  assert.equal(await openUntil("transfers"), Infinity);
  assert.equal(await openUntil("transfers", settled()), undefined);
  const time = "2026-11-23T03:30:00Z";
  assert.equal(await openUntil("bulks"), Infinity);
  assert.equal(await openUntil("bulks", { settled_count: 2, is_open: false, ended_at: time }), undefined);
  assert.equal(await openUntil("payment_requests"), Date.UTC(2026, 10, 23, 4));
  const declined = { state: "declined", answered_at: time, answered_by: "payer" };
  assert.equal(await openUntil("payment_requests", declined), undefined);
});

test("the refunded amount of a capture only grows, and no other event has one", async () => {
  const refund = (hold: string, sequence: number, refunded: bigint) =>
    updateCaptures(session, [
      { hold, capture: { sequence, id: newId(), amount: minor(10n), refunded: minor(refunded), refundUntil: 0 } },
    ]);
  const hold = String((await insertRow(client, "hold_events"))["hold_id"]);
  await insertRow(client, "hold_events", { hold_id: hold, sequence: 2, kind: 2 });
  await refund(hold, 1, 4n);
  await assert.rejects(refund(hold, 1, 4n), isStale);
  await assert.rejects(refund(hold, 2, 0n), isStale);
  await assert.rejects(refund(hold, 3, 4n), isStale);
});

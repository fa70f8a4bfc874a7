// The function that writes a short batch: each of its guards by itself, which the engine never meets alone.
import assert from "node:assert/strict";
import { after, afterEach, test } from "node:test";
import { Client } from "pg";
import { allOrFirstError } from "../../packages/server/src/engine/batch/batch.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import { insertTransfers } from "../../packages/server/src/store/tables/transfers.ts";
import type { ShortBatch } from "../../packages/server/src/store/tables/requests/short-batch.ts";
import {
  behindShortBatch,
  writeShortBatch,
} from "../../packages/server/src/store/tables/requests/write-short-batch.ts";
import {
  beginTransaction,
  openSession,
  rollbackTransaction,
} from "../../packages/server/src/store/postgres/session.ts";
import { findFaults } from "../engine/find-faults.ts";
import { accounts, seedAccounts } from "../engine/seed-accounts.ts";
import { account, accountId, partner, transferCommand } from "../engine/transfers.ts";
import { useDatabase } from "../support/database/database.ts";

const database = await useDatabase();
const client = new Client({ connectionString: database.ownerUrl });
await client.connect();
await seedAccounts(client, accounts(3, 1_000n));
const session = await openSession(database.url, "short batch");
after(async () => {
  await session.close();
  await client.end();
  await database.drop();
});
afterEach(async () => assert.deepEqual(await findFaults(client), []));

const at = "2026-11-27T03:00:00.000Z";

async function readAccount(accountNo: string) {
  const { rows } = await client.query<{ xmin: string; balance: string; version: string }>(
    "select xmin::text, balance, version from accounts where id = $1",
    [accountId(accountNo)],
  );
  const [row] = rows;
  assert.ok(row);
  const { xmin, balance, version } = row;
  return { account: account(accountNo, { balance: minor(BigInt(balance)), version: Number(version) }), xmin };
}

/** By which function it is written: one is for one request that reads the two accounts that it moves. */
const forms = ["one request", "several"] as const;
type Form = (typeof forms)[number];

/** A transfer of one minor unit from account 1 to 2, as the rows stand. */
async function transferOf(form: Form, externalId: string, number = externalId): Promise<ShortBatch> {
  const both = [await readAccount("1"), await readAccount("2")];
  const read = form === "several" ? [...both, await readAccount("3")] : both;
  const { id, keys } = transferCommand({ from: "1", to: "2", amount: 1n, externalId, number });
  assert.ok(keys);
  const moved = both.map((one, index) => {
    const amount = index === 0 ? -1n : 1n;
    const left = { ...one.account, balance: minor(one.account.balance + amount), version: one.account.version + 1 };
    return { amount, left, oldVersion: one.account.version };
  });
  return {
    at,
    read,
    calls: [{ ...keys, id }],
    requests: [{ ...keys, id, payload: '{"from":"1","to":"2","amount":"1"}', freeForm: undefined, at: Date.parse(at) }],
    entries: moved.map(({ amount, left }) => ({
      accountId: left.id,
      version: left.version,
      journalId: id,
      kind: 2,
      currency: "IDR",
      amount,
      balanceAfter: left.balance,
    })),
    updates: moved.map(({ left, oldVersion }) => ({ account: left, oldVersion })),
    behind: [],
  };
}

/** As the engine sends it. */
async function write(batch: ShortBatch) {
  const sent = session.roundTrip(
    () => [beginTransaction(session), writeShortBatch(session, batch), session.commit()] as const,
  );
  const [, result] = await allOrFirstError(sent);
  return result;
}

const countRows = async (table: string) => (await client.query(`select from ${table}`)).rowCount;

/** Changes of the remembered payer, by which it is not as its row is. */
const others: Readonly<Record<string, (read: ShortBatch["read"][number]) => ShortBatch["read"][number]>> = {
  xmin: (read) => ({ ...read, xmin: String(Number(read.xmin) + 1) }),
  version: ({ account: found, xmin }) => ({ account: { ...found, version: found.version + 1 }, xmin }),
  balance: ({ account: found, xmin }) => ({ account: { ...found, balance: minor(found.balance + 1n) }, xmin }),
};

const idStatement = { name: "transaction-id", text: "select pg_current_xact_id_if_assigned()::text" };

for (const form of forms) {
  test(`${form}: a batch is written where all is as it was read, and answers the xmin of its accounts`, async () => {
    const result = await write(await transferOf(form, `function-1-${form}`));
    const { xmin } = await readAccount("1");
    assert.deepEqual(result, { kind: "written", xmin });
    assert.equal((await readAccount("2")).xmin, xmin);
  });

  for (const [what, change] of Object.entries(others)) {
    for (const position of [0, 1]) {
      test(`${form}: with another ${what} of account ${position + 1} nothing is written, and the accounts are answered as they are`, async () => {
        const batch = await transferOf(form, `function-${form}-${what}`);
        const before = await countRows("request_keys");
        const read = batch.read.map((one, index) => (index === position ? change(one) : one));
        const result = await write({ ...batch, read });
        assert.ok(result.kind === "changed");
        const found = result.found.accounts.map((one, index) => [
          one.accountNo,
          one.balance,
          one.version,
          result.found.xmins[index],
        ]);
        const asTheyAre = batch.read.map(({ account: one, xmin }) => [one.accountNo, one.balance, one.version, xmin]);
        assert.deepEqual(new Set(found), new Set(asTheyAre));
        assert.equal(await countRows("request_keys"), before);
      });
    }
  }

  for (const numbers of [["1"], ["2"], ["1", "2"]]) {
    test(`${form}: an account that is locked is not waited for: of ${numbers.join(" and ")}; its commit, which confirms reads, is written`, async () => {
      const batch = await transferOf(form, `function-locked-${form}`);
      await client.query("begin");
      await client.query("select from accounts where id = any($1) for update", [numbers.map(accountId)]);
      const sent = session.roundTrip(
        () =>
          [
            beginTransaction(session),
            writeShortBatch(session, batch),
            session.run(idStatement),
            session.commit(),
          ] as const,
      );
      const [, written, id] = await Promise.allSettled(sent);
      await client.query("rollback");
      assert.equal(written.status === "fulfilled" && written.value.kind, "changed");
      assert.match((id.status === "fulfilled" && id.value[0]?.[0]) || "", /^\d+$/);
    });
  }

  test(`${form}: a rejection applies to a call of its signature, though nothing else of it is known`, async () => {
    const batch = await transferOf(form, `function-signature-${form}`);
    const [call] = batch.calls;
    assert.ok(call);
    await client.query(
      `insert into rejected_requests (id, partner, service, external_id_key, partner_reference_key, signature_key, kind, payload,
       rejected_at, sent_at)
     values ($1, $2, 17, $1, $1, $3, 'insufficientFunds', '{}', now(), to_timestamp(0))`,
      [newId(), partner, call.signatureKey],
    );
    assert.equal((await write(batch)).kind, "rejected");
  });

  test(`${form}: where a key is taken nothing is written, and no other key stays`, async () => {
    assert.equal((await write(await transferOf(form, `function-taken-${form}`))).kind, "written");
    const before = await countRows("request_keys");
    for (const [externalId, number] of [
      [`function-taken-${form}`, `function-taken-${form}`],
      [`function-taken-${form}`, `function-free-${form}`],
      [`function-free-${form}`, `function-taken-${form}`],
    ] as const) {
      assert.equal((await write(await transferOf(form, externalId, number))).kind, "taken");
    }
    assert.equal(await countRows("request_keys"), before);
  });

  test(`${form}: a key that another session takes meanwhile is taken`, async () => {
    const batch = await transferOf(form, `function-raced-${form}`);
    const [request] = batch.requests;
    assert.ok(request);
    const before = await countRows("request_keys");
    await client.query("begin");
    await client.query("insert into request_keys values ($1, $2)", [request.partnerReferenceKey, newId()]);
    const written = write(batch).then(
      ({ kind }) => kind,
      (error: { code: string }) => error.code,
    );
    const waiting = "select from pg_locks where not granted and locktype = 'transactionid'";
    while ((await client.query(waiting)).rowCount === 0);
    await client.query("commit");
    assert.equal(await written, form === "several" ? "40001" : "taken");
    if (form === "several") await rollbackTransaction(session);
    assert.equal(await countRows("request_keys"), (before ?? 0) + 1);
  });

  test(`${form}: at most 30 locks on tables and indexes a transfer, once its statements are planned`, async () => {
    const locks = {
      name: "count-locks",
      text: `select count(*) from pg_locks where pid = pg_backend_pid() and relation is not null
      and relation::regclass::text not like 'pg\\_%'`,
    };
    let count = Infinity;
    for (let round = 0; round < 3; round += 1) {
      const batch = await transferOf(form, `function-locks-${form}-${round}`);
      const sent = session.roundTrip(
        () =>
          [beginTransaction(session), writeShortBatch(session, batch), session.run(locks), session.commit()] as const,
      );
      const [, , [row]] = await allOrFirstError(sent);
      count = Number(row?.[0]);
    }
    // Several are two at least, and share them.
    assert.ok(count > 0 && count <= (form === "several" ? 60 : 30), `${count} locks`);
  });

  test(`${form}: rows of other kinds are added behind a batch that was written, and behind no other`, async () => {
    const rowsOf = (id: string) =>
      behindShortBatch((by) => {
        void insertTransfers(
          by,
          [
            {
              id,
              partner,
              service: 18,
              rail: "instant",
              source: accountId("1"),
              currency: "IDR",
              sentAmount: minor(1n),
              fee: minor(0n),
              dailyLimitAmount: minor(1n),
              businessDate: 20_000,
              suspensePart: 0,
              state: "submitted",
            } as unknown as Parameters<typeof insertTransfers>[1][number],
          ],
          at,
        );
      }) ?? assert.fail();
    const batch = await transferOf(form, `function-behind-${form}`);
    const [payer, ...rest] = batch.read;
    assert.ok(payer);
    const behind = rowsOf(newId());
    assert.equal((await write({ ...batch, read: [{ ...payer, xmin: "1" }, ...rest], behind })).kind, "changed");
    assert.equal(await countRows("transfers"), 0);
    assert.equal((await write({ ...batch, behind })).kind, "written");
    assert.equal(await countRows("transfers"), 1);
    assert.equal((await write({ ...batch, behind: rowsOf(newId()) })).kind, "changed");
    assert.equal(await countRows("transfers"), 1);
    await client.query("delete from transfers");
  });
}

test("an account is not written at another version than was decided on", async () => {
  const batch = await transferOf("several", "function-version");
  const [payer, payee] = batch.updates;
  assert.ok(payer && payee);
  const wrong = { ...batch, updates: [{ ...payer, oldVersion: payer.oldVersion + 1 }, payee] };
  await assert.rejects(write(wrong), { code: "22012" });
  await rollbackTransaction(session);
});

test("a statement that does more than add rows is not sent behind a batch", () => {
  assert.equal(
    behindShortBatch((by) => void by.run({ name: "other", text: "select 1" })),
    undefined,
  );
});

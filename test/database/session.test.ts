// Round trips of the engine's connection: what is skipped behind a failure, and what is answered before what waits.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { connectPlain } from "../../packages/server/src/store/postgres/connect.ts";
import {
  beginTransaction,
  openSession,
  rollbackTransaction,
  type Session,
} from "../../packages/server/src/store/postgres/session.ts";
import { useDatabase } from "../support/database/database.ts";

const database = await useDatabase();
const { url, ownerUrl } = database;
const other = await connectPlain({ connectionString: ownerUrl });
await other.query("create table rows (id int primary key); grant all on rows to public");
const session = await openSession(url, "trips");
after(async () => {
  await session.close();
  await other.end();
  await database[Symbol.asyncDispose]();
});

const insert = (by: Session, id: number) => by.run({ name: "insert", text: "insert into rows values ($1::int)" }, [id]);
const fail = (by: Session) => by.run({ name: "fail", text: "select 1 / 0" });
const ids = async () => (await other.query<{ id: number }>("select id from rows order by id")).rows.map(({ id }) => id);
const codesOf = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.map((result) => (result.status === "rejected" ? (result.reason as { code: string }).code : "done"));

test("statements behind a failed one are skipped, its commit too", async () => {
  const sent = session.roundTrip(() => [
    beginTransaction(session),
    insert(session, 1),
    fail(session),
    session.commit(),
  ]);
  assert.deepEqual(codesOf(await Promise.allSettled(sent)), ["done", "done", "22012", "25P02"]);
  await rollbackTransaction(session);
  assert.deepEqual(await ids(), []);
});

test("a commit that rolls back is not confirmed", async () => {
  await beginTransaction(session);
  await insert(session, 1);
  assert.deepEqual(codesOf(await Promise.allSettled([fail(session)])), ["22012"]);
  assert.equal(await session.commit(), undefined);
  assert.deepEqual(await ids(), []);
});

test("behind a begin that fails, no statement commits by itself", async () => {
  const sent = session.roundTrip(() => [fail(session), insert(session, 2)]);
  assert.deepEqual(codesOf(await Promise.allSettled(sent)), ["22012", "25P02"]);
  assert.deepEqual(await ids(), []);
});

test("a commit is answered while the round trip behind it, in the same packet, waits for a lock", async () => {
  await other.query("begin");
  await other.query("lock table rows");
  const [committed, waiting] = session.roundTrip(() => [
    session.roundTrip(() => Promise.all([beginTransaction(session), session.commit()])),
    session.roundTrip(() => Promise.all([beginTransaction(session), insert(session, 3), session.commit()])),
  ]);
  let isThrough = false;
  void waiting.then(() => (isThrough = true));
  assert.ok((await committed)[1]);
  assert.equal(isThrough, false);
  await other.query("commit");
  await waiting;
  assert.deepEqual(await ids(), [3]);
});

test("a statement that could not be prepared is prepared when it is sent again", async () => {
  const late = { name: "late", text: "select id from later" };
  await assert.rejects(session.run(late), { code: "42P01" });
  await other.query("create view later as select id from rows; grant select on later to public");
  assert.deepEqual(await session.run(late), [["3"]]);
});

test("a statement that cannot be prepared inside a transaction is the error of what it breaks", async () => {
  const fresh = await openSession(url, "trips");
  const one = { name: "one", text: "select 1" };
  await fresh.run(one);
  await beginTransaction(fresh);
  await other.query("begin");
  await other.query("lock table rows");
  const sent = fresh.roundTrip(() => [fresh.run(one), insert(fresh, 5), fresh.commit()]);
  assert.deepEqual(codesOf(await Promise.allSettled(sent)), ["55P03", "25P02", "25P02"]);
  await other.query("rollback");
  await rollbackTransaction(fresh);
  await insert(fresh, 5);
  assert.deepEqual(await ids(), [3, 5]);
  await fresh.close();
});

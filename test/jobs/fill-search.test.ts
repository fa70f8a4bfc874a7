/** The words of the search: made behind every commit, in whatever order commits are seen, and the same when made again. */
import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { createFillSearch } from "../../packages/server/src/admin/search/fill-search.ts";
import { monthOf, readSearchKeys } from "../../packages/server/src/admin/search/search-keys.ts";
import { hashesOf } from "../../packages/server/src/admin/search/write-words.ts";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { idAt, lowestId, newId, timeOf } from "../../packages/server/src/basics/ids.ts";
import { createSecrets } from "../../packages/server/src/basics/secrets.ts";
import { emptySearch, endSearchKeys } from "../../packages/server/src/store/partitions/search.ts";
import { addKeptCalls } from "../../packages/server/src/store/tables/search/kept-calls.ts";
import { listSearchedIds } from "../../packages/server/src/store/tables/search/search-words.ts";
import { useJobDatabase } from "../support/database/job-database.ts";
import { insertRow } from "../support/database/valid-rows.ts";
import { withClient } from "../support/database/with-client.ts";
import { masterKeys } from "../support/administration.ts";
import { mayGoOn } from "../support/run-job.ts";
import { randomNumbers } from "../torture/random-numbers.ts";

const database = await useJobDatabase();
const { pool, client } = database;
after(() => database.drop());

const seed = Number(process.env["TITIAN_TEST_SEED"] ?? Date.now() % 1_000_000);
console.log(`seed ${seed}`);
const random = randomNumbers(seed);
const below = (count: number) => Math.floor(random() * count);
const day = 86_400_000;
const [secrets, real] = [createSecrets(masterKeys), createClock()];

/** A node that fills; `passes` makes it look at everything from the position on. */
function newNode({ perSecond = 10_000, keepMs = 400 * day, isBusy = (): boolean => false } = {}) {
  let passed = 0;
  let behind: number | undefined;
  const clock = { monotonic: () => real.monotonic() + passed };
  const onBehind = (ms: number | undefined) => void (behind = ms);
  const { run } = createFillSearch({ pool, clock, secrets, keepMs, perSecond, isBusy, onBehind });
  return {
    run: () => run(mayGoOn),
    passes: (ms: number) => void (passed += ms),
    behind: () => behind,
  };
}

const names = ["Siti Rahayu", "Budi", "Ratna Kusuma Dewi", "Sítí", "A B", ""];
const numbers = () => `TRX-${below(1_000)}`;
const services = [17, 18, 19, 20, 22, 63, 65, 69];

function anyPayload(): string {
  if (below(20) === 0) return "no JSON";
  const money = { value: `${1 + below(9_000_000)}.${below(10)}0`, currency: "IDR" };
  const request = {
    partnerReferenceNo: numbers(),
    ...(below(2) === 0 && { partnerCaptureNo: numbers() }),
    ...(below(2) === 0 && { customerReference: "PAYROLL 2026-11" }),
    sourceAccountNo: `10010000${10 + below(90)}`,
    beneficiaryAccountNo: `88-${below(1_000_000)}`,
    ...(below(2) === 0 && {
      beneficiaryBankCode: "014",
      beneficiaryAccountName: names[below(names.length)],
    }),
    amount: money,
  };
  return JSON.stringify({
    request,
    ...(below(2) === 0 && { amount: money, from: "1001000001", to: "suspense:x" }),
  });
}

interface Given {
  readonly id?: string;
  readonly payload?: string;
  readonly service?: number | undefined;
  readonly by?: typeof client;
}

/** The id of an accepted request. */
async function accept({ id = newId(), payload = anyPayload(), by = client, ...given }: Given = {}): Promise<string> {
  const service = given.service ?? services[below(services.length)];
  await insertRow(by, "accepted_requests", {
    id,
    payload,
    service,
    external_id: numbers(),
    accepted_at: new Date(timeOf(id)),
  });
  return id;
}

async function kept(): Promise<readonly string[]> {
  const { rows } = await client.query("select word || ' ' || record as row from search_words order by word, record");
  return rows.map(({ row }) => row as string);
}

/** As they follow from the requests alone. */
async function expected(): Promise<readonly string[]> {
  const keys = new Map((await readSearchKeys({ pool, secrets })).map(({ month, key }) => [month, key]));
  const { rows } = await client.query(
    "select id, service, external_id, payload, (extract(epoch from accepted_at) * 1000)::float8 as at from accepted_requests",
  );
  const words = rows.flatMap(({ id, external_id: externalId, at, ...row }) =>
    hashesOf(
      { id, externalId, at: Number(at), service: row.service, payload: row.payload },
      new Map(),
      keys.get(monthOf(id)),
    ),
  );
  return [...new Set(words.map(({ word, record }) => `${word} ${record}`))].toSorted(inOrder);
}

const wordOf = (row: string) => BigInt(row.split(" ")[0] ?? "");
const inOrder = (a: string, b: string) => (wordOf(a) < wordOf(b) ? -1 : wordOf(a) > wordOf(b) ? 1 : a < b ? -1 : 1);

const positionOf = async () =>
  (await client.query("select position from search_positions")).rows[0]?.position as string;
/** The holder of the lease is gone. */
const endLease = () => client.query("update search_positions set expires_at = '-infinity'");
const wordsOfRecord = async (id: string) =>
  (await client.query("select from search_words where record = $1", [id])).rowCount ?? 0;

beforeEach(async () => {
  await client.query("alter table accepted_requests disable trigger user");
  for (const name of (await client.query("select name from partitions where parent = 'accepted_requests'")).rows)
    await client.query(`alter table ${name.name} disable trigger user; truncate table ${name.name}`);
  await emptySearch(client);
  await client.query("delete from search_keys; truncate table kept_calls");
  await endLease();
});

test("what is made behind each commit is what follows from the requests, and what is made again", async () => {
  const now = Date.now();
  for (const ago of [300, 60, 40, 8, 1]) {
    for (let count = 0; count < 20; count += 1) await accept({ id: newIdAt(now - ago * day - count) });
  }
  const node = newNode({ perSecond: 33 });
  for (let round = 0; round < 12; round += 1) {
    for (let count = below(10); count > 0; count -= 1) await accept();
    await node.run();
    node.passes(1_000);
  }
  assert.equal(node.behind(), 0);
  const made = await kept();
  assert.ok(made.length > 500);
  assert.deepEqual(made, await expected());
  await emptySearch(client);
  const again = newNode({ perSecond: 50 });
  assert.equal(await again.run(), 0, "the other node has the lease");
  assert.equal(again.behind(), undefined);
  // The first node remembers what it wrote, and nothing of that counts.
  while ((await node.run()) > 0) assert.ok((node.behind() ?? 0) >= 0);
  assert.deepEqual(await kept(), made);
  await endLease();
  await again.run();
  assert.deepEqual(await kept(), made);
});

test("a busy node takes a fifth in a run, and is behind", async () => {
  await emptySearch(client);
  for (let count = 0; count < 20; count += 1) await accept();
  const busy = newNode({ perSecond: 50, isBusy: () => true });
  assert.deepEqual([await busy.run(), (busy.behind() ?? 0) > 0], [11, true]);
  await endLease();
});

/** An id that was made then. */
function newIdAt(at: number): string {
  return idAt(at).slice(0, 13) + newId().slice(13);
}

test("a commit that is seen late is found, and the position waits for those that can still come", async () => {
  const node = newNode();
  await withClient(database.url, async (late) => {
    await late.query("begin");
    const slow = await accept({ id: newIdAt(Date.now() - 100), by: late, service: 17 });
    const stuck = await accept({ id: newIdAt(Date.now() - 240_000), by: late, service: 17 });
    const newer = await accept({ service: 17 });
    await node.run();
    assert.ok((await wordsOfRecord(newer)) > 0);
    assert.equal(await wordsOfRecord(slow), 0);
    const waits = timeOf(await positionOf());
    assert.ok(waits > Date.now() - 400_000 && waits <= Date.now() - 360_000, `${Date.now() - waits} ms`);
    await late.query("commit");
    await node.run();
    assert.ok((await wordsOfRecord(slow)) > 0);
    assert.equal(await wordsOfRecord(stuck), 0);
    node.passes(30_000);
    await node.run();
    assert.ok((await wordsOfRecord(stuck)) > 0);
  });
  assert.deepEqual(await kept(), await expected());
});

test("a service at rest writes nothing", async () => {
  const node = newNode();
  const written = async () => (await client.query("select xmin from search_positions")).rows[0];
  const untouched = await written();
  await node.run();
  assert.equal((await written())?.xmin, untouched?.xmin);
  await accept({ id: newIdAt(Date.now() - 1_000) });
  assert.equal(await node.run(), 1);
  const once = await written();
  for (let runs = 0; runs < 3; runs += 1) assert.equal(await node.run(), 0);
  assert.equal((await written())?.xmin, once?.xmin);
});

test("words and position are one transaction: where it fails there is neither", async () => {
  const old = await accept({ id: newIdAt(Date.now() - day), service: 17 });
  await client.query(`create function reject_words() returns trigger language plpgsql as 'begin raise exception ''full''; end';
    create trigger reject_words before insert on search_words for each row execute function reject_words()`);
  const node = newNode();
  await assert.rejects(node.run(), /full/);
  assert.equal(timeOf(await positionOf()), 0);
  assert.deepEqual(await kept(), []);
  await client.query("drop trigger reject_words on search_words; drop function reject_words");
  await node.run();
  assert.ok((await positionOf()) >= old);
  assert.deepEqual(await kept(), await expected());
});

test("a node whose lease was taken writes nothing more, and two at once do no harm", async () => {
  const one = newNode();
  const other = newNode();
  for (let count = 0; count < 300; count += 1) await accept();
  const [first, second] = await Promise.all([one.run(), other.run()]);
  assert.deepEqual([first + second, Math.min(first, second)], [300, 0]);
  await accept();
  // This node sleeps between its lease and its write.
  const sleeper = createFillSearch({
    pool,
    clock: real,
    secrets,
    keepMs: day,
    perSecond: 10,
    onBehind: () => undefined,
  });
  await endLease();
  let asked = 0;
  const slept = sleeper.run(async () => {
    if ((asked += 1) === 1)
      await client.query("update search_positions set holder = gen_random_uuid(), expires_at = '-infinity'");
    return true;
  });
  await assert.rejects(slept, /Another node fills the search now/);
  await one.run();
  assert.deepEqual(await kept(), await expected());
});

test("requests and rejected calls are walked in one order, whatever the page", async () => {
  const facts = { correlationId: "0", at: 0, responseCode: "4031714" };
  const unset = { ...facts, inquiries: undefined, number: undefined, address: undefined };
  const ids: string[] = [];
  for (let count = 0; count < 30; count += 1) {
    const id = newId();
    if (below(4) > 0) await accept({ id });
    else await addKeptCalls(pool, [{ ...unset, record: id, partner: newId(), body: "sealed" }]);
    await addKeptCalls(pool, [{ ...unset, record: id, partner: undefined, body: undefined }]);
    ids.push(id);
  }
  for (const limit of [1, 7, 100]) {
    const read: string[] = [];
    for (let page = await listSearchedIds(pool, lowestId, limit); page.length > 0; ) {
      read.push(...page);
      page = await listSearchedIds(pool, read.at(-1) ?? "", limit);
    }
    assert.deepEqual(read, ids, `pages of ${limit}`);
  }
});

test("an ended key's words are found and made by nobody, whatever is made again; numbers stay", async () => {
  const [long, now] = [newIdAt(Date.UTC(2026, 0, 15)), newId()];
  const payload = JSON.stringify({
    request: {
      partnerReferenceNo: "R1",
      beneficiaryBankCode: "014",
      beneficiaryAccountNo: "777",
      beneficiaryAccountName: "Siti Rahayu",
    },
  });
  for (const id of [long, now]) await accept({ id, payload, service: 18 });
  const node = newNode();
  await node.run();
  const all = await kept();
  assert.equal(await wordsOfRecord(long), 5);
  assert.ok((await client.query("select key from search_keys")).rows.every(({ key }) => key.startsWith("1.")));
  assert.equal(await endSearchKeys(client, "2026-01"), 1);
  assert.deepEqual(
    (await readSearchKeys({ pool, secrets })).map(({ month }) => month),
    [monthOf(now)],
  );
  await emptySearch(client);
  await node.run();
  assert.equal(await wordsOfRecord(long), 2);
  assert.deepEqual(await kept(), await expected());
  assert.equal((await kept()).length, all.length - 3);
  // A month before gets none either.
  const longer = await accept({ id: newIdAt(Date.UTC(2025, 11, 15)), payload, service: 18 });
  await emptySearch(client);
  await node.run();
  assert.equal(await wordsOfRecord(longer), 2);
});

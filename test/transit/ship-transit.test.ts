// Payments between two databases: each arrives once, whoever ships it, and whatever is closed, restored or missing meanwhile.
import assert from "node:assert/strict";
import { test } from "node:test";
import { waitUntil } from "@titian/embedded-postgres";
import { idAt } from "../../packages/server/src/basics/ids.ts";
import type { Engine } from "../../packages/server/src/engine/engine.ts";
import { createTransitPool } from "../../packages/server/src/store/postgres/connect.ts";
import type { TransitShipper } from "../../packages/server/src/transit/ship-transit.ts";
import { account } from "../engine/transfers.ts";
import { copyDatabase } from "../support/database/copy-database.ts";
import { endPools } from "../support/database/end-pool.ts";
import {
  acrossCommand,
  asOwner,
  findUnmirrored,
  inNo,
  outNo,
  pay,
  ship,
  spoil,
  startEngine,
  useCell,
} from "./transit-fixture.ts";

async function useCells() {
  await using stack = new AsyncDisposableStack();
  const [a, b] = [stack.use(await useCell()), stack.use(await useCell())];
  const open = async (url: string) => {
    const engine = await startEngine(url);
    stack.defer(() => engine.close());
    return engine;
  };
  const [from, to] = [await open(a.url), await open(b.url)];
  const owned = stack.move();
  return { a, b, from, to, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function isMirrored(shipper: TransitShipper, version: number, ms = 10_000) {
  assert.ok(await shipper.waitForMirror({ currency: "IDR", version }, ms), `entry ${version} is not mirrored`);
}

const readAccount = (ownerUrl: string, accountNo: string) =>
  asOwner(ownerUrl, async (client) => {
    const text = "select version::int, balance::int from accounts where account_no = $1";
    const { rows } = await client.query<{ version: number; balance: number }>(text, [accountNo]);
    return rows[0];
  });

async function until(told: readonly string[], ...expected: readonly string[]) {
  const isThere = () => (expected.every((line) => told.includes(line)) ? true : undefined);
  assert.ok(await waitUntil(isThere, { timeoutMs: 10_000, everyMs: 5 }), `told: ${told.join(", ")}`);
}

test("each payment arrives once, with two shippers at once", async () => {
  await using cells = await useCells();
  await using one = ship(cells.a.url, { url: cells.b.url, engine: cells.to });
  await using other = ship(cells.a.url, { url: cells.b.url, engine: cells.to });
  const outcomes = await pay(cells.from, 1_000);
  one.shipper.poke("IDR");
  other.shipper.poke("IDR");
  const versions = outcomes.map((outcome) => (outcome.kind === "effect" ? outcome.payload.transitVersion : 0));
  assert.deepEqual(
    versions.toSorted((a, b) => a - b),
    Array.from({ length: 1_000 }, (_, index) => index + 1),
  );
  await isMirrored(one.shipper, 1_000);
  await isMirrored(other.shipper, 1_000);
  assert.deepEqual(await findUnmirrored(cells.a.ownerUrl, cells.b.ownerUrl), []);
  const [sent, arrived] = [await readAccount(cells.a.ownerUrl, outNo), await readAccount(cells.b.ownerUrl, inNo)];
  assert.deepEqual(arrived, { version: 1_000, balance: -(sent?.balance ?? 0) });
  assert.deepEqual([one.shipper.behind(), ...one.told, ...other.told], [{ entries: 0, seconds: 0 }]);
});

test("a shipper that follows another one goes on where that one ends", async () => {
  await using cells = await useCells();
  await using one = ship(cells.a.url, { url: cells.b.url, engine: cells.to });
  // Late with its first page, and sees that it was mirrored.
  const late = async (command: Parameters<typeof cells.to.submit>[0]) => {
    await isMirrored(one.shipper, 300);
    return cells.to.submit(command);
  };
  await using other = ship(cells.a.url, {
    url: cells.b.url,
    engine: { ...cells.to, submit: late as typeof cells.to.submit },
  });
  await pay(cells.from, 300);
  for (const { shipper } of [other, one]) shipper.poke("IDR");
  await isMirrored(other.shipper, 300);
  await one.shipper.close();
  await pay(cells.from, 100);
  other.shipper.poke("IDR");
  await isMirrored(other.shipper, 400);
  assert.deepEqual(await findUnmirrored(cells.a.ownerUrl, cells.b.ownerUrl), []);
});

test("a payee that cannot be credited any more stops nothing: unapplied funds are", async () => {
  await using cells = await useCells();
  await spoil(
    cells.b.ownerUrl,
    "update accounts set status = 'closed' where account_no = '1'",
    "update accounts set currency = 'USD' where account_no = '2'",
    "update accounts set status = 'blocked' where account_no = '3'",
  );
  for (const [position, to] of ["1", "4", "2", "99", "3", "0'\\", "4"].entries()) {
    const command = acrossCommand({ from: String(1 + position), to, amount: 10n, seen: account("77") });
    assert.equal((await cells.from.submit(command)).kind, "effect");
  }
  await using shipping = ship(cells.a.url, { url: cells.b.url, engine: cells.to });
  await isMirrored(shipping.shipper, 7);
  const diverted = await findUnmirrored(cells.a.ownerUrl, cells.b.ownerUrl);
  assert.deepEqual(
    diverted.map(({ sent, arrived }) => `${sent}: ${arrived}`),
    ["1", "2", "99", "0'\\"].map((to) => `10 to ${to}: 10 to unclaimed:IDR`),
  );
  assert.deepEqual(shipping.told, []);
});

test("a shipper that is stopped in the middle leaves the rest to the next one", async () => {
  await using cells = await useCells();
  await pay(cells.from, 1_500);
  const shipping = ship(cells.a.url, { url: cells.b.url, engine: cells.to });
  await isMirrored(shipping.shipper, 1);
  await shipping[Symbol.asyncDispose]();
  const half = (await readAccount(cells.b.ownerUrl, inNo))?.version ?? 0;
  assert.ok(half >= 256 && half < 1_500, `it stopped at ${half}`);
  await using next = ship(cells.a.url, { url: cells.b.url, engine: cells.to });
  await isMirrored(next.shipper, 1_500);
  assert.deepEqual(await findUnmirrored(cells.a.ownerUrl, cells.b.ownerUrl), []);
});

test("while the payee's cell takes no commands, payments go on and are counted; it says so once", async () => {
  await using cells = await useCells();
  let engine: Pick<Engine, "submit"> = cells.to;
  const closed = await startEngine(cells.b.url);
  await closed.close();
  const to = { cell: 2, engine: { submit: (command) => engine.submit(command) } } satisfies {
    cell: number;
    engine: typeof engine;
  };
  await using shipping = ship(cells.a.url, { url: cells.b.url, engine: { ...cells.to, ...to.engine } });
  await pay(cells.from, 300);
  await isMirrored(shipping.shipper, 300);
  engine = closed;
  await pay(cells.from, 300);
  shipping.shipper.poke("IDR");
  assert.equal(await shipping.shipper.waitForMirror({ currency: "IDR", version: 301 }, 700), false);
  const { entries, seconds } = shipping.shipper.behind() ?? assert.fail();
  assert.ok(entries === 300 && seconds > 0.5 && seconds < 30, `${entries} entries of ${seconds} s`);
  engine = cells.to;
  await isMirrored(shipping.shipper, 600);
  await until(shipping.told, "away: 2", "back: 2");
  assert.deepEqual(shipping.told, ["away: 2", "back: 2"]);
});

test("nothing is shipped that the payer's cell may still lose", async () => {
  await using cells = await useCells();
  await pay(cells.from, 10);
  let isSure: boolean | undefined;
  const asked: string[] = [];
  const confirmed = async <Result>(read: () => Promise<Result>): Promise<Result> => {
    const result = await read();
    asked.push("read");
    await waitUntil(() => isSure, { timeoutMs: 10_000, everyMs: 5 });
    if (isSure === false) throw new Error("no standby confirmed it");
    return result;
  };
  const pool = createTransitPool(cells.a.url, 1);
  await using shipping = ship(
    cells.a.url,
    { url: cells.b.url, engine: cells.to },
    { from: { cell: 1, pool, confirmed } },
  );
  await waitUntil(() => asked.length > 0 || undefined, { timeoutMs: 10_000, everyMs: 5 });
  assert.equal(await shipping.shipper.waitForMirror({ currency: "IDR", version: 1 }, 300), false);
  assert.deepEqual(asked, ["read"]);
  isSure = false;
  await until(shipping.told, "away: 1");
  assert.equal(await readAccount(cells.b.ownerUrl, inNo), undefined);
  isSure = true;
  await isMirrored(shipping.shipper, 10);
  await until(shipping.told, "back: 1");
  // An entry that somebody waits for is read in another way, and no sooner shipped.
  isSure = undefined;
  await pay(cells.from, 1);
  assert.equal(await shipping.shipper.waitForMirror({ currency: "IDR", version: 11 }, 300), false);
  assert.equal((await readAccount(cells.b.ownerUrl, inNo))?.version, 10);
  isSure = true;
  await isMirrored(shipping.shipper, 11);
  await shipping.shipper.close();
  await endPools(pool);
});

test("an entry whose command waited for an hour before its commit is shipped in its turn", async () => {
  await using cells = await useCells();
  await using shipping = ship(cells.a.url, { url: cells.b.url, engine: cells.to });
  await pay(cells.from, 3);
  await isMirrored(shipping.shipper, 3);
  const id = `${idAt(Date.now() - 3_600_000).slice(0, -1)}1`;
  assert.equal((await cells.from.submit(acrossCommand({ from: "1", to: "2", amount: 1n, id }))).kind, "effect");
  await pay(cells.from, 3);
  await isMirrored(shipping.shipper, 7);
  assert.deepEqual(await findUnmirrored(cells.a.ownerUrl, cells.b.ownerUrl), []);
});

test("a payee's cell that is restored from an older copy catches up", async () => {
  await using cells = await useCells();
  await pay(cells.from, 600);
  const first = ship(cells.a.url, { url: cells.b.url, engine: cells.to });
  await isMirrored(first.shipper, 600);
  await first[Symbol.asyncDispose]();
  await cells.to.close();
  await using copy = await copyDatabase(cells.b.ownerUrl);
  const again = await startEngine(cells.b.url);
  await pay(cells.from, 600);
  const second = ship(cells.a.url, { url: cells.b.url, engine: again });
  await isMirrored(second.shipper, 1_200);
  await second[Symbol.asyncDispose]();
  await again.close();
  const restored = await startEngine(copy.url);
  const third = ship(cells.a.url, { url: copy.url, engine: restored });
  await isMirrored(third.shipper, 1_200);
  assert.deepEqual(third.told, []);
  await third[Symbol.asyncDispose]();
  await restored.close();
  assert.deepEqual(await findUnmirrored(cells.a.ownerUrl, copy.url), []);
});

/** Versions 1 to 400 are sent, those up to 300 mirrored. */
async function useHalf() {
  const cells = await useCells();
  await pay(cells.from, 300);
  const shipping = ship(cells.a.url, { url: cells.b.url, engine: cells.to });
  await isMirrored(shipping.shipper, 300);
  await shipping[Symbol.asyncDispose]();
  await pay(cells.from, 100);
  return cells;
}

const ofOut = `account_id = (select id from accounts where account_no = '${outNo}')`;
const setAccount = (accountNo: string, set: string) => `update accounts set ${set} where account_no = '${accountNo}'`;

const faults: readonly (readonly [name: string, reason: string, a: readonly string[], b: readonly string[]])[] = [
  ["the next entry is missing", "missing", [`delete from entries where ${ofOut} and version = 301`], []],
  ["an entry was doubled in the mirror", "differs", [], [setAccount(inNo, "balance = balance - 2")]],
  ["an entry was left out by the mirror", "differs", [], [setAccount(inNo, "balance = balance + 2")]],
  ["an entry was changed", "differs", [`update entries set amount = amount + 1 where ${ofOut} and version = 301`], []],
  ["the mirror is ahead", "ahead", [], [setAccount(inNo, "version = 401")]],
  ["the payer's cell lost its account", "ahead", [setAccount(outNo, "account_no = 'lost'")], []],
  ["both are level with other balances", "differs", [], [setAccount(inNo, "version = 400")]],
  ["another account is mirrored", "otherAccount", [], [setAccount(inNo, "name = 'other'")]],
];

for (const [name, reason, a, b] of faults) {
  test(`${name}: the stream stops with an alarm, and nothing is written`, async () => {
    await using cells = await useHalf();
    await spoil(cells.a.ownerUrl, ...a);
    await spoil(cells.b.ownerUrl, ...b);
    const before = await readAccount(cells.b.ownerUrl, inNo);
    await using shipping = ship(cells.a.url, { url: cells.b.url, engine: cells.to });
    await until(shipping.told, `stopped: ${reason}`);
    shipping.shipper.poke("IDR");
    assert.equal(await shipping.shipper.waitForMirror({ currency: "IDR", version: 402 }, 300), false);
    assert.deepEqual(shipping.told, [`stopped: ${reason}`]);
    assert.deepEqual(await readAccount(cells.b.ownerUrl, inNo), before);
  });
}

test("a stream that was stopped goes on once it is repaired", async () => {
  await using cells = await useHalf();
  await spoil(cells.b.ownerUrl, setAccount(inNo, "balance = balance - 2"));
  await using shipping = ship(cells.a.url, { url: cells.b.url, engine: cells.to });
  await until(shipping.told, "stopped: differs");
  await spoil(cells.b.ownerUrl, setAccount(inNo, "balance = balance + 2"));
  await isMirrored(shipping.shipper, 400);
  await until(shipping.told, "resumed: differs");
  assert.deepEqual(await findUnmirrored(cells.a.ownerUrl, cells.b.ownerUrl), []);
});

test("another database under the number of the payer's cell is not mirrored", async () => {
  await using cells = await useHalf();
  await using other = await useCells();
  await pay(other.from, 400);
  await using shipping = ship(other.a.url, { url: cells.b.url, engine: cells.to });
  await until(shipping.told, "stopped: otherAccount");
  assert.equal((await readAccount(cells.b.ownerUrl, inNo))?.version, 300);
});

// Keys of requests over cells: bindings whose time is over are given up, and no key stands in two cells.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { compareKeys } from "../../packages/server/src/admin/audit/compare-keys.ts";
import { fenceId, idAt, newId } from "../../packages/server/src/basics/ids.ts";
import { createReleaseBoundKeys } from "../../packages/server/src/jobs/release-bound-keys.ts";
import { createAdminPool } from "../../packages/server/src/store/postgres/connect.ts";
import { createReads } from "../../packages/server/src/store/reads/reads.ts";
import {
  type BoundKey,
  bindFreeKeys,
  deleteBindings,
  readBoundKeys,
  rebindKeys,
} from "../../packages/server/src/store/tables/requests/bound-keys.ts";
import {
  fenceFreeKeys,
  readKeyHolders,
  readRequestKeys,
} from "../../packages/server/src/store/tables/requests/request-keys.ts";
import { useDatabase } from "../support/database/database.ts";
import { endPools } from "../support/database/end-pool.ts";
import { withClient } from "../support/database/with-client.ts";

const [home, cell] = [await useDatabase(), await useDatabase()];
const [atHome, atCell] = [createAdminPool(home.url, 2), createAdminPool(cell.url, 2)];
after(async () => {
  await endPools(atHome, atCell);
  await home.drop();
  await cell.drop();
});

let count = 0;
const keyFrom = (first: string) => `${first}${newId().slice(1, 24)}${String((count += 1)).padStart(12, "0")}`;
const externalId = () => keyFrom("3");
const number = () => keyFrom("c");
const dayMs = 86_400_000;
const now = Date.parse("2026-11-27T10:00:00+07:00");

const take = (url: string, key: string, requestId = newId()) =>
  withClient(url, async (client) => {
    await client.query("insert into request_keys (key, request_id) values ($1, $2)", [key, requestId]);
  });

test("keys are bound once, in whichever order they come", async () => {
  const [one, other] = [number(), number()];
  const wanted = [one, other].map((key) => ({ key, cell: 1, boundAt: now }));
  assert.equal(await bindFreeKeys(atHome, wanted), 2);
  assert.equal(
    await bindFreeKeys(
      atHome,
      [...wanted].toReversed().map((row) => ({ ...row, cell: 0 })),
    ),
    0,
  );
  assert.deepEqual(await readBoundKeys(atHome, [one, other, number()]), wanted);
});

test("keys are bound anew by the one who knows how they are bound, and keep the cell of before until they are renewed", async () => {
  const bound = { key: externalId(), cell: 1, boundAt: now };
  const of = { key: number(), cell: 2, boundAt: now };
  await bindFreeKeys(atHome, [bound, of]);
  const later = now + 1;
  const rebind = (from: readonly BoundKey[], to: number) => rebindKeys(atHome, from, { cell: to, boundAt: later });
  assert.equal(await rebind([{ ...bound, cell: 2 }], 0), 0);
  assert.equal(await rebind([{ ...bound, boundAt: now - 1 }], 0), 0);
  assert.equal(await rebind([{ ...of, cell: 1 }, bound], 0), 1);
  assert.equal(await rebind([of, bound], 0), 1);
  assert.deepEqual(await readBoundKeys(atHome, [bound.key, of.key]), [
    { key: bound.key, cell: 0, boundAt: later, previous: 1 },
    { key: of.key, cell: 0, boundAt: later, previous: 2 },
  ]);
  const renewed = { key: bound.key, cell: 0, boundAt: later };
  assert.equal(await rebind([renewed], 0), 1);
  assert.deepEqual(await readBoundKeys(atHome, [bound.key]), [renewed]);
  // Nor is it given up by one who has seen how it was bound before.
  assert.equal(await deleteBindings(atHome, [bound, { ...bound, cell: 0 }]), 0);
});

test("a number is never given up, and bound anew with its cell of before alone", async () => {
  const bound = { key: number(), cell: 1, boundAt: now - 9_000 * dayMs };
  await bindFreeKeys(atHome, [bound]);
  await assert.rejects(deleteBindings(atHome, [bound]), { code: "23001" });
  await withClient(home.ownerUrl, async (client) => {
    for (const change of [
      "cell = 2",
      "cell = 2, previous = 0",
      "bound_at = now()",
      `key = '${number()}', cell = 2, previous = 1`,
    ])
      await assert.rejects(client.query(`update bound_keys set ${change} where key = $1`, [bound.key]), {
        code: "23001",
      });
    await assert.rejects(client.query("truncate bound_keys"), { code: "23001" });
  });
});

test("a fence takes a key that is free, is no request, and stays for half a day", async () => {
  const [free, taken] = [number(), number()];
  const id = newId();
  await take(cell.ownerUrl, taken, id);
  await fenceFreeKeys(atCell, [taken, free], now, 1);
  await fenceFreeKeys(atCell, [taken, free], now + 1, 1);
  assert.deepEqual([...(await readKeyHolders(atCell, [free, taken])).values()], [fenceId(now, 1), id]);
  assert.deepEqual([...(await readRequestKeys(atCell, [free, taken]))], [[1, id]]);
  await assert.rejects(take(cell.ownerUrl, free), { code: "23505" });
  const [young, old] = [externalId(), externalId()];
  await fenceFreeKeys(atCell, [young], Date.now(), 1);
  await fenceFreeKeys(atCell, [old], Date.now() - dayMs, 1);
  const giveUp = (key: string) => atCell.query("delete from request_keys where key = $1", [key]);
  await assert.rejects(giveUp(young), { code: "23001" });
  assert.equal((await giveUp(old)).rowCount, 1);
});

test("external ids whose time is over are given up, unless their cell has them, or cannot be asked", async () => {
  const bind = async (boundAt: number, inCell = 1) => {
    const bound = { key: externalId(), cell: inCell, boundAt };
    await bindFreeKeys(atHome, [bound]);
    return bound.key;
  };
  const old = now - 8 * dayMs;
  const [over, young, taken, silent] = [await bind(old), await bind(now), await bind(old), await bind(old, 7)];
  const more = Array.from({ length: 1_100 }, () => ({ key: externalId(), cell: 1, boundAt: old - 1 }));
  assert.equal(await bindFreeKeys(atHome, more), more.length);
  await take(cell.ownerUrl, taken);
  const reads = createReads(atCell);
  const job = createReleaseBoundKeys({
    pool: atHome,
    clock: { now: () => now },
    keepMs: 7 * dayMs,
    reads: (from) => (from === 1 ? reads : undefined),
  });
  assert.equal(await job.run(async () => false), 0);
  assert.equal(await job.run(async () => true), more.length + 1);
  const left = (await readBoundKeys(atHome, [over, young, taken, silent])).map(({ key }) => key);
  assert.deepEqual(left, [young, taken, silent]);
});

test("a key that two cells have is found, but for an external id that one has got after its time", async () => {
  const cells = new Map([
    [0, atHome],
    [1, atCell],
  ]);
  const options = { keepExternalIdsMs: 7 * dayMs, onProgress: () => undefined, page: 2 };
  for (let each = 0; each < 5; each += 1) {
    await take(home.ownerUrl, number());
    await take(cell.ownerUrl, externalId());
  }
  const again = externalId();
  await take(cell.ownerUrl, again, idAt(now - 8 * dayMs));
  await take(home.ownerUrl, again, idAt(now));
  // Given up to the other, and no request of its own.
  const rebound = [number(), number(), number()];
  await fenceFreeKeys(atHome, rebound, now, 0);
  for (const key of rebound) await take(cell.ownerUrl, key);
  assert.deepEqual(await compareKeys(cells, options), []);
  const [soon, both] = [externalId(), number()];
  await take(cell.ownerUrl, soon, idAt(now - dayMs));
  await take(home.ownerUrl, soon, idAt(now));
  await take(cell.ownerUrl, both, idAt(now - 800 * dayMs));
  await take(home.ownerUrl, both, idAt(now));
  const findings = await compareKeys(cells, options);
  assert.deepEqual(
    findings.map(({ check, subject }) => [check, subject]),
    [soon, both].map((key) => ["keyOfOneCell", `key ${key}`]),
  );
});

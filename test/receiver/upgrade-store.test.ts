/**
 * Goal: over an upgrade from external id and body hash to the event as the key, a notification is handled once. Method: real
 * PostgreSQL; a receiver of the earlier version is one whose store asks the earlier store alone.
 */
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { after, test } from "node:test";
import { Pool } from "pg";
import type { NotificationStore } from "@titian/client";
import { createTable } from "../../examples/receivers/postgres-store.ts";
import { createEarlierStore, createEarlierTable, createUpgradeStore } from "../../examples/receivers/upgrade-store.ts";
import { deliver, rtgs, sign, testReceiver } from "../../packages/client/test/helpers/provider.ts";
import { useDatabase } from "../support/database/database.ts";
import { endPools } from "../support/database/end-pool.ts";

const database = await useDatabase();
const pool = new Pool({ connectionString: database.ownerUrl, max: 16 });
await pool.query(createEarlierTable);
await pool.query(createTable);
after(async () => {
  await endPools(pool);
  await database.drop();
});

function earlierVersion(): NotificationStore {
  const { begin, done, failed } = createEarlierStore(pool);
  return { claim: begin, complete: done, release: failed };
}

const versions = { earlier: earlierVersion, later: () => createUpgradeStore(pool, new Date()) };
const dayMs = 86_400_000;

/** Receivers of both versions, whose handlers count together, and the attempts of one event. */
function twoVersions(
  number: string,
  more: { readonly later?: NotificationStore; readonly fails?: () => boolean } = {},
) {
  let calls = 0;
  const on = {
    rtgs: () => {
      calls += 1;
      if (more.fails?.() === true) throw new Error("a fault of the program");
    },
  };
  const earlier = testReceiver({ on, store: versions.earlier() }).receiver;
  const later = testReceiver({ on, store: more.later ?? versions.later() }).receiver;
  const attempt = (externalId = "of-the-provider") => sign({ ...rtgs, originalReferenceNo: number }, { externalId });
  return { earlier, later, attempt, calls: () => calls };
}

test("one attempt before and one after the upgrade, and one after it was undone: handled once", async () => {
  const { earlier, later, attempt, calls } = twoVersions("before");
  for (const receiver of [earlier, later, earlier]) {
    assert.equal((await deliver(receiver, attempt())).responseCode, "2007600");
  }
  assert.equal(calls(), 1);
});

test("first at the new version, then under other ids and at a process that still has the earlier one: handled once", async () => {
  const { earlier, later, attempt, calls } = twoVersions("after");
  for (const [receiver, id] of [
    [later, "1"],
    [later, "2"],
    [earlier, "1"],
    [earlier, "2"],
  ] as const) {
    assert.equal((await deliver(receiver, attempt(id))).responseCode, "2007600");
  }
  assert.equal(calls(), 1);
});

test("40 attempts at once at processes of both versions: handled once", async () => {
  const { earlier, later, attempt, calls } = twoVersions("at-once");
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => deliver(index % 2 === 0 ? earlier : later, attempt())),
  );
  assert.equal(calls(), 1);
  assert.ok(answers.every(({ responseCode }) => ["2007600", "5037600"].includes(String(responseCode))));
});

test("a handler that failed at one version is called again by the other", async () => {
  for (const first of ["earlier", "later"] as const) {
    let attempts = 0;
    const versionsOf = twoVersions(`fails-${first}`, { fails: () => (attempts += 1) === 1 });
    const { earlier, later, attempt, calls } = versionsOf;
    const [one, two] = first === "earlier" ? [earlier, later] : [later, earlier];
    assert.equal((await deliver(one, attempt())).responseCode, "5007600");
    assert.equal((await deliver(two, attempt())).responseCode, "2007600");
    assert.equal(calls(), 2, first);
  }
});

test("a process that died with both claims: they end with their leases", async () => {
  const { later, attempt, calls } = twoVersions("died");
  const key = { serviceCode: "76", number: "died", status: "00", externalId: "of-the-provider" } as const;
  const bodyHash = hash("sha256", attempt().body);
  assert.equal(await versions.later().claim({ ...key, bodyHash }), "new");
  assert.equal((await deliver(later, attempt())).responseCode, "5037600");
  for (const table of ["handled_notifications", "received_notifications"]) {
    await pool.query(`update ${table} set claimed_at = claimed_at - interval '1 hour'`);
  }
  assert.equal((await deliver(later, attempt())).responseCode, "2007600");
  assert.equal(calls(), 1);
});

test("after 30 days the earlier table is no longer asked, and may be dropped", async () => {
  const upgradedAt = new Date(Date.now() - 30 * dayMs - 1);
  const { earlier, later, attempt, calls } = twoVersions("late", { later: createUpgradeStore(pool, upgradedAt) });
  await deliver(earlier, attempt());
  await pool.query("drop table received_notifications");
  assert.equal((await deliver(later, attempt())).responseCode, "2007600");
  assert.equal(calls(), 2);
});

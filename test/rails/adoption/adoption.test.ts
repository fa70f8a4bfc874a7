/** Goal: what rails carried and a restored database has forgotten is written back whole: once, and balanced. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { runAudit } from "../../../packages/server/src/admin/audit/audit.ts";
import { listOwedPayments } from "../../../packages/server/src/views/rails/owed.ts";
import { railNames } from "../../../packages/server/src/ledger/rails/terms.ts";
import { adoptNumber } from "../../../packages/server/src/rails/adoption/adopt.ts";
import { queryRows, runStatements } from "../../support/database/with-client.ts";
import { newPayer, openRail, urlsOf } from "../../support/forgotten-payments.ts";
import {
  adopt,
  balancesOf,
  depsOf,
  itemNumber,
  ledgerOf,
  numbers,
  reason,
  restored,
  sentAs,
  withoutItem,
  world,
} from "./carried-payments.ts";

test("adopted, opened and told the same results, the restored ledger is the one that was lost; owed is what its payer cannot pay", async () => {
  await using copy = await restored();
  const { url, ownerUrl } = urlsOf(copy);
  await using node = await world.startRailNode(url);
  const repeat = (name: string) => node.call(sentAs(name));
  const results = await adopt(node);
  const kinds = Object.fromEntries(results.map(({ referenceNo, kind }) => [referenceNo, kind]));
  const expected = Object.fromEntries(
    Object.entries(numbers).flatMap(([name, number]) =>
      name === "bulk" ? [] : [[number, name.startsWith("owed") ? "owed" : "debited"]],
    ),
  );
  for (const position of [0, 1]) expected[itemNumber(world.linesOf("interbank"), position)] = "debited";
  assert.deepEqual(kinds, expected);
  assert.deepEqual(await runAudit(ownerUrl), { ok: true, findings: [] });
  for (const name of ["settled", "returned", "open", "bulk"])
    assert.match((await repeat(name)).case, /conflict/i, name);

  for (const rail of railNames) await openRail(url, rail);
  await node.work(1);
  assert.deepEqual(await balancesOf(ownerUrl), withoutItem(await balancesOf(world.ownerUrl)));
  assert.deepEqual(await ledgerOf(ownerUrl), await ledgerOf(world.ownerUrl));
  assert.deepEqual(await runAudit(ownerUrl), { ok: true, findings: [] });
  // A rejected amount is back on the account that paid it.
  const { pool, ...query } = { pool: node.node.reads, ...node.node };
  const owed = await listOwedPayments({ pool, ...query }, { limit: 10 });
  const { partnerId } = node.node.reference.current().partners.values().next().value ?? assert.fail();
  assert.deepEqual(
    owed.map(({ at: _, ...one }) => one),
    [
      {
        referenceNo: numbers["owed"],
        rail: "interbank",
        partnerId,
        payerAccountNo: newPayer,
        currency: "IDR",
        amount: 650_000n,
        reason,
      },
    ],
  );
  const [account] = await queryRows(
    ownerUrl,
    "select balance, daily_debit_count from accounts where account_no = 'restored:IDR'",
  );
  assert.deepEqual(account, { balance: "-650000", daily_debit_count: 0 });
});

/** All adopted, and nothing told: what the payer and our accounts have then. */
async function adoptedOnce(): Promise<unknown> {
  await using copy = await restored();
  await using node = await world.startRailNode(urlsOf(copy).url);
  await adopt(node);
  return await balancesOf(copy.url);
}

test("adopted by two at once, whose sessions are killed again and again: each is debited once, and repeating it is done", async () => {
  const once = await adoptedOnce();
  await using copy = await restored();
  const { url, ownerUrl } = urlsOf(copy);
  await using one = await world.startRailNode(url);
  await using two = await world.startRailNode(url);
  // One that loses a race, or whose session ends as it begins, says so, and nothing is half written.
  const adopting = Promise.all([one, two, one].map((node) => adopt(node).catch(() => undefined)));
  // Bounded: where sessions take long to open, none would live long enough to adopt anything.
  for (let kills = 0; kills < 25; kills += 1) {
    await runStatements(ownerUrl, [killSessions]);
    await sleep(40);
  }
  await adopting;
  const open = "select reference_no from rail_differences where decision is null";
  for (let tries = 0; tries < 10 && (await queryRows(ownerUrl, open)).length > 0; tries += 1) await adopt(one);
  assert.deepEqual(await queryRows(ownerUrl, open), []);
  assert.deepEqual(await adopt(two), []);
  const [number = ""] = Object.values(numbers);
  assert.deepEqual(await adoptNumber(depsOf(two.node), "interbank", number, reason), [
    { referenceNo: number, kind: "done" },
  ]);
  assert.deepEqual(await balancesOf(ownerUrl), once);
  assert.deepEqual(await runAudit(ownerUrl), { ok: true, findings: [] });
});

const killSessions = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name = 'test engine' and random() < 0.5`;

/** A node that lost its database looks again before it trusts what answers at the same address. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { Client } from "pg";
import { createClock } from "../src/clock.ts";
import { startCore } from "../src/compose/core.ts";
import { readConfig } from "../src/config.ts";
import type { Command } from "../src/engine/command.ts";
import { newId } from "../src/ids.ts";
import { newOwnAccount } from "../src/ledger/own-accounts.ts";
import { createLog } from "../src/log.ts";
import { createSecrets } from "../src/secrets.ts";
import { useDatabase } from "./support/database.ts";

/** Opens an account of ours in a currency of its own. */
function opening(currency: string, patienceMs: number): Command<null> {
  const account = newOwnAccount(newId(), "funding", currency);
  return {
    id: newId(),
    weight: 1,
    deadline: createClock().real() + patienceMs,
    locks: {},
    decide: () => ({ kind: "effect", effect: { facts: null, opens: [account] } }),
  };
}

test("a database that may lose commits is not written to after a reconnect, and is again once it is mended", async () => {
  await using database = await useDatabase();
  const lines: string[] = [];
  await using core = await startCore({
    config: readConfig({ DATABASE_URL: database.url, TITIAN_SANDBOX: "0" }, { needsSecrets: false }),
    clock: createClock(),
    log: createLog({ level: "warn", destination: { write: (line) => void lines.push(line) } }),
    secrets: createSecrets({ current: randomBytes(32) }),
    onProgress: () => undefined,
    onDatabaseFailure: () => undefined,
  });
  const owner = new Client({ connectionString: database.url });
  await owner.connect();
  const name = owner.escapeIdentifier(new URL(database.url).pathname.slice(1));
  const endSessions = () =>
    owner.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'titian engine'");
  try {
    assert.equal((await core.engine.submit(opening("IDR", 5_000))).kind, "effect");

    await owner.query(`alter database ${name} set synchronous_commit = off`);
    await endSessions();
    assert.equal((await core.engine.submit(opening("USD", 1_000))).kind, "overloaded");

    await owner.query(`alter database ${name} reset synchronous_commit`);
    assert.equal((await core.engine.submit(opening("SGD", 5_000))).kind, "effect");
    const found = await owner.query("select currency from accounts order by currency");
    assert.deepEqual(
      found.rows.map((row: { currency: string }) => row.currency),
      ["IDR", "SGD"],
    );
  } finally {
    await owner.end();
  }
});

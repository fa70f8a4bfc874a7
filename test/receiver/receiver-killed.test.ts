/**
 * Goal: a receiver that is killed between its handler's effect and its store's note is no end of the notification, and with the
 * event's key in the handler's own transaction it is booked once. Method: a process that kills itself there, real PostgreSQL.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { formatTimestamp } from "@titian/contract";
import { Pool } from "pg";
import { createPostgresStore, createTable } from "../../examples/receivers/postgres-store.ts";
import { deliver, publicKey, rtgs, sign, testReceiver } from "../../packages/client/test/helpers/provider.ts";
import { useDatabase } from "../support/database/database.ts";
import { endPools } from "../support/database/end-pool.ts";
import { book, createBookings } from "../support/receiver/book.ts";

const database = await useDatabase();
const pool = new Pool({ connectionString: database.ownerUrl, max: 4 });
await pool.query(createTable);
await pool.query(createBookings);
const directory = mkdtempSync(join(tmpdir(), "titian-killed-"));
const keyFile = join(directory, "provider.pem");
writeFileSync(keyFile, publicKey);
after(async () => {
  await endPools(pool);
  await database.drop();
  rmSync(directory, { recursive: true });
});

test("killed after the booking: other attempts are told to wait until the claim ends, then handled, and booked once", async () => {
  const program = join(import.meta.dirname, "../support/receiver/killed-receiver.ts");
  const args = ["--conditions=source", program, database.ownerUrl, keyFile];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  const { path, headers, body } = sign(rtgs, { timestamp: formatTimestamp(Date.now()) });
  const url = `http://127.0.0.1:${String(port).trim()}${path}`;
  await assert.rejects(fetch(url, { method: "POST", headers, body: String(body) }));
  assert.deepEqual(await ended, [null, "SIGKILL"]);

  let calls = 0;
  const { receiver } = testReceiver({
    store: createPostgresStore(pool),
    on: {
      rtgs: async (_notification, key) => {
        calls += 1;
        await book(pool, key);
      },
    },
  });
  const attempt = async (externalId: string) => (await deliver(receiver, sign(rtgs, { externalId }))).responseCode;
  assert.deepEqual([await attempt("2"), calls], ["5037600", 0]);
  await pool.query("update handled_notifications set claimed_at = claimed_at - interval '1 hour'");
  assert.deepEqual([await attempt("3"), calls], ["2007600", 1]);
  assert.deepEqual([await attempt("4"), calls], ["2007600", 1]);
  const { rows } = await pool.query("select number from bookings");
  assert.deepEqual(rows, [{ number: rtgs.originalReferenceNo }]);
});

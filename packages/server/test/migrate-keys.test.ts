// What a database of the release before becomes: keys that were given back, and numbers that now count per hold (D7).
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { after, test } from "node:test";
import { Client } from "pg";
import { runAudit } from "../src/admin/audit.ts";
import { externalKey, numberKey } from "../src/engine/keys.ts";
import { newId } from "../src/ids.ts";
import { migrate, migrationsFolder } from "../src/store/migrate.ts";
import { useDatabase } from "./support/database.ts";

const database = await useDatabase();
const client = new Client({ connectionString: database.url });
await client.connect();
const before = mkdtempSync(join(tmpdir(), "titian-migrations-"));
after(async () => {
  rmSync(before, { recursive: true });
  await client.end();
  await database.drop();
});

const partner = newId();

async function write(
  service: number,
  externalId: string,
  external: string | null,
  number: string | null,
  request: object,
) {
  const id = newId();
  await client.query(
    `insert into writes (id, partner, service, external_key, number_key, body_hash, content_hash, external_id, layout, facts,
      at) values ($1, $2, $3, $4, $5, $1, $1, $6, 1, $7, now())`,
    [id, partner, service, external, number, externalId, JSON.stringify({ request })],
  );
  return id;
}

const keysOf = async (id: string) =>
  (await client.query("select external_key, number_key from writes where id = $1", [id])).rows[0] as unknown;

test("keys that were given back are taken again where nobody uses them; numbers of a hold count in it", async () => {
  await client.query("drop schema public cascade; create schema public");
  const old = readdirSync(migrationsFolder).filter((file) => file < "0011");
  for (const file of old) cpSync(fileURLToPath(new URL(file, migrationsFolder)), join(before, file));
  await migrate(database.url, { now: 0, folder: pathToFileURL(`${before}/`) });

  const key = (externalId: string) => externalKey(partner, externalId);
  const undone = [await write(18, "free", null, null, {}), await write(18, "free", null, null, {})] as const;
  const reused = await write(18, "reused", null, null, {});
  await write(22, "reused", key("reused"), newId(), {});
  const refusal = `insert into refusals (id, partner, service, external_key, number_key, signature_key, kind, layout, facts, at)
    values ($1, $2, $3, $1, $1, $1, 'rejectedByRail', 1, $4, now())`;
  await client.query(refusal, [undone[0], partner, 18, "{}"]);
  const said = { originalReferenceNo: "REF", originalPartnerReferenceNo: "ORDER" };
  const changes = [
    { service: "65", request: { ...said, partnerCaptureNo: "N" }, parts: ["REF", "N"] },
    { service: "67", request: { ...said, partnerVoidNo: "N" }, parts: ["REF", "N"] },
    { service: "69", request: { ...said, partnerRefundNo: "N" }, parts: ["ORDER", "N"] },
  ];
  const ids = await Promise.all(
    changes.map(({ service, request }) => write(Number(service), service, key(service), newId(), request)),
  );
  const refused = newId();
  await client.query(refusal, [refused, partner, 65, JSON.stringify({ request: changes[0]?.request })]);
  await migrate(database.url, { now: 0 });

  assert.deepEqual(await keysOf(undone[0]), { external_key: null, number_key: undone[0] });
  assert.deepEqual(await keysOf(undone[1]), { external_key: key("free"), number_key: undone[1] });
  assert.deepEqual(await keysOf(reused), { external_key: null, number_key: reused });
  for (const [index, { service, parts }] of changes.entries()) {
    const expected = { external_key: key(service), number_key: numberKey(partner, service, ...parts) };
    assert.deepEqual(await keysOf(ids[index] ?? ""), expected);
  }
  const { rows } = await client.query("select id, number_key, sent_at from refusals");
  const number_key = numberKey(partner, "65", "REF", "N");
  assert.deepEqual(rows, [{ id: refused, number_key, sent_at: new Date(0) }]);
  const { findings } = await runAudit(database.url, {});
  const ofKeys = findings.filter(({ check }) => ["externalIdHasRecord", "refusalHasNoEffect"].includes(check));
  assert.deepEqual(ofKeys, []);
});

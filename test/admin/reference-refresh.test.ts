/** Refresh of a node's reference data: in pages, on a connection of its own, and it knows how old its copy is. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, test } from "node:test";
import { openAccount } from "../../packages/server/src/admin/accounts/open-account.ts";
import { setMerchantStatus } from "../../packages/server/src/admin/merchants/merchants.ts";
import { onboardPartner, setPartnerStatus } from "../../packages/server/src/admin/partners/partners.ts";
import { createReferenceData } from "../../packages/server/src/admin/reference/reference-data.ts";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { startCore } from "../../packages/server/src/compose/core.ts";
import { readConfig } from "../../packages/server/src/config/config.ts";
import { merchantKeyOf } from "../../packages/server/src/ledger/reference/reference-data.ts";
import { zero } from "../../packages/server/src/ledger/money.ts";
import { createSecrets, SealError } from "../../packages/server/src/basics/secrets.ts";
import { createReadPool } from "../../packages/server/src/store/postgres/connect.ts";
import { startNode } from "../support/administration.ts";
import { useDatabase } from "../support/database/database.ts";
import { withClient } from "../support/database/with-client.ts";
import { valueOf } from "../support/expect.ts";
import { newPartner } from "../support/partners.ts";
import { rails } from "../support/rails.ts";
import { paymentRequestLimits } from "../support/payment-request-limits.ts";

const database = await useDatabase();
const node = await startNode(database.url);
after(async () => {
  await node.close();
  await database.drop();
});

const terms = { idempotencyWindowMs: 1, holdEventsMax: 1, paymentRequests: paymentRequestLimits, rails };

test("merchants are read in pages, progress is reported, and what changes meanwhile is not missed", async () => {
  const { partnerId, key } = valueOf(await onboardPartner(node, newPartner()));
  const account = { name: "Warung", currency: "IDR", type: "D", balance: zero } as const;
  const settlement = valueOf(await openAccount(node, account));
  const count = 5_000;
  await withClient(database.ownerUrl, (client) =>
    client.query(
      `with bumped as (update reference_version set version = version + 1 returning version)
       insert into merchants (id, partner, merchant_id, name, status, settlement_account_id, settings, version, created_at)
       select gen_random_uuid(), $1, 'M-' || i, 'Warung', 'active', $2, '{}', version, now() from bumped, generate_series(1, $3::int) i`,
      [key, settlement.id, count],
    ),
  );
  // Watches the statements, and changes a merchant of the first page before the second is read.
  const reads = createReadPool(database.url, 1);
  const query = reads.query.bind(reads) as (config: unknown) => Promise<{ rows: readonly unknown[][] }>;
  const pages: number[] = [];
  let changed: string | undefined;
  const watched = async (config: { readonly name: string }) => {
    const result = await query(config);
    if (config.name === "read-changed-merchants") {
      pages.push(result.rows.length);
      changed ??= String(result.rows[0]?.[2]);
      if (pages.length === 1)
        valueOf(await setMerchantStatus(node, { partnerId, merchantId: changed, status: "suspended" }));
    }
    return result;
  };
  Object.assign(reads, { query: watched });
  let monotonicMs = 0;
  const clock = { ...createClock(), monotonic: () => (monotonicMs += 1_500) };
  const progress: string[] = [];
  const { secrets, log } = node;
  const onProgress = (text: string) => void progress.push(text);
  const reference = await createReferenceData({ reads, secrets, clock, log, terms, onProgress });
  const merchants = reference.current().merchants;
  assert.ok(merchants.size >= count, `${merchants.size} merchants were read`);
  assert.ok(Math.max(...pages) <= 2_000, `a statement read ${Math.max(...pages)} merchants`);
  assert.ok(progress.includes("Reading merchants: 2000"), progress.join("; "));
  assert.equal(reference.isStale(), false, "a copy that took long to read is taken for an old one");
  const statusOf = (merchantId = "") => merchants.get(merchantKeyOf(key, merchantId))?.status;
  assert.equal(statusOf(changed), "suspended");
  valueOf(await setMerchantStatus(node, { partnerId, merchantId: changed ?? "", status: "active" }));
  await reference.refresh();
  assert.equal(statusOf(changed), "active");
  assert.equal(reference.current().merchants, merchants, "a change copied the whole map");
  await reference.close();
  await reads.end();
});

test("a failed refresh keeps the last copy, and after 10 s says so, whatever happens to the system's time", async () => {
  let [realMs, monotonicMs] = [Date.now(), 0];
  const reads = createReadPool(database.url, 1);
  const steered = { now: () => realMs, real: () => realMs, monotonic: () => monotonicMs };
  const { secrets, log } = node;
  const reference = await createReferenceData({ reads, secrets, clock: steered, log, terms });
  const { version } = reference.current();
  await reads.end();
  await assert.rejects(reference.refresh());
  assert.equal(reference.current().version, version);
  assert.equal(reference.isStale(), false);
  realMs += 3_600_000;
  monotonicMs = 10_000;
  assert.equal(reference.isStale(), false);
  realMs -= 7_200_000;
  monotonicMs = 10_001;
  assert.equal(reference.isStale(), true);
  await reference.close();
});

test("reads that take every connection do not keep a node from hearing of a suspension", async () => {
  await using core = await startCore({
    config: readConfig({ DATABASE_URL: database.url, TITIAN_SANDBOX: "0" }, { needsSecrets: false }),
    clock: node.clock,
    log: node.log,
    secrets: node.secrets,
    onProgress: () => undefined,
    onDatabaseFailure: () => undefined,
  });
  const { partnerId } = valueOf(await onboardPartner(node, newPartner()));
  const taken = await Promise.all(Array.from({ length: 10 }, () => core.pool.connect()));
  try {
    valueOf(await setPartnerStatus(node, partnerId, "suspended"));
    await core.reference.refresh();
    assert.equal(core.reference.byPartnerId(partnerId)?.status, "suspended");
  } finally {
    for (const connection of taken) connection.release();
  }
});

test("a node with the wrong master key does not start", async () => {
  valueOf(await onboardPartner(node, newPartner()));
  const { reads, clock, log } = node;
  const secrets = createSecrets({ current: randomBytes(32) });
  await assert.rejects(createReferenceData({ reads, secrets, clock, log, terms }), SealError);
});

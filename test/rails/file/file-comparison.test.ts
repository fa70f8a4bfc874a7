/** Goal: no instance says that a directory is compared on the word of a row that a restore may have brought back. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createMode } from "../../../packages/server/src/compose/mode.ts";
import { createLog } from "../../../packages/server/src/observability/log.ts";
import { createAdminPool } from "../../../packages/server/src/store/postgres/connect.ts";
import { useDatabase } from "../../support/database/database.ts";
import { copyDatabase } from "../../support/database/copy-database.ts";
import { roleUrlsOf } from "../../support/database/template.ts";
import { queryRows, runStatements } from "../../support/database/with-client.ts";
import { confirmed } from "../../support/confirmed-commit.ts";
import { openFileRail } from "../contract/open-rail.ts";
import { instructionTo, timeout } from "../contract/other-side.ts";
import { scratchDirectory } from "./file-side.ts";

const database = await useDatabase();
after(() => database.drop());

test("a restored row says that its holder has compared: an instance waits for the lease, and finds what is forgotten", async () => {
  const directory = scratchDirectory();
  const plan = { name: "skn", directory } as const;
  const submit = async () => {
    const rail = await openFileRail({ ...plan, url: database.url });
    await rail.submit(instructionTo("1000000001"), timeout(), confirmed);
    await rail.close();
  };
  await submit();
  await using backup = await copyDatabase(database.ownerUrl);
  await submit();
  await runStatements(backup.url, [
    "update rail_leases set holder = gen_random_uuid(), compared_fence = fence, expires_at = clock_timestamp() + interval '4 s'",
  ]);
  const rail = await openFileRail({ ...plan, url: roleUrlsOf(backup.url).url });
  const [lease] = await queryRows(backup.url, "select ahead_since is not null as ahead from rail_leases");
  await rail.close();
  assert.deepEqual(lease, { ahead: true });
});

test("beside an instance that renews its lease another one begins within seconds", async () => {
  const plan = { name: "rtgs", directory: scratchDirectory(), url: database.url } as const;
  const holder = await openFileRail(plan);
  const beganAt = performance.now();
  const beside = await openFileRail(plan);
  assert.ok(performance.now() - beganAt < 10_000);
  const [lease] = await queryRows(database.url, "select fence from rail_leases where rail = 'rtgs'");
  assert.deepEqual(lease, { fence: "1" });
  await beside.close();
  await holder.close();
});

test("a node takes writes once each rail was compared and the list of what stops was read behind that", async () => {
  const pool = createAdminPool(database.url, 1);
  after(() => pool.end());
  const lines: string[] = [];
  const log = createLog({ level: "warn", destination: { write: (line) => void lines.push(line) } });
  const mode = createMode({
    cell: 1,
    config: { inquiriesOnly: false },
    metrics: { gauge: () => undefined },
    log,
    adminPool: pool,
  });
  let because: string | undefined = "EIO: i/o error";
  mode.awaitComparison("rtgs", () => because);
  mode.watchReach("skn", () => because);
  assert.deepEqual(mode.stoppedRails(), [{ rail: "skn", because, isAhead: false }]);
  await using watching = await mode.watch();
  assert.ok(watching && mode.isInquiriesOnly());
  assert.match(mode.reason() ?? "", /rtgs rail is not compared .*: EIO: i\/o error\.$/);
  because = undefined;
  assert.ok(mode.isInquiriesOnly());
  for (let tries = 0; tries < 100 && mode.isInquiriesOnly(); tries += 1) await sleep(100);
  assert.deepEqual([mode.isInquiriesOnly(), mode.reason(), mode.stoppedRails()], [false, undefined, []]);
  assert.match(lines.join(""), /inquiries_only".*\n.*inquiries_only_ended/);
});

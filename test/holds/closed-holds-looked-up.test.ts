// Closed holds cost only the calls that find no other: those about holds in use look in one table.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { idAt, toReferenceNo } from "../../packages/server/src/ids.ts";
import { useJobDatabase } from "../support/database/job-database.ts";
import { idr } from "./merchant.ts";
import { startPastHolds } from "./past-holds.ts";

const database = await useJobDatabase();
after(() => database.drop());

test("calls about holds that have not moved look in their table alone", async () => {
  const scans = async () => {
    // A session counts its scans by its end.
    const others = "select from pg_stat_activity where datname = current_database() and application_name = 'holds'";
    while ((await database.client.query(others)).rowCount !== 0) await sleep(10);
    const count = "select sum(coalesce(idx_scan, 0) + seq_scan) as scans from pg_stat_user_tables";
    const { rows } = await database.client.query(`${count} where relname like 'closed\\_holds%'`);
    return Number(rows[0].scans);
  };
  {
    await using node = await startPastHolds(database);
    for (const fields of [{}, { refundAmount: idr("1.00") }]) {
      const hold = await node.place("10.00");
      await node.change("authCapture", hold, { captureAmount: idr("9.00") });
      await node.change("authVoid", hold);
      await node.change("authRefund", hold, fields);
    }
  }
  assert.equal(await scans(), 0);
  {
    await using node = await startPastHolds(database);
    const unknown = { originalReferenceNo: toReferenceNo(idAt(0)), originalPartnerReferenceNo: "none" };
    assert.equal((await node.send("authCapture", unknown)).case, "transactionNotFound");
  }
  assert.ok((await scans()) > 0);
});

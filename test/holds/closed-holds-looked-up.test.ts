// Closed holds cost only the calls that find no other, and hide none: those about holds in use look in one table.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createMoveClosedHolds } from "../../packages/server/src/jobs/move-closed-holds.ts";
import { idAt, toReferenceNo } from "../../packages/server/src/basics/ids.ts";
import { eventually } from "../support/black-box/answers.ts";
import { useJobDatabase } from "../support/database/job-database.ts";
import { runStatements } from "../support/database/with-client.ts";
import { mayGoOn } from "../support/run-job.ts";
import { idr } from "./merchant.ts";
import { ageMigration, daysAgo, startPastHolds } from "./past-holds.ts";

const database = await useJobDatabase();
after(() => database.drop());

test("calls about holds that have not moved look in their table alone", async () => {
  const scans = async () => {
    // A session counts its scans by its end.
    const others = "select from pg_stat_activity where datname = current_database() and application_name = 'holds'";
    await eventually(async () => (await database.client.query(others)).rowCount === 0, 20);
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

test("an older payment is not answered as the newest behind 1,000 newer ones of its sub-merchant id that have moved", async () => {
  await ageMigration(database.ownerUrl);
  await using past = await startPastHolds(database);
  const { merchant, node, place, change, terms } = past;
  const ofSub = { subMerchantId: "SUB-1" };
  await daysAgo(75, async () => {
    terms.refundDays = 1_825;
    const stays = await place("10.00", ofSub);
    await change("authCapture", stays, {});
    terms.refundDays = 30;
    await change("authVoid", await place("10.00", ofSub));
  });
  assert.equal(await createMoveClosedHolds({ pool: database.pool }).run(mayGoOn), 1);
  // Holds of another merchant with the same sub-merchant id, a minute later each.
  await runStatements(database.ownerUrl, [
    "set session_replication_role = replica",
    `insert into closed_holds select (jsonb_populate_record(null::closed_holds, to_jsonb(moved) || jsonb_build_object(
        'merchant_id', 'OTHER', 'id', id_at(time_of(id) + n * interval '1 minute')))).*
      from closed_holds moved, generate_series(1, 1001) n where sub_merchant_id = 'SUB-1'`,
  ]);
  const request = { merchantId: "HOTEL", ...ofSub };
  const { case: result } = await node.call({ name: "authPaymentQuery", partner: merchant.partner, request });
  assert.equal(result, "transactionNotFound");
});

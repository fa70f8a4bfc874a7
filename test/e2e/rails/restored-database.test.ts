/** A database restored to an earlier moment, in front of a rail that goes on: what was sent since is not carried again. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eventually } from "../../support/black-box/answers.ts";
import { newNumber } from "../../support/black-box/caller.ts";
import { startGateway } from "../../support/black-box/gateway.ts";
import { interbank } from "../../support/black-box/rails/rail-services.ts";
import { expectStatus, railBody } from "../../support/black-box/rails/rail-transfers.ts";
import { startSandbox } from "../../support/black-box/start-sandbox.ts";
import { expectCode } from "../../support/black-box/transfers.ts";
import { copyDatabase } from "../../support/database/copy-database.ts";
import { roleUrlsOf } from "../../support/database/template.ts";
import { queryRows } from "../../support/database/with-client.ts";

const gateway = await startGateway();
after(() => gateway.stop());
const script = ["examples/own-rail/serve.ts", gateway.url];
const sandbox = await startSandbox({}, { script });
after(() => sandbox[Symbol.asyncDispose]());
const { control, file } = sandbox;
const alpha = sandbox.caller("alpha");
const port = { PORT: new URL(file.baseUrl).port };

test("18 settled at the rail, then the database is restored to before it: the partner's repeat is carried once", async () => {
  const { accountNo } = await control.open({ name: "A payer", balance: "50000.00", partnerId: "alpha" });
  await sandbox.service.end("SIGTERM");
  await using backup = await copyDatabase(sandbox.ownerUrl ?? "");
  const body = railBody(interbank, accountNo);
  const externalId = newNumber();
  const lost = await sandbox.startNode(port, { script });
  expectCode(await alpha.call(interbank.path, body, { externalId }), "2001800");
  await lost.end("SIGTERM");

  const { url, administrationUrl } = roleUrlsOf(backup.url);
  const restored = { ...port, DATABASE_URL: url, TITIAN_ADMIN_DATABASE_URL: administrationUrl };
  await using _node = await sandbox.startNode(restored, { script });
  assert.equal((await control.account(accountNo)).ledgerBalance, "50000.00");
  const repeat = await alpha.call(interbank.path, body, { externalId });
  expectCode(repeat, "2001800");
  await expectStatus(alpha, interbank, repeat, "00");
  assert.equal(gateway.instructions().length, 1);
  // The rail reports the number that the database has forgotten: it is acknowledged only once it is kept.
  const [forgotten] = gateway.instructions();
  const referenceNo = String(forgotten?.["referenceNo"]);
  gateway.tell(referenceNo, { kind: "settled", traceNo: "GW-LATER" });
  await eventually(async () => gateway.waiting() === 0);
  const kept = await queryRows(backup.url, "select reference_no, state, reason, trace_no from set_aside_results");
  assert.deepEqual(kept, [{ reference_no: referenceNo, state: "settled", reason: "unknown", trace_no: "GW-LATER" }]);
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});

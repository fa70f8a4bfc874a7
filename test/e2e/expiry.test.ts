/** Expiry as a job (spec D10): it follows the clock, survives a crash at any moment, and runs on whichever node lives. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eventually } from "../support/black-box/answers.ts";
import { createControl } from "../support/black-box/control.ts";
import { capture, hold, holdOf, type Payment } from "../support/black-box/payments/holds.ts";
import { startSandbox } from "../support/black-box/start-sandbox.ts";
import { idr } from "../support/black-box/transfers.ts";

const sandbox = await startSandbox();
after(() => sandbox[Symbol.asyncDispose]());
const { agent, control, file } = sandbox;

const week = 7 * 86_400;
const count = 1_000;

test("killed while it expires 1,000 holds, the service goes on after its restart, and each hold expires once", async () => {
  const alpha = sandbox.caller("alpha");
  const merchantId = alpha.partner.merchants[1] ?? "";
  const { accountNo } = await control.open({ name: "A payer", balance: "100000.00", partnerId: "alpha" });
  const additionalInfo = { sourceAccountNo: accountNo };
  const payments = await Promise.all(
    Array.from({ length: count }, () => hold(alpha, merchantId, { amount: idr("10.00"), additionalInfo })),
  );
  assert.equal((await control.account(accountNo)).availableBalance, "90000.00");

  const moved = control.advance(week + 1).catch(() => "killed");
  // Some are swept by then, others not: whatever the moment, nothing may be lost or done twice.
  await untilAvailable(accountNo, (available) => available !== "90000.00");
  await sandbox.service.end("SIGKILL");
  await moved;
  // Where the first one was.
  await using next = await sandbox.startNode({ PORT: new URL(file.baseUrl).port });
  await untilAvailable(accountNo, (available) => available === "100000.00");
  for (const payment of samples(payments)) {
    const { expired, remaining, state } = await holdOf(control, payment);
    assert.deepEqual([expired, remaining, state], ["10.00", "0.00", "expired"]);
  }
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });

  await alpha.token({ fresh: true });
  assert.equal((await capture(alpha, payments[0] ?? assert.fail())).code, "4046500");
  await secondNode();
  assert.equal(next.baseUrl, file.baseUrl);
});

/** The node that placed a hold is gone; another one, which never heard of it, lets its money go. */
async function secondNode() {
  const second = await sandbox.startNode();
  const alpha = sandbox.caller("alpha");
  const there = createControl({ ...file, baseUrl: second.baseUrl }, agent);
  const merchantId = alpha.partner.merchants[1] ?? "";
  const { accountNo } = await control.open({ name: "Another payer", balance: "1000.00", partnerId: "alpha" });
  const payment = await hold(alpha, merchantId, { additionalInfo: { sourceAccountNo: accountNo } });
  await Promise.all([control.advance(week + 1), there.advance(1)]);
  assert.equal((await there.account(accountNo)).availableBalance, "1000.00");
  assert.equal((await holdOf(there, payment)).state, "expired");
  assert.deepEqual(await there.audit(), { ok: true, findings: [] });
  await second.end("SIGTERM");
}

function samples(payments: readonly Payment[]): readonly Payment[] {
  return payments.filter((_, index) => index % 50 === 0);
}

async function untilAvailable(accountNo: string, is: (available: string) => boolean): Promise<void> {
  await eventually(async () => {
    const account = await control.account(accountNo).catch(() => undefined);
    return account && is(account.availableBalance);
  }, 10);
}

/** A node whose clock is wrong (spec D10): it acts on no time, takes no calls, and says so. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { request } from "undici";
import { createControl } from "../support/black-box/control.ts";
import { hold, holdOf } from "../support/black-box/payments/holds.ts";
import { eventually } from "../support/black-box/answers.ts";
import { isSplit } from "../support/black-box/split-sandbox.ts";
import { startSandbox } from "../support/black-box/start-sandbox.ts";

const sandbox = await startSandbox();
after(() => sandbox[Symbol.asyncDispose]());
const { agent, control, file } = sandbox;
const wrongClock = fileURLToPath(new URL("./wrong-clock.ts", import.meta.url));
const wrongByMs = 8 * 86_400_000;

test("a node 8 days ahead releases nobody's hold and is not ready; the sandbox's moved clock is no difference", async () => {
  const alpha = sandbox.caller("alpha");
  const { accountNo } = await control.open({ name: "A payer", balance: "1000.00", partnerId: "alpha" });
  const merchantId = alpha.partner.merchants[1] ?? assert.fail("alpha has merchants");
  const payment = await hold(alpha, merchantId, { additionalInfo: { sourceAccountNo: accountNo } });
  await using ahead = await sandbox.startNode({}, { script: [wrongClock, String(wrongByMs), "serve"] });

  // Its jobs have run once this is answered.
  await createControl({ ...file, baseUrl: ahead.baseUrl }, agent).advance(60);
  assert.equal((await control.account(accountNo)).availableBalance, "900.00");
  assert.equal((await holdOf(control, payment)).state, "open");

  const isReady = async (baseUrl: string) => {
    const { statusCode, body } = await request(`${baseUrl}/health/ready`, { dispatcher: agent });
    const { checks } = (await body.json()) as { checks: { clock: { agrees: boolean; differenceMs: number } } };
    return { statusCode, ...checks.clock };
  };
  const { differenceMs, ...said } = await isReady(ahead.baseUrl);
  assert.deepEqual(said, { statusCode: 503, agrees: false });
  assert.ok(Math.abs(differenceMs - wrongByMs) < 60_000, String(differenceMs));
  // Once for each database.
  const databases = isSplit ? 2 : 1;
  const told = () => ahead.output().split('"event":"clock.skewed"').length - 1;
  await eventually(async () => told() >= databases);
  assert.equal(told(), databases);
  // The page of metrics may be a second old.
  await eventually(async () => {
    const { body } = await request(`${ahead.baseUrl}/metrics`, { dispatcher: agent });
    const seconds = Number(/^titian_clock_difference_seconds(?:\{cell="0"\})? (\S+)/m.exec(await body.text())?.[1]);
    return Math.abs(seconds - wrongByMs / 1_000) < 60;
  });

  const { statusCode, agrees } = await isReady(file.baseUrl);
  assert.deepEqual([statusCode, agrees], [200, true]);
});

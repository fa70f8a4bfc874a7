/** Embedding of the service by a program: rails that stay its own, and figures of what is under way. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { request } from "undici";
import { startService } from "../../packages/server/src/compose/start-service.ts";
import { startSandbox } from "../../packages/sandbox/src/start-sandbox.ts";
import { readConfig } from "../../packages/server/src/config/config.ts";
import { createLog } from "../../packages/server/src/observability/log.ts";
import { createUnconnectedRail, type Rail, type RailState } from "../../packages/server/src/rails/rail.ts";
import { createCaller } from "../support/black-box/caller.ts";
import { createDataDir, removeDataDir } from "../support/black-box/data-dir.ts";
import { eventually } from "../support/black-box/answers.ts";
import { interbank } from "../support/black-box/rails/rail-services.ts";
import { railBody } from "../support/black-box/rails/rail-transfers.ts";
import { readSandboxFile } from "../support/black-box/sandbox-file.ts";
import { createAgent } from "../support/black-box/start-sandbox.ts";
import { expectCode } from "../support/black-box/transfers.ts";
import { useDatabase } from "../support/database/database.ts";

const log = createLog({ level: "silent" });
const onProgress = () => undefined;
const dataDir = createDataDir();
after(() => removeDataDir(dataDir));

/** A rail that answers when a test lets it. */
function createHeldRail() {
  const answer = Promise.withResolvers<RailState>();
  let closed = 0;
  const rail: Rail = {
    ...createUnconnectedRail("interbank"),
    submit: () => answer.promise,
    close: async () => void (closed += 1),
  };
  return { rail, answer: answer.resolve, closed: () => closed };
}

test("requests being sent are shown, and a given rail is not closed with the service", async () => {
  await using stack = new AsyncDisposableStack();
  const database = await useDatabase();
  stack.defer(() => database.drop());
  const held = createHeldRail();
  const config = readConfig({
    DATABASE_URL: database.url,
    TITIAN_ADMIN_DATABASE_URL: database.administrationUrl,
    TITIAN_SANDBOX: "1",
    TITIAN_DATA_DIR: dataDir,
    PORT: "0",
  });
  const service = await startSandbox({ config, log, onProgress, rails: { interbank: held.rail } });
  stack.defer(() => service.close());
  const agent = createAgent();
  stack.defer(() => agent.destroy());
  const alpha = createCaller(readSandboxFile(dataDir), "alpha", agent);
  const payer = alpha.partner.sourceAccounts[0] ?? assert.fail("alpha has an account");
  const inBatch = async () => {
    const { body } = await request(`${service.baseUrl}/metrics`, { dispatcher: agent });
    return Number(/^titian_transfers_in_flight\{rail="interbank"\} (\d+)$/m.exec(await body.text())?.[1]);
  };

  assert.deepEqual(service.load(), { requests: 0, jobs: 0, transfersInFlight: 0 });
  const calling = alpha.call(interbank.path, railBody(interbank, payer));
  await eventually(async () => service.load().transfersInFlight === 1);
  assert.equal(await inBatch(), 1);
  held.answer({ kind: "settled" });
  expectCode(await calling, "2001800");
  await eventually(async () => (await inBatch()) === 0);
  assert.deepEqual(service.load(), { requests: 0, jobs: 0, transfersInFlight: 0 });

  await service.close();
  assert.equal(held.closed(), 0);
});

test("a rail that says it is another one is rejected before anything starts", async () => {
  const config = readConfig({ TITIAN_DATA_DIR: "/nonexistent/titian" });
  const starting = startSandbox({ config, log, onProgress, rails: { interbank: createUnconnectedRail("skn") } });
  await assert.rejects(starting, { message: "The rail passed as interbank is named skn." });
});

test("a sandbox does not start with production's settings, nor production with a sandbox's", async () => {
  const production = readConfig({ DATABASE_URL: "postgres://127.0.0.1:1/none" }, { needsSecrets: false });
  await assert.rejects(startSandbox({ config: production, log, onProgress }), /this program runs a sandbox/);
  const sandbox = readConfig({ TITIAN_DATA_DIR: "/nonexistent/titian" });
  await assert.rejects(startService({ config: sandbox, log, onProgress }), /this program runs in production/);
});

/**
 * `npm run demo`: a fresh sandbox is started, stories are played on it by the client, of a transfer, a hotel stay and
 * transfers to other banks, and a table tells whether everything was as expected. Exits with 0 only then; leaves nothing
 * behind.
 */
import { createClient } from "@titian/client";
import { choosePartner, readSandboxFile } from "../packages/server/src/cli/sandbox-file.ts";
import { playExpiry } from "./demo/expiry.ts";
import { playHotelStay } from "./demo/hotel-stay.ts";
import { playInterbank } from "./demo/interbank.ts";
import { createNarrator } from "./demo/narrator.ts";
import { playSettlements } from "./demo/settlements.ts";
import { audit, type Stage } from "./demo/stage.ts";
import { playTransfer } from "./demo/transfer.ts";
import { createControlApi } from "./support/control-api.ts";
import { startFreshSandbox } from "./support/start-sandbox.ts";

const startedAt = performance.now();
const seconds = () => ((performance.now() - startedAt) / 1_000).toFixed(1);

console.log("Starting a fresh sandbox: the real service, a PostgreSQL of its own, simulated money.");
await using running = await startFreshSandbox({
  onProgress: (text) => console.log(`   ${seconds().padStart(4)} s  ${text}`),
  // Ten seconds are right for a service, and long for a story.
  env: { TITIAN_INTERBANK_WAIT_SECONDS: "2" },
});
const sandbox = readSandboxFile(running.file);
const partner = choosePartner(sandbox, undefined);
console.log(`   ${seconds().padStart(4)} s  It listens at ${sandbox.baseUrl}; the partner ${partner.partnerId} calls.`);

const merchant = sandbox.merchants.find(({ merchantId }) => merchantId === partner.merchants[0]);
if (merchant === undefined) throw new Error(`${partner.partnerId} has no merchant in ${running.file}.`);

const narrator = createNarrator();
const stage: Stage = {
  client: createClient({
    baseUrl: sandbox.baseUrl,
    pathPrefix: sandbox.pathPrefix,
    version: sandbox.version,
    partnerId: partner.partnerId,
    channelId: partner.channelId,
    clientKey: partner.clientKey,
    credentials: { mode: "symmetric", clientSecret: partner.clientSecret ?? "", privateKey: partner.privateKey },
  }),
  control: createControlApi(sandbox),
  narrator,
  partnerId: partner.partnerId,
  merchant,
  scenarios: sandbox.scenarios,
};
await playTransfer(stage);
const stay = await playHotelStay(stage);
await playExpiry(stage, stay);
const payer = await playInterbank(stage);
await playSettlements(stage, payer);
await audit(stage);
const isAsExpected = narrator.conclude();
console.log(`Done in ${seconds()} s; the sandbox is stopped and removed. Start one that stays: npm start`);
process.exitCode = isAsExpected ? 0 : 1;

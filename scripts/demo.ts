/**
 * `npm run demo`: a fresh sandbox is started, a story of transfers is played on it by the client, and a table tells
 * whether everything was as expected. Exits with 0 only then; leaves nothing behind.
 */
import { createClient } from "@titian/client";
import { choosePartner, readSandboxFile } from "../packages/server/src/cli/sandbox-file.ts";
import { createNarrator } from "./demo/narrator.ts";
import { playStory } from "./demo/story.ts";
import { createControlApi } from "./support/control-api.ts";
import { startFreshSandbox } from "./support/start-sandbox.ts";

const startedAt = performance.now();
const seconds = () => ((performance.now() - startedAt) / 1_000).toFixed(1);

console.log("Starting a fresh sandbox: the real service, a PostgreSQL of its own, simulated money.");
await using running = await startFreshSandbox({
  onProgress: (text) => console.log(`   ${seconds().padStart(4)} s  ${text}`),
});
const sandbox = readSandboxFile(running.file);
const partner = choosePartner(sandbox, undefined);
console.log(`   ${seconds().padStart(4)} s  It listens at ${sandbox.baseUrl}; the partner ${partner.partnerId} calls.`);

const narrator = createNarrator();
await playStory({
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
});
const isAsExpected = narrator.conclude();
console.log(`Done in ${seconds()} s; the sandbox is stopped and removed. Start one that stays: npm start`);
process.exitCode = isAsExpected ? 0 : 1;

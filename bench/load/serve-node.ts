/** The whole service as `titian serve` runs it, with rails of the benches in it, which are told how fast they answer. */
import { startSandbox } from "../../packages/sandbox/src/start-sandbox.ts";
import { startService } from "../../packages/server/src/compose/start-service.ts";
import { loadConfig } from "../../packages/server/src/config/config.ts";
import { createLog } from "../../packages/server/src/observability/log.ts";
import { createBenchRail } from "./bench-rail.ts";
import { createNodeWatch } from "./watch-node.ts";

/** To this process, which answers with its `NodeState`. */
export interface NodeTerms {
  /** Delay of the rail for interbank transfers, from now on. */
  readonly railAnswerMs: number;
  /** True: the process is watched until the next message; its looks cost CPU that counts as the service's. */
  readonly watches?: boolean;
}

const config = loadConfig();
const interbank = createBenchRail("interbank");
const service = await (config.sandbox ? startSandbox : startService)({
  config,
  log: createLog({ level: config.logLevel }),
  onProgress: () => undefined,
  rails: { interbank, rtgs: createBenchRail("rtgs"), skn: createBenchRail("skn") },
});
const watch = createNodeWatch();

process.on("message", (message) => {
  // Both sides are this program.
  const { railAnswerMs, watches = false } = message as NodeTerms;
  interbank.answerAfter(railAnswerMs);
  const state = watch.take();
  if (watches) watch.begin();
  process.send?.(state);
});
const left = new Promise((resolve) => process.once("disconnect", resolve));
process.send?.(service.baseUrl);
const failure = await Promise.race([left, service.failed]);
await service.close();
if (failure instanceof Error) console.error(failure);
process.exit(failure instanceof Error ? 1 : 0);

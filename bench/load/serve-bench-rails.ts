/**
 * The whole service as `titian serve` runs it, with rails of the benches in it. Between windows it is set how fast they
 * answer, and tells what has waited at most.
 */
import { once } from "node:events";
import { startSandbox } from "../../packages/sandbox/src/start-sandbox.ts";
import { startService } from "../../packages/server/src/compose/start-service.ts";
import { loadConfig } from "../../packages/server/src/config/config.ts";
import { createLog } from "../../packages/server/src/observability/log.ts";
import { createBenchRail } from "../rails/bench-rail.ts";
import type { NodePeaks } from "../subject.ts";
import { watchLoad } from "./watch-load.ts";

/** From a process in production, which writes no `sandbox.json`: it serves. */
export interface Ready {
  readonly baseUrl: string;
}

/** To this process: the next window begins, or has ended. Answered by the peaks since the last message. */
export interface RailTerms {
  readonly answerMs: number;
  /** Whether garbage is collected, so that what is left of memory is in use. */
  readonly collects?: boolean;
}

const asked = once(process, "SIGTERM");
const config = loadConfig();
const log = createLog({ level: config.logLevel });
const interbank = createBenchRail("interbank");
const rails = { interbank, rtgs: createBenchRail("rtgs"), skn: createBenchRail("skn") };
const start = config.sandbox ? startSandbox : startService;
const service = await start({ config, log, onProgress: () => undefined, rails });
const watch = watchLoad(service);

process.on("message", (message) => {
  // Both sides are this program.
  const { answerMs, collects = false } = message as RailTerms;
  interbank.answerAfter(answerMs);
  process.send?.(watch.take({ collects }) satisfies NodePeaks);
});
if (!config.sandbox) process.send?.({ baseUrl: service.baseUrl } satisfies Ready);
const failure = await Promise.race([asked, service.failed]);
await service.close();
if (failure instanceof Error) console.error(failure);
// The channel to the benches would keep it.
process.exit(failure instanceof Error ? 1 : 0);

/** The whole service as `titian serve` runs it, with rails of the benches in it, which are told how fast they answer. */
import { startSandbox } from "../../packages/sandbox/src/start-sandbox.ts";
import { startService } from "../../packages/server/src/compose/start-service.ts";
import { loadConfig } from "../../packages/server/src/config/config.ts";
import { createLog } from "../../packages/server/src/observability/log.ts";
import { createBenchRail } from "./bench-rail.ts";
import { type Allocations, sampleAllocations } from "./sample-allocations.ts";
import { createNodeWatch, type NodeState } from "./watch-node.ts";

/** To this process, which answers with its `NodeState`, and with its `Allocations` where they were sampled. */
export interface NodeTerms {
  /** Delay of the rail for interbank transfers, from now on. */
  readonly railAnswerMs: number;
  /** True: the process is watched until the next message; its looks cost CPU that counts as the service's. */
  readonly watches?: boolean;
  /** True: its allocations are sampled until the next message, which costs it more. */
  readonly samples?: boolean;
}

export type NodeReport = NodeState & { readonly allocations?: Allocations | undefined };

const config = loadConfig();
const interbank = createBenchRail("interbank");
const service = await (config.sandbox ? startSandbox : startService)({
  config,
  log: createLog({ level: config.logLevel }),
  onProgress: () => undefined,
  rails: { interbank, rtgs: createBenchRail("rtgs"), skn: createBenchRail("skn") },
});
const watch = createNodeWatch();

let endSampling: (() => Promise<Allocations>) | undefined;

async function follow({ railAnswerMs, watches = false, samples = false }: NodeTerms): Promise<NodeReport> {
  interbank.answerAfter(railAnswerMs);
  const allocations = await endSampling?.();
  const state = watch.take();
  endSampling = samples ? await sampleAllocations() : undefined;
  if (watches) watch.begin();
  return { ...state, allocations };
}

process.on("message", (message) => {
  // Both sides are this program.
  void follow(message as NodeTerms).then((report) => process.send?.(report));
});
const left = new Promise((resolve) => process.once("disconnect", resolve));
process.send?.(service.baseUrl);
const failure = await Promise.race([left, service.failed]);
await service.close();
if (failure instanceof Error) console.error(failure);
process.exit(failure instanceof Error ? 1 : 0);

/** Entry of programs that serve with several processes (docs/guides/operating.md). Only where there are several. */
export { isWorker, joinWorkers, type WorkerGroup } from "../compose/workers/join-workers.ts";
export { startWorkers, type Workers, type WorkersDeps } from "../compose/workers/start-workers.ts";

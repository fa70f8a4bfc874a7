/**
 * Signed transfers and captures over HTTP against the real service, each answered after its durable commit. Rails of the
 * benches are in the service's process; under the name of the sandbox, the rails it simulates.
 */
import type { Cluster } from "../database/cluster.ts";
import { createLedgerDatabase, dropDatabase } from "../database/databases.ts";
import { startLoadedService } from "../load/start-loaded-service.ts";
import { commandLoads, type Load, railAnswerMs, railLoads, sandboxLoads, type Subject } from "../subject.ts";
import { auditDatabase } from "./audit-database.ts";
import { createAnswerCheck } from "./check-answers.ts";
import { checkSettled } from "./check-settled.ts";
import { runWindow } from "./run-window.ts";

export interface EndToEndOptions {
  readonly name: "e2e" | "sandbox";
  readonly cluster: Cluster;
  readonly accounts: number;
}

const loads: Readonly<Record<EndToEndOptions["name"], readonly Load[]>> = {
  e2e: [...commandLoads, ...railLoads],
  sandbox: sandboxLoads,
};

export async function createEndToEnd({ name, cluster, accounts }: EndToEndOptions): Promise<Subject> {
  const database = `bench_${name}`;
  const hasBenchRails = name === "e2e";
  const url = await createLedgerDatabase(cluster.url, database);
  const loaded = await startLoadedService({ url, accounts, rails: hasBenchRails ? "bench" : "simulated" });
  const { service, worker } = loaded;
  const answers = await createAnswerCheck(name, url);
  return {
    name,
    loads: loads[name],
    hasOwnCallers: false,
    async run(window) {
      const terms = { answerMs: railAnswerMs(window.load) };
      if (hasBenchRails) await service.setRails(terms);
      const measured = await runWindow(worker, { cluster, service: service.pid }, window);
      answers.add(measured.done);
      return hasBenchRails ? { ...measured, peaks: await service.setRails(terms) } : measured;
    },
    async check() {
      await answers.check();
      await checkSettled(name, url);
    },
    async close() {
      await loaded[Symbol.asyncDispose]();
      await auditDatabase(name, url);
      await dropDatabase(cluster.url, database);
    },
  };
}

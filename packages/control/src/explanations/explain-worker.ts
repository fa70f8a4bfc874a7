/**
 * Explains calls in a thread of its own, so that no other call waits for it. This file is both the thread and what starts
 * it. Credentials come with each order, and none is kept.
 */
import { setPriority } from "node:os";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import {
  type CallEvidence,
  explainOpenly,
  type PartnerSecrets,
  type RefusalReport,
  type Warning,
  warningsOf,
} from "@titian/explain";

export interface ExplainOrder {
  readonly evidence: CallEvidence;
  /** The caller, if it is known, and others whose keys are tried. */
  readonly known: readonly PartnerSecrets[];
  readonly partnerId: string | undefined;
}

/** With the secrets that the call holds, until they are hidden. */
export interface Explanation {
  readonly report: RefusalReport;
  readonly warnings: readonly Warning[];
}

const role = "explains-calls";
/** A tenth of the share of the thread that answers calls. */
const niceness = 10;
const heapMaxMiB = 96;
const youngHeapMaxMiB = 16;

if (!isMainThread && workerData === role) {
  // Linux has a priority of the thread's own: calls have the processor before explanations. Elsewhere it would be the
  // whole process's.
  if (process.platform === "linux") setPriority(0, niceness);
  parentPort?.on("message", (order: ExplainOrder) => parentPort?.postMessage(answer(order)));
}

export interface ExplainAnswer {
  readonly explanation: Explanation | undefined;
  /** Time of the processor. */
  readonly cpuMs: number;
}

function answer(order: ExplainOrder): ExplainAnswer {
  const before = process.threadCpuUsage();
  const explanation = explain(order);
  const { user, system } = process.threadCpuUsage(before);
  return { explanation, cpuMs: (user + system) / 1_000 };
}

/** Undefined: it cannot be explained; why must not reach the log with what the order holds. */
function explain({ evidence, known, partnerId }: ExplainOrder): Explanation | undefined {
  try {
    const partner = known.find((one) => one.partnerId === partnerId);
    const warnings = partner === undefined ? [] : warningsOf(evidence, partner);
    return { report: explainOpenly(evidence, known), warnings };
  } catch {
    return undefined;
  }
}

/** It does not keep the process running. */
export function startExplainWorker(): Worker {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: role,
    resourceLimits: { maxOldGenerationSizeMb: heapMaxMiB, maxYoungGenerationSizeMb: youngHeapMaxMiB },
  });
  worker.unref();
  return worker;
}

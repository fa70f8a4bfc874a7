/** Orders explanations of calls from the thread that makes them: one at a time, bounded numbers of calls and bytes waiting. */
import type { Worker } from "node:worker_threads";
import type { Clock } from "@titian/server/rails";
import {
  type CallEvidence,
  hideSecretsIn,
  type PartnerSecrets,
  type SecretFinder,
  withoutSecrets,
} from "@titian/explain";
import { bytesOf, evidenceOf, type ExplainableCall } from "./call-evidence.ts";
import { type ExplainAnswer, type Explanation, type ExplainOrder, startExplainWorker } from "./explain-worker.ts";

/** `busy`: too many wait. Undefined: it failed, or took too long. */
export type Explained = Explanation | "busy" | undefined;

export interface CallExplainer extends AsyncDisposable {
  /** For one who asked for it by the control API. */
  explain(call: ExplainableCall): Promise<Explained>;
  /** For callers and the terminal, whom nobody limits: `busy` also when these have taken up their share of time. */
  explainIfIdle(call: ExplainableCall): Promise<Explained>;
}

export interface ExplainerDeps {
  readonly clock: Pick<Clock, "monotonic">;
  readonly paths: CallEvidence["paths"];
  /** The partners whose keys are tried on this call. */
  /** Secrets of all partners, which nothing of an explanation may show. */
  readonly secrets: () => SecretFinder;
  readonly knownFor: (partnerId: string | undefined) => readonly PartnerSecrets[];
}

interface Job {
  readonly evidence: CallEvidence;
  readonly partnerId: string | undefined;
  readonly bytes: number;
  /** True: its time counts against the share of callers and the terminal. */
  readonly isIfIdle: boolean;
  readonly done: (explained: Explained) => void;
}

/** Limits of waiting calls: those whose explanation was asked for, and others. */
const askedMax = { jobs: 1_100, bytes: 33_554_432 };
const ifIdleMax = { jobs: 32, bytes: 2_097_152 };
/** Time of the processor (ms) that calls and the terminal may use up at once, and how much of each second comes back. */
const idleBudgetMs = 3_000;
const idleShare = 0.25;
/** The thread rests for as long as it has worked, so that it takes half of a processor at most. */
const restMaxMs = 100;
const timeoutMs = 10_000;
/** Answer for a thread that ended or does not respond. */
const broken: ExplainAnswer = { explanation: undefined, cpuMs: idleBudgetMs };

export function createCallExplainer({ clock, paths, secrets, knownFor }: ExplainerDeps): CallExplainer {
  const waiting = createWaitingJobs();
  const thread = createThread();
  let running: Job | undefined;
  let rest: NodeJS.Timeout | undefined;
  let isClosed = false;
  const budget = createIdleBudget(clock);

  /** There is no thread now: what waits is not explained, and a later call tries again. */
  function giveUp(): void {
    const jobs = [...(running ? [running] : []), ...waiting.takeAll()];
    running = undefined;
    for (const { done } of jobs) done(undefined);
  }

  function startNext(): void {
    if (isClosed || rest !== undefined) return;
    running = waiting.next();
    if (running === undefined) return;
    const own = thread.get();
    if (own === undefined) giveUp();
    else run(running, own);
  }

  function endRest(): void {
    rest = undefined;
    startNext();
  }

  function run({ evidence, partnerId }: Job, own: Worker): void {
    const timer = setTimeout(() => finish(broken, true), timeoutMs).unref();
    const onMessage = (answer: ExplainAnswer) => finish(answer, false);
    const onEnd = () => finish(broken, true);
    own.once("message", onMessage).once("error", onEnd).once("exit", onEnd);
    const order: ExplainOrder = { evidence, partnerId, known: knownFor(partnerId) };
    own.postMessage(order);

    function finish({ explanation, cpuMs }: ExplainAnswer, isBroken: boolean): void {
      clearTimeout(timer);
      own.off("message", onMessage).off("error", onEnd).off("exit", onEnd);
      if (isBroken) thread.end(own);
      const { done, isIfIdle = false } = running ?? {};
      if (isIfIdle) budget.spend(cpuMs);
      running = undefined;
      done?.(explanation && hide(explanation, evidence, secrets()));
      rest = setTimeout(endRest, Math.min(cpuMs, restMaxMs)).unref();
    }
  }

  function explain(call: ExplainableCall, max: WaitingLimits, isIfIdle: boolean): Promise<Explained> {
    const bytes = bytesOf(call);
    if (isClosed || !waiting.hasRoom(bytes, max)) return Promise.resolve("busy");
    const { partnerId } = call;
    return new Promise((done) => {
      waiting.add({ evidence: evidenceOf(call, paths), partnerId, bytes, isIfIdle, done });
      if (running === undefined) startNext();
    });
  }

  return {
    explain: (call) => explain(call, askedMax, false),
    explainIfIdle: (call) => (budget.left() > 0 ? explain(call, ifIdleMax, true) : Promise.resolve("busy")),
    async [Symbol.asyncDispose]() {
      isClosed = true;
      clearTimeout(rest);
      for (const { done } of waiting.takeAll()) done(undefined);
      await thread.close();
    },
  };
}

/** Here, and not in the thread, which has the secrets of a few partners. */
function hide({ report, warnings }: Explanation, evidence: CallEvidence, finder: SecretFinder): Explanation {
  return {
    report: withoutSecrets(report, evidence, finder),
    warnings: hideSecretsIn(warnings, evidence, finder),
  };
}

/** Time of the processor (ms) that is left to calls and the terminal. */
function createIdleBudget(clock: Pick<Clock, "monotonic">) {
  let leftMs = idleBudgetMs;
  let at = clock.monotonic();
  const left = (): number => {
    const now = clock.monotonic();
    leftMs = Math.min(idleBudgetMs, leftMs + (now - at) * idleShare);
    at = now;
    return leftMs;
  };
  return {
    left,
    spend: (ms: number): void => {
      leftMs = left() - ms;
    },
  };
}

/** The thread, started when it is needed; one that ends, for whatever reason, is replaced. */
function createThread() {
  let worker: Worker | undefined;
  const start = (): Worker => {
    const started = startExplainWorker();
    const forget = () => {
      if (worker === started) worker = undefined;
    };
    return started.on("error", forget).on("exit", forget);
  };
  return {
    /** Undefined: the system gives no thread. */
    get: (): Worker | undefined => {
      try {
        return (worker ??= start());
      } catch {
        return undefined;
      }
    },
    /** The next call gets another. */
    end: (own: Worker): void => {
      if (worker === own) worker = undefined;
      void own.terminate();
    },
    close: async (): Promise<void> => void (await worker?.terminate()),
  };
}

/** Waiting jobs, in their order, with the bytes that they take. */
interface WaitingJobs {
  /** True when so many bytes more are within the limits. */
  hasRoom(bytes: number, max: WaitingLimits): boolean;
  add(job: Job): void;
  next(): Job | undefined;
  takeAll(): readonly Job[];
}

interface WaitingLimits {
  readonly jobs: number;
  readonly bytes: number;
}

function createWaitingJobs(): WaitingJobs {
  const jobs: Job[] = [];
  let total = 0;
  return {
    hasRoom: (bytes, max) => jobs.length < max.jobs && total + bytes <= max.bytes,
    add(job) {
      jobs.push(job);
      total += job.bytes;
    },
    next() {
      const job = jobs.shift();
      total -= job?.bytes ?? 0;
      return job;
    },
    takeAll() {
      total = 0;
      return jobs.splice(0);
    },
  };
}

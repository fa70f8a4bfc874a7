/** Orders explanations of calls from the thread that makes them: one at a time, a bounded number waiting. */
import type { Worker } from "node:worker_threads";
import type { ObservedCall } from "@titian/server";
import type { Clock } from "@titian/server/rails";
import type { CallEvidence, PartnerSecrets } from "@titian/server/explain";
import { type ExplainAnswer, type Explanation, type ExplainOrder, startExplainWorker } from "./explain-worker.ts";

/** A call just answered, or one that was recorded. */
export type ExplainableCall = Omit<ObservedCall, "fields"> & Pick<CallEvidence, "isBodyCut" | "tokensIssuedHere">;

export interface CallExplainer extends AsyncDisposable {
  /** For one who asked for it by the control API. Undefined: too many wait, or it took too long. */
  explain(call: ExplainableCall): Promise<Explanation | undefined>;
  /** For callers and the terminal, whom nobody limits: undefined also when these have taken up their share of time. */
  explainIfIdle(call: ExplainableCall): Promise<Explanation | undefined>;
}

export interface ExplainerDeps {
  readonly clock: Pick<Clock, "monotonic">;
  readonly paths: CallEvidence["paths"];
  /** The partners whose keys are tried on this call. */
  readonly knownFor: (partnerId: string | undefined) => readonly PartnerSecrets[];
}

interface Job {
  readonly call: ExplainableCall;
  /** Whether its time counts against the share of callers and the terminal. */
  readonly isIfIdle: boolean;
  readonly done: (explanation: Explanation | undefined) => void;
}

const waitingMax = 1_100;
const waitingIfIdleMax = 32;
/** Time of the processor (ms) that calls and the terminal may use up at once, and how much of each second comes back. */
const idleBudgetMs = 3_000;
const idleShare = 0.25;
const timeoutMs = 10_000;
/** Of a thread that ended or does not answer. */
const broken: ExplainAnswer = { explanation: undefined, cpuMs: idleBudgetMs };
/** A longer body is not passed to the thread: its hash would take more than the rest. */
const bodyMax = 262_144;

export function createCallExplainer({ clock, paths, knownFor }: ExplainerDeps): CallExplainer {
  const waiting: Job[] = [];
  const thread = createThread();
  let running: Job | undefined;
  let isClosed = false;
  const budget = { leftMs: idleBudgetMs, at: clock.monotonic() };

  function budgetLeft(): number {
    const now = clock.monotonic();
    budget.leftMs = Math.min(idleBudgetMs, budget.leftMs + (now - budget.at) * idleShare);
    budget.at = now;
    return budget.leftMs;
  }

  /** There is no thread now: what waits is not explained, and a later call tries again. */
  function giveUp(): void {
    const jobs = [...(running ? [running] : []), ...waiting.splice(0)];
    running = undefined;
    for (const { done } of jobs) done(undefined);
  }

  function order(job: Job): void {
    waiting.push(job);
    if (running === undefined) startNext();
  }

  function startNext(): void {
    running = waiting.shift();
    if (running === undefined) return;
    const own = thread.get();
    if (own === undefined) giveUp();
    else run(running.call, own);
  }

  function run(call: ExplainableCall, own: Worker): void {
    const timer = setTimeout(() => finish(broken, true), timeoutMs).unref();
    const onMessage = (answer: ExplainAnswer) => finish(answer, false);
    const onEnd = () => finish(broken, true);
    own.once("message", onMessage).once("error", onEnd).once("exit", onEnd);
    own.postMessage(orderOf(call, paths, knownFor(call.partnerId)));

    function finish({ explanation, cpuMs }: ExplainAnswer, isBroken: boolean): void {
      clearTimeout(timer);
      own.off("message", onMessage).off("error", onEnd).off("exit", onEnd);
      if (isBroken) thread.end(own);
      const { done, isIfIdle = false } = running ?? {};
      if (isIfIdle) budget.leftMs = budgetLeft() - cpuMs;
      running = undefined;
      done?.(explanation);
      if (!isClosed) startNext();
    }
  }

  function explain(call: ExplainableCall, max: number, isIfIdle: boolean): Promise<Explanation | undefined> {
    if (isClosed || waiting.length >= max) return Promise.resolve(undefined);
    return new Promise((done) => order({ call, done, isIfIdle }));
  }

  return {
    explain: (call) => explain(call, waitingMax, false),
    explainIfIdle: (call) => (budgetLeft() > 0 ? explain(call, waitingIfIdleMax, true) : Promise.resolve(undefined)),
    async [Symbol.asyncDispose]() {
      isClosed = true;
      for (const { done } of waiting.splice(0)) done(undefined);
      await thread.close();
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

/** Only what the explanation needs: it is copied to the thread. */
function orderOf(call: ExplainableCall, paths: CallEvidence["paths"], known: readonly PartnerSecrets[]): ExplainOrder {
  const { method, target, at, businessTime, operation, rejectedAt, rejection, responseCode, tokensIssuedHere } = call;
  const isCut = call.isBodyCut === true || (call.body?.length ?? 0) > bodyMax;
  const { case: caseName, field, reason } = rejection ?? {};
  const evidence: CallEvidence = {
    method,
    target,
    rawHeaders: [...call.rawHeaders],
    body: isCut ? undefined : call.body,
    isBodyCut: isCut,
    at,
    businessTime,
    operation,
    rejectedAt,
    rejection: caseName && { case: caseName, field, reason },
    responseCode,
    tokensIssuedHere,
    paths,
  };
  return { evidence, known, partnerId: call.partnerId };
}

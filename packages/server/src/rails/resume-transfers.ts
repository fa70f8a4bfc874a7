/**
 * Looks after open transfers that are due: those whose node died, whose rail was silent, down, or has them in a batch. The
 * rail is always asked what became of one before it is handed over again, and each rail is looked after by itself.
 */
import type { RailName } from "../ledger/rail.ts";
import type { StatementPool } from "../store/connect.ts";
import {
  type AskIntervals,
  claimDueTransfers,
  countDueTransfers,
  type DueTransfer,
  releaseTransfers,
} from "../store/due-transfers.ts";
import { askRail, type DispatchDeps, mayHandOver, recordNews, recordState } from "./dispatch.ts";
import { instructionOf, readKept } from "./instruction.ts";

export interface ResumeDeps extends DispatchDeps {
  /** Plain statements that take transfers on. */
  readonly database: StatementPool;
  readonly ask: AskIntervals;
}

export interface ResumeTransfers {
  readonly name: "resume-transfers";
  run(until: number): Promise<void>;
  /** How many are due, or being looked after. */
  pending(): Promise<number>;
  /** Ends what is under way, and gives back what was taken on and not looked at. */
  close(): Promise<void>;
}

/** So many of one rail at once: no more than can be looked at before they are due again. */
const pageSize = 32;

export function createResumeTransfers(deps: ResumeDeps): ResumeTransfers {
  const { clock, database, reads, ask, reached } = deps;
  const stop = new AbortController();
  const takenOn = new Set<string>();
  let running: Promise<unknown> = Promise.resolve();

  const lookAfter = async (one: DueTransfer) => {
    takenOn.add(one.transfer.id);
    await resume(deps, one, stop.signal);
    if (!stop.signal.aborted) takenOn.delete(one.transfer.id);
  };
  const runRail = async (rail: RailName, until: number) => {
    // What a page leaves open is due again much later: a run comes to its end.
    for (let more = true; more && !stop.signal.aborted && clock.real() < until; ) {
      const due = await claimDueTransfers(database, { rail, now: clock.now(), most: pageSize, ask });
      if (due.length > 0) reached("claimed");
      await Promise.all(due.map(lookAfter));
      more = due.length === pageSize;
    }
  };
  return {
    name: "resume-transfers",
    run: async (until) => {
      const run = Promise.all((["interbank", "rtgs", "skn"] as const).map((rail) => runRail(rail, until)));
      running = run.catch(() => undefined);
      await run;
    },
    pending: async () => {
      const underWay = [...takenOn];
      return underWay.length + (await countDueTransfers(reads, clock.now(), underWay));
    },
    close: async () => {
      stop.abort();
      await running;
      await releaseTransfers(database, [...takenOn], clock.now());
    },
  };
}

async function resume(deps: ResumeDeps, { transfer, facts }: DueTransfer, stop: AbortSignal): Promise<void> {
  const { rail } = transfer;
  const instruction = instructionOf(readKept(transfer.id, facts));
  const asked = await askRail(deps, rail, stop, (by, signal) => by.inquire(instruction.referenceNo, signal));
  deps.reached("inquired");
  if (asked.kind === "said") return void (await recordState(deps, transfer, asked.state));
  if (asked.kind !== "neverGotIt" || !(await mayHandOver(deps, transfer))) return;
  const heard = await askRail(deps, rail, stop, (by, signal) => by.submit(instruction, signal));
  deps.reached("resubmitted");
  if (heard.kind === "said") await recordState(deps, transfer, heard.state);
  else if (heard.kind === "down") await recordNews(deps, transfer, { event: "notSent", by: "rail" });
}

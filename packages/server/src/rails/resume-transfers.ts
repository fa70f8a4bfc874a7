/**
 * Looks after open transfers that are due: those whose node died, whose rail was silent, down, or has them in a batch. The
 * rail is always asked what became of one before it is handed over again.
 */
import type { AskIntervals } from "../store/due-transfers.ts";
import { claimDueTransfers, countDueTransfers, type DueTransfer } from "../store/due-transfers.ts";
import { askRail, type DispatchDeps, recordNews, recordState } from "./dispatch.ts";
import { instructionOf, readKept } from "./instruction.ts";
import { createTurns } from "./turns.ts";

export interface ResumeDeps extends DispatchDeps {
  /** Plain statements that take transfers on. */
  readonly database: DispatchDeps["reads"];
  readonly ask: AskIntervals;
}

export interface ResumeTransfers {
  readonly name: "resume-transfers";
  run(until: number): Promise<void>;
  pending(): Promise<number>;
  close(): void;
}

const pageSize = 128;
const atOnce = 32;

export function createResumeTransfers(deps: ResumeDeps): ResumeTransfers {
  const { clock, database, reads, ask, reached } = deps;
  const stop = new AbortController();
  return {
    name: "resume-transfers",
    run: async (until) => {
      // What a page leaves open is due again much later: a run comes to its end.
      const turns = createTurns(atOnce);
      for (let more = true; more && !stop.signal.aborted && clock.real() < until; ) {
        const due = await claimDueTransfers(database, clock.now(), pageSize, ask);
        if (due.length > 0) reached("claimed");
        await Promise.all(due.map((one) => turns.run(() => resume(deps, one, stop.signal))));
        more = due.length === pageSize;
      }
    },
    pending: () => countDueTransfers(reads, clock.now()),
    close: () => stop.abort(),
  };
}

async function resume(deps: ResumeDeps, { transfer, facts }: DueTransfer, stop: AbortSignal): Promise<void> {
  const { reached } = deps;
  const instruction = instructionOf(readKept(transfer.id, facts));
  const asked = await askRail(deps, transfer.rail, stop, (rail, signal) =>
    rail.inquire(instruction.referenceNo, signal),
  );
  reached("inquired");
  if (asked.kind === "said") return void (await recordState(deps, transfer, asked.state));
  if (asked.kind !== "neverGotIt") return;
  if (transfer.state === "accepted") {
    if (!(await recordNews(deps, transfer, { event: "send", by: "rail" }))) return;
    reached("markedSent");
  }
  const heard = await askRail(deps, transfer.rail, stop, (rail, signal) => rail.submit(instruction, signal));
  reached("resubmitted");
  if (heard.kind === "said") await recordState(deps, transfer, heard.state);
  else if (heard.kind === "down") await recordNews(deps, transfer, { event: "notSent", by: "rail" });
}

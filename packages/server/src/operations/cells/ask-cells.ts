/**
 * Answers of several cells to one question. A cell that has answered nothing for a while is silent: it must not make calls of others
 * wait. One that is busy, such as with hundreds of inquiries of one partner, is waited for.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../basics/clock.ts";

export interface CellAnswer<Result> {
  readonly cell: number;
  /** Undefined: the cell is silent, or was not waited for. */
  readonly result: Result | undefined;
}

/** `ask`: undefined, and a rejected promise, are no answer. No more are waited for once one of them settles it. */
export type AskCells = <Result>(
  cells: readonly number[],
  ask: (cell: number) => Promise<Result | undefined> | undefined,
  doesSettle: (result: Result) => boolean,
) => Promise<readonly CellAnswer<Result>[]>;

/** Time without an answer to any call of the node after which a cell is silent. */
const silentMs = 2_000;
/** Longest wait of a call for a cell that answers others: about what one database has. */
const busyMs = 10_000;

export function createAskCells(clock: Pick<Clock, "monotonic">): AskCells {
  /** Monotonic times at which each cell answered last. */
  const answeredAt = new Map<number, number>();

  const untilSilent = async (cell: number, signal: AbortSignal): Promise<undefined> => {
    const begunAt = clock.monotonic();
    const silentAt = () => Math.min(begunAt + busyMs, Math.max(begunAt, answeredAt.get(cell) ?? begunAt) + silentMs);
    for (let now = begunAt; now < silentAt() && !signal.aborted; now = clock.monotonic())
      await sleep(silentAt() - now, undefined, { signal }).catch(() => undefined);
  };

  return async (cells, ask, doesSettle) => {
    const end = new AbortController();
    const answers = await Promise.all(
      cells.map(async (cell) => {
        const answer = ask(cell)?.then(
          (result) => {
            if (result !== undefined) answeredAt.set(cell, clock.monotonic());
            return result;
          },
          () => undefined,
        );
        const result = answer && (await Promise.race([answer, untilSilent(cell, end.signal)]));
        if (result !== undefined && doesSettle(result)) end.abort();
        return { cell, result };
      }),
    );
    end.abort();
    return answers;
  };
}

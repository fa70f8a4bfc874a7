/**
 * Answers of several cells to one question. A cell that has answered nothing for a while is silent: it must not make calls of others
 * wait. One that is busy, such as with hundreds of inquiries of one partner, is waited for.
 */
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

  const untilSilent = (cell: number, signal: AbortSignal): Promise<undefined> => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const begunAt = clock.monotonic();
    let timer: NodeJS.Timeout | undefined;
    const look = () => {
      const silentAt = Math.max(begunAt, answeredAt.get(cell) ?? begunAt) + silentMs;
      const waitMs = Math.min(silentAt, begunAt + busyMs) - clock.monotonic();
      if (waitMs > 0) timer = setTimeout(look, waitMs);
      else resolve(undefined);
    };
    look();
    const stop = () => {
      clearTimeout(timer);
      resolve(undefined);
    };
    signal.addEventListener("abort", stop, { once: true });
    return promise;
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

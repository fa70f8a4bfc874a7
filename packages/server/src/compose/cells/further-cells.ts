/**
 * The cells of a node beside home. One whose database, or a rail's directory, does not answer when the node starts keeps none of
 * the others waiting: it is tried until it does, and calls of its accounts are answered 503xx00 until then.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { inTime } from "../../basics/in-time.ts";
import { ConfigError } from "../../config/config.ts";
import type { CellAddress } from "../../basics/cell-address.ts";
import type { Log } from "../../observability/log.ts";
import type { CellService } from "./serve-cell.ts";

export interface FurtherCells extends AsyncDisposable {
  /** Undefined: this node has no such cell, or it was not reached yet. */
  get(number: number): CellService | undefined;
  /** Those that work, in the order of their numbers. */
  all(): readonly CellService[];
}

interface Deps {
  readonly cells: readonly CellAddress[];
  readonly log: Log;
  open(cell: CellAddress): Promise<CellService>;
}

const retryMs = 2_000;
/** The longest that a start waits for a cell; a rail's directory is compared within 15 s, or later. */
const startMaxMs = 20_000;
/** A stop waits so long for cells that are being opened. */
const closeMaxMs = 5_000;
const unavailable = "The cell cannot be served: calls of its accounts are answered 503xx00 until it can.";

/** Resolves when each is open, or has been tried once, or keeps the start waiting for too long. @throws ConfigError when the database at an address is not that cell's. */
export async function openFurtherCells({ cells, log, open }: Deps): Promise<FurtherCells> {
  const services = new Map<number, CellService>();
  const stopping = new AbortController();
  const tries: Promise<void>[] = [];
  const close = async () => {
    stopping.abort();
    // One that hangs ends with the process.
    await inTime(Promise.all(tries), closeMaxMs);
    await Promise.all([...services.values()].map((service) => service[Symbol.asyncDispose]()));
  };
  const faults: string[] = [];
  await Promise.all(
    cells.map(async (cell) => {
      const opening = tryOnce(cell, (fault) => faults.push(...fault.faults));
      const isOpen = await inTime(opening, startMaxMs);
      if (isOpen === undefined) log.error("cell.unavailable", unavailable, { cell: cell.number });
      if (!isOpen) tries.push(goOn(cell, opening));
    }),
  );
  if (faults.length > 0) {
    await close();
    throw new ConfigError(faults);
  }
  return {
    get: (number) => services.get(number),
    all: () => [...services.values()].toSorted((one, other) => one.core.cell - other.core.cell),
    [Symbol.asyncDispose]: close,
  };

  async function tryOnce(cell: CellAddress, onFault?: (fault: ConfigError) => void): Promise<boolean> {
    try {
      services.set(cell.number, await open(cell));
      return true;
    } catch (error) {
      if (error instanceof ConfigError) onFault?.(error);
      log.error("cell.unavailable", unavailable, { cell: cell.number, error });
      return false;
    }
  }

  /** `opening`: the first try. */
  async function goOn(cell: CellAddress, opening: Promise<boolean>): Promise<void> {
    let isOpen = await opening;
    while (!isOpen) {
      await sleep(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      isOpen = await tryOnce(cell);
    }
    log.warn("cell.available", "The cell is served now.", { cell: cell.number });
  }
}

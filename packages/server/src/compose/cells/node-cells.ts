/** All cells of a node, and the handlers of its calls. */
import { homeCell } from "../../basics/ids.ts";
import type { CellAddress } from "../../basics/cell-address.ts";
import type { RailName } from "../../ledger/rails/terms.ts";
import type { Placed } from "../../operations/cells/place-call.ts";
import { routeCalls } from "../../operations/cells/route-calls.ts";
import { type Core, startCellCore } from "../core.ts";
import type { CellState } from "../readiness.ts";
import { createBindings } from "./bindings.ts";
import { createMerchantsOfCells } from "./merchant-funds.ts";
import { type AccountMoves, createAccountMoves } from "./moves.ts";
import { createTransit, type StreamState, type TransitBetweenCells } from "./transit.ts";
import { openFurtherCells } from "./further-cells.ts";
import { type CellParts, type CellService, serveCell } from "./serve-cell.ts";

export interface NodeCells extends AsyncDisposable {
  readonly home: CellService;
  /** Home, and the further cells that work now. */
  all(): readonly CellService[];
  /** All that the settings name beside home, also those that are not served now. */
  further(): readonly CellState[];
  /** Each call goes to its cell. */
  readonly handlers: CellService["handlers"];
  /** Progress of payments from each cell to each other. */
  streams(): readonly StreamState[];
  /** Makes all that waits for a rail due now. */
  wake(rail: RailName): Promise<void>;
}

/** `core`: home's. `moreJobs`, beside those of each cell, run once for the node. */
export async function startCells(core: Core, { moreJobs, ...given }: Omit<CellParts, "others">): Promise<NodeCells> {
  await using stack = new AsyncDisposableStack();
  const { log, reference } = core;
  const { cells } = core.config;
  const transit: TransitBetweenCells | undefined =
    cells.length === 0 ? undefined : createTransit(core, (cell) => moves?.lostIn(cell));
  let find: (number: number) => CellService | undefined = () => undefined;
  // One that answers inquiries alone takes part in nothing that is new, as if it were silent.
  const findTaking = (number: number) => {
    const found = find(number);
    return found?.takesWrites() ? found : undefined;
  };
  const stream = (from: number, to: number) => transit?.stream(from, to);
  const merchants = createMerchantsOfCells({
    clock: core.clock,
    cells: () => reference.current().directory.cells,
    cell: (number) => findTaking(number)?.core,
    stream,
  });
  const moves: AccountMoves | undefined =
    cells.length === 0 ? undefined : createAccountMoves(core, (number) => findTaking(number)?.core, stream);
  const others = { cell: findTaking, stream, merchantFunds: merchants.of };
  const parts = { ...given, others };
  const bindings = stack.use(createBindings(core, (number) => findTaking(number)?.reads));
  const home = stack.use(
    await serveCell(core, {
      ...parts,
      moreJobs: [...(moreJobs ?? []), ...bindings.jobs, ...(moves?.jobsOf(homeCell) ?? [])],
    }),
  );
  transit?.join(core);
  const open = async (address: CellAddress) => {
    const ofCell = {
      ...parts,
      moreJobs: [...merchants.jobsOf(address.number), ...(moves?.jobsOf(address.number) ?? [])],
    };
    const service = await openCell(await startCellCore(core, address), ofCell);
    transit?.join(service.core);
    return service;
  };
  const further = stack.use(
    await openFurtherCells({ cells, log, open }).catch(async (error: unknown) => {
      await transit?.[Symbol.asyncDispose]();
      throw error;
    }),
  );
  // Ended before the engines that it submits to.
  stack.use(transit);
  const all = () => [home, ...further.all()];
  const cell = (number: number) => (number === homeCell ? home : further.get(number));
  find = cell;
  const names = Object.keys(home.handlers) as Placed[];
  const owned = stack.move();
  return {
    home,
    all,
    further: () => cells.map(({ number }) => ({ cell: number, core: further.get(number)?.core })),
    handlers: routeCalls({ reference: () => reference.current(), clock: core.clock, ...bindings, cell }, names),
    streams: () => transit?.states() ?? [],
    wake: async (rail) => void (await Promise.all(all().map(({ rails }) => rails.dispatcher.wake(rail)))),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** A cell whose parts cannot start is closed again. */
async function openCell(core: Core, parts: CellParts): Promise<CellService> {
  await using stack = new AsyncDisposableStack();
  stack.use(core);
  const service = stack.use(await serveCell(core, parts));
  const owned = stack.move();
  return { ...service, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

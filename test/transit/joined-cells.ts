/** Cells 0, 1 and so on of one process, each with a database, an engine, accounts `1` to `20`, and a shipper to each other. */
import { createClock } from "../../packages/server/src/basics/clock.ts";
import type { Engine } from "../../packages/server/src/engine/engine.ts";
import {
  createAdminPool,
  createTransitPool,
  type StatementPool,
} from "../../packages/server/src/store/postgres/connect.ts";
import type { FindSettlement } from "../../packages/server/src/transit/find-payees.ts";
import type { LostAccounts } from "../../packages/server/src/transit/receive-account.ts";
import { startTransitShipper, type TransitShipper } from "../../packages/server/src/transit/ship-transit.ts";
import { noTransitEvents } from "../../packages/server/src/transit/transit-events.ts";
import { asOwner, type SeededCell, startEngine, useCell } from "./transit-fixture.ts";

export interface JoinedCell extends SeededCell {
  readonly engine: Engine;
  readonly pool: StatementPool;
  readonly transit: StatementPool;
}

export interface JoinedCells extends AsyncDisposable {
  of(number: number): JoinedCell;
  stream(from: number, to: number): TransitShipper | undefined;
  /** Minor units; 0 where there is no such account. */
  balanceIn(number: number, accountNo: string): Promise<number>;
}

interface OfCells {
  /** Home's. */
  readonly findSettlement?: FindSettlement;
  /** Accounts that a cell may have lost by a restore. */
  readonly lostIn?: (cell: number) => LostAccounts;
}

export async function joinCells(count: number, { findSettlement, lostIn }: OfCells = {}): Promise<JoinedCells> {
  await using stack = new AsyncDisposableStack();
  const cells = await Promise.all(
    Array.from({ length: count }, async (_, number) => {
      const database = stack.use(await useCell());
      await asOwner(database.ownerUrl, (client) =>
        client.query("insert into service_state values ('cell', $1)", [{ installation: "ours", number }]),
      );
      const engine = await startEngine(database.url);
      stack.defer(() => engine.close());
      const pools = { pool: createAdminPool(database.url, 2), transit: createTransitPool(database.url, 2) };
      stack.defer(async () => void (await Promise.all(Object.values(pools).map((pool) => pool.end()))));
      return { ...database, engine, ...pools };
    }),
  );
  const of = (number: number) => cells[number] as JoinedCell;
  const shippers = new Map<string, TransitShipper>();
  for (const from of cells.keys())
    for (const to of cells.keys()) {
      if (from === to) continue;
      const shipper = startTransitShipper({
        from: { cell: from, pool: of(from).transit, confirmed: (read) => read() },
        to: {
          cell: to,
          pool: of(to).transit,
          writes: of(to).pool,
          engine: of(to).engine,
          lost: lostIn?.(to),
          findSettlement: to === 0 ? findSettlement : undefined,
        },
        currencies: ["IDR"],
        clock: createClock(),
        events: noTransitEvents,
      });
      stack.defer(() => shipper.close());
      shippers.set(`${from} ${to}`, shipper);
    }
  const owned = stack.move();
  return {
    of,
    stream: (from, to) => shippers.get(`${from} ${to}`),
    balanceIn: (number, accountNo) =>
      asOwner(of(number).ownerUrl, async (client) => {
        const text = "select balance from accounts where account_no = $1";
        const { rows } = await client.query<{ balance: string }>(text, [accountNo]);
        return Number(rows[0]?.balance ?? 0);
      }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Shippers between the cells that this node serves: one for each pair, in both directions (docs/adr/0094-mirrored-transit.md). */
import { currencyCodes } from "@titian/contract";
import { homeCell } from "../../basics/ids.ts";
import { createTransitPool } from "../../store/postgres/connect.ts";
import type { FindSettlement } from "../../transit/find-payees.ts";
import type { LostAccounts } from "../../transit/receive-account.ts";
import { startTransitShipper, type TransitBehind, type TransitShipper } from "../../transit/ship-transit.ts";
import type { Core } from "../core.ts";
import { confirmedBy } from "../replication.ts";
import { observeTransit } from "../observe/observe-transit.ts";

export interface TransitBetweenCells extends AsyncDisposable {
  /** A cell is served now: starts its streams from and to those that are. */
  join(core: Core): void;
  /** Undefined: one of the two was never served by this node. */
  stream(from: number, to: number): TransitShipper | undefined;
  /** Progress of each. */
  states(): readonly StreamState[];
}

export interface StreamState extends TransitBehind {
  readonly from: number;
  readonly to: number;
  /** Currencies in which it has stopped. */
  readonly stopped: readonly string[];
}

interface Joined {
  readonly core: Core;
  readonly pool: ReturnType<typeof createTransitPool>;
}

/** Entries are read by one connection a cell, for the streams to all others. */
const connections = 1;

/** `home`: its core; `lostIn`: accounts that a cell may have lost by a restore. */
export function createTransit(home: Core, lostIn: (cell: number) => LostAccounts | undefined): TransitBetweenCells {
  const { nodeMetrics: metrics, log, reference } = home;
  const observer = observeTransit({ metrics, log });
  const findSettlement = settlementsOf(reference);
  const joined: Joined[] = [];
  const shippers = new Map<string, TransitShipper>();
  const pairs: { readonly from: number; readonly to: number; readonly shipper: TransitShipper }[] = [];
  const keyOf = (from: number, to: number) => `${from} ${to}`;
  const start = (from: Joined, to: Joined) => {
    const [source, target] = [from.core.cell, to.core.cell];
    const shipper = startTransitShipper({
      from: { cell: source, pool: from.pool, confirmed: confirmedBy(from.core.replication) },
      to: {
        cell: target,
        pool: to.pool,
        engine: to.core.engine,
        writes: to.core.adminPool,
        lost: lostIn(target),
        findSettlement: target === homeCell ? findSettlement : undefined,
      },
      clock: to.core.clock,
      events: observer.eventsOf(source, target),
      currencies: currencyCodes,
      mayShip: () => !from.core.mode.isInquiriesOnly() && !to.core.mode.isInquiriesOnly(),
    });
    observer.add(source, target, shipper);
    shippers.set(keyOf(source, target), shipper);
    pairs.push({ from: source, to: target, shipper });
  };
  let isClosed = false;
  return {
    join: (core) => {
      // A cell that answers while the node stops.
      if (isClosed) return;
      const pool = createTransitPool(core.database.url, connections, core.replication?.confirmations.checkServer);
      core.replication?.cutWithServer(pool);
      const one = { core, pool };
      for (const other of joined) {
        start(one, other);
        start(other, one);
      }
      joined.push(one);
    },
    stream: (from, to) => shippers.get(keyOf(from, to)),
    states: () =>
      pairs.flatMap(({ from, to, shipper }) => {
        const behind = shipper.behind();
        return behind ? [{ from, to, ...behind, stopped: currencyCodes.filter(shipper.isStopped) }] : [];
      }),
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      await Promise.all([...shippers.values()].map((shipper) => shipper.close()));
      await Promise.all(joined.map(({ pool }) => pool.end()));
    },
  };
}

/** By the merchant's key. One that this node does not know yet was registered a moment ago. */
function settlementsOf(reference: Core["reference"]): FindSettlement {
  const places = new Map<string, string>();
  const find = (key: string) => {
    const { merchants } = reference.current();
    const known = places.get(key);
    if (known !== undefined) return merchants.get(known);
    for (const [place, merchant] of merchants) {
      if (merchant.key !== key) continue;
      places.set(key, place);
      return merchant;
    }
    return undefined;
  };
  return async (key) => {
    if (!find(key)) await reference.refresh();
    return find(key)?.settlementAccount;
  };
}

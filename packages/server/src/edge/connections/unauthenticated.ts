/**
 * Unauthenticated connections. When there are too many, of an address or in total, the newest replace the oldest: so a
 * partner can always connect, also from an attacker's address. Those of one address are cut a few at a time, because
 * cut callers connect again.
 */
import type { Connection } from "./connection.ts";

export interface Unauthenticated {
  readonly size: number;
  add(connection: Connection, address: string): void;
  remove(connection: Connection): void;
  /** Those of an address. */
  of(address: string): Iterable<Connection>;
}

export interface UnauthenticatedShares {
  readonly ofAddress: number;
  readonly ofAll: number;
}

/** 100 a second of each address that has too many. */
const cutEveryMs = 100;
const cutAtOnce = 10;
/** Number of the oldest that are passed over while they have a request under way. */
const passedOverMax = 16;

export function createUnauthenticated(
  shares: UnauthenticatedShares,
  cut: (connection: Connection) => void,
): Unauthenticated {
  const all = new Map<Connection, string>();
  const byAddress = new Map<string, Set<Connection>>();
  const tooMany = new Set<string>();

  function remove(connection: Connection): void {
    const address = all.get(connection);
    if (address === undefined) return;
    all.delete(connection);
    const neighbours = byAddress.get(address);
    neighbours?.delete(connection);
    if (neighbours?.size === 0) byAddress.delete(address);
  }

  function cutOldest(connections: Iterable<Connection>): void {
    const oldest = oldestUnused(connections);
    if (oldest === undefined) return;
    remove(oldest);
    cut(oldest);
  }

  function cutSome(): void {
    for (const address of tooMany) {
      const connections = byAddress.get(address) ?? new Set();
      for (let i = 0; i < cutAtOnce && connections.size > shares.ofAddress; i += 1) cutOldest(connections);
      if (connections.size <= shares.ofAddress) tooMany.delete(address);
    }
    if (tooMany.size > 0) setTimeout(cutSome, cutEveryMs).unref();
  }

  return {
    get size() {
      return all.size;
    },
    add(connection, address) {
      all.set(connection, address);
      const neighbours = byAddress.get(address) ?? new Set();
      byAddress.set(address, neighbours.add(connection));
      if (neighbours.size > shares.ofAddress) {
        if (tooMany.size === 0) setTimeout(cutSome, cutEveryMs).unref();
        tooMany.add(address);
      }
      if (all.size > shares.ofAll) cutOldest(all.keys());
    },
    remove,
    of: (address) => byAddress.get(address) ?? [],
  };
}

/** The oldest with no request under way; the oldest of all where many are busy, so that requests hold no place. */
function oldestUnused(connections: Iterable<Connection>): Connection | undefined {
  let oldest: Connection | undefined;
  let passedOver = 0;
  for (const connection of connections) {
    if (connection.underWay === 0) return connection;
    oldest ??= connection;
    passedOver += 1;
    if (passedOver === passedOverMax) break;
  }
  return oldest;
}

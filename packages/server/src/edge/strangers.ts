/**
 * Connections on which nobody has authenticated. Where there are too many, of an address or of all, the oldest gives way
 * to the newest: so a partner gets in at any time, from an attacker's address too.
 */
import type { Connection } from "./connection.ts";

export interface Strangers {
  readonly size: number;
  add(connection: Connection, address: string): void;
  remove(connection: Connection): void;
}

export interface StrangerShares {
  readonly ofAddress: number;
  readonly ofAll: number;
}

export function createStrangers(shares: StrangerShares, cut: (connection: Connection) => void): Strangers {
  const all = new Map<Connection, string>();
  const byAddress = new Map<string, Set<Connection>>();

  function remove(connection: Connection): void {
    const address = all.get(connection);
    if (address === undefined) return;
    all.delete(connection);
    const neighbours = byAddress.get(address);
    neighbours?.delete(connection);
    if (neighbours?.size === 0) byAddress.delete(address);
  }

  function cutOldest(connections: Iterable<Connection>): void {
    for (const oldest of connections) {
      remove(oldest);
      cut(oldest);
      return;
    }
  }

  return {
    get size() {
      return all.size;
    },
    add(connection, address) {
      all.set(connection, address);
      const neighbours = byAddress.get(address) ?? new Set();
      byAddress.set(address, neighbours.add(connection));
      if (neighbours.size > shares.ofAddress) cutOldest(neighbours);
      if (all.size > shares.ofAll) cutOldest(all.keys());
    },
    remove,
  };
}

/**
 * Shares of connections (spec D2): one per address until a partner has authenticated on a connection, then one per
 * partner, which unauthenticated callers cannot use.
 */
import type { Socket } from "node:net";
import type { Clock } from "../../basics/clock.ts";
import { type AddressList, addressShare, unmapped } from "./address-list.ts";
import { Connection, type HttpHandler } from "./connection.ts";
import type { Metrics } from "../../observability/metrics.ts";
import { createReadAhead } from "./read-ahead.ts";
import type { SharedTurns } from "./read-turns.ts";
import { createReclaim } from "./reclaim.ts";
import { createUnauthenticated, type Unauthenticated, type UnauthenticatedShares } from "./unauthenticated.ts";
import { createTurns } from "./turns.ts";

export interface Connections {
  open(socket: Socket, handle: HttpHandler): Connection;
  of(socket: object): Connection | undefined;
  /** The partner has authenticated on it. False when that partner has too many: then the response closes it. */
  claim(connection: Connection, partnerKey: string): boolean;
  /** Key of the partner that authenticated last on it; undefined: none, or a proxy's connection. */
  partnerOf(connection: Connection): string | undefined;
  /** All connections, also new ones, are closed after their last response. */
  drain(): void;
  /** Counts connections that have a call under way. */
  countBusy(): number;
  /** So many of those are closed by their next responses. */
  closeBusy(count: number): void;
  /** Cuts a connection, counted by its reason. */
  cut(connection: Connection, reason: "unauthenticated" | "idle"): void;
}

export interface ConnectionShares extends UnauthenticatedShares {
  readonly ofPartner: number;
}

interface ConnectionsDeps {
  readonly clock: Clock;
  readonly metrics: Metrics;
}

const sharesDefault: ConnectionShares = { ofAddress: 2_048, ofAll: 8_192, ofPartner: 8_192 };

export function createConnections(
  { clock, metrics }: ConnectionsDeps,
  trustedProxies: AddressList,
  shares: ConnectionShares = sharesDefault,
): Connections {
  const all = new Set<Connection>();
  const bySocket = new WeakMap<object, Connection>();
  const cuts = new Map<string, number>();
  const unauthenticated = createUnauthenticated(shares, (connection) => cut(connection, "unauthenticated"));
  const partners = createPartnerConnections();
  /** The connections of a proxy are everybody's. */
  const proxied = new WeakSet<Connection>();
  const { turnsOf, opened } = createSharedTurns(unauthenticated);
  let isDraining = false;
  observe(metrics, all, unauthenticated, cuts);

  function cut(connection: Connection, reason: string): void {
    cuts.set(reason, (cuts.get(reason) ?? 0) + 1);
    connection.socket.destroy();
  }

  return {
    cut,
    of: (socket) => bySocket.get(socket),
    open(socket, handle) {
      const connection = new Connection(socket, handle, clock);
      all.add(connection);
      bySocket.set(socket, connection);
      socket.once("close", () => {
        all.delete(connection);
        unauthenticated.remove(connection);
        partners.remove(connection);
      });
      if (isDraining) connection.drain();
      const address = unmapped(socket.remoteAddress ?? "");
      if (trustedProxies.has(address)) {
        proxied.add(connection);
        socket.resume();
        return connection;
      }
      const share = addressShare(address);
      unauthenticated.add(connection, share);
      opened();
      connection.takeTurns(turnsOf(share));
      return connection;
    },
    claim(connection, partnerKey) {
      connection.trust();
      if (proxied.has(connection)) return true;
      unauthenticated.remove(connection);
      return partners.add(connection, partnerKey) <= shares.ofPartner;
    },
    partnerOf: (connection) => partners.of(connection),
    drain() {
      isDraining = true;
      for (const connection of all) connection.drain();
    },
    countBusy: () => findBusy(all).length,
    closeBusy(count) {
      for (const connection of findBusy(all).slice(0, count)) connection.drain();
    },
  };
}

function findBusy(all: Iterable<Connection>): readonly Connection[] {
  return [...all].filter(({ underWay }) => underWay > 0);
}

/** Turns of unauthenticated connections. */
function createSharedTurns(unauthenticated: Pick<Unauthenticated, "of">) {
  const turns = createTurns();
  const reclaim = createReclaim();
  const readAhead = createReadAhead((share) => {
    for (const connection of unauthenticated.of(share)) connection.readInTurn();
  });
  return {
    opened: turns.opened,
    turnsOf: (share: string): SharedTurns => ({
      take: (go, bytes) => turns.enqueue(share, go, bytes),
      wait: (bytes) => readAhead.add(share, bytes),
      spend(bytes, paid) {
        turns.spend(bytes, paid);
        reclaim.read(bytes);
      },
    }),
  };
}

/** Counts connections by the partner that authenticated on them; the last one to do so has the connection. */
function createPartnerConnections() {
  const owners = new Map<Connection, string>();
  const counts = new Map<string, number>();
  const remove = (connection: Connection) => {
    const partnerKey = owners.get(connection);
    if (partnerKey === undefined) return;
    owners.delete(connection);
    const left = (counts.get(partnerKey) ?? 1) - 1;
    if (left === 0) counts.delete(partnerKey);
    else counts.set(partnerKey, left);
  };
  return {
    remove,
    of: (connection: Connection) => owners.get(connection),
    /** Returns how many the partner has now. */
    add(connection: Connection, partnerKey: string): number {
      if (owners.get(connection) !== partnerKey) {
        remove(connection);
        // It may have closed meanwhile.
        if (connection.socket.destroyed) return 0;
        owners.set(connection, partnerKey);
        counts.set(partnerKey, (counts.get(partnerKey) ?? 0) + 1);
      }
      return counts.get(partnerKey) ?? 0;
    },
  };
}

function observe(
  metrics: Metrics,
  all: ReadonlySet<Connection>,
  unauthenticated: { readonly size: number },
  cuts: ReadonlyMap<string, number>,
): void {
  const open = { name: "titian_http_connections", help: "Open connections.", labels: ["authenticated"] };
  metrics.gauge(open, () => [
    { labels: { authenticated: "false" }, value: unauthenticated.size },
    { labels: { authenticated: "true" }, value: all.size - unauthenticated.size },
  ]);
  const cut = {
    name: "titian_http_connections_cut_total",
    help: "Connections that were closed by reason: too many unauthenticated ones, or idle with a response pending.",
    labels: ["reason"],
  };
  metrics.counter(cut, () => [...cuts].map(([reason, value]) => ({ labels: { reason }, value })));
}

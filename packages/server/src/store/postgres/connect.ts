/** Connections of the service: the engine's pipelined session and the pool of reads. Values cross as text. */
import { Socket } from "node:net";
import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient } from "pg";
import { adaptToServer, checkSettings, type SessionSettings, withSettings } from "./session-settings.ts";
import { serverName } from "./server-name.ts";

/** Every value stays the text PostgreSQL sent: amounts are bigint, and the row mappers decide. */
export const asText = { getTypeParser: () => (text: string) => text };

/** For statements that look rows up by their keys alone, whatever the tables held when they were planned. */
const lookUpPlans: SessionSettings = {
  // Plans prepared on empty tables stayed hash joins and sequential scans for good.
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  enable_seqscan: "off",
  jit: "off",
  plan_cache_mode: "force_generic_plan",
};

/** A warning while a transaction commits means that it may be lost; notices below a warning are not sent. */
const withWarnings: SessionSettings = { client_min_messages: "warning" };

/** Session settings of the write path, each measured or paid for (docs/reference/engine.md, "Limits and time-outs"). */
const batchSettings: SessionSettings = {
  lock_timeout: "250",
  statement_timeout: "10000",
  idle_in_transaction_session_timeout: "5000",
  client_connection_check_interval: "1000",
  tcp_user_timeout: "10000",
  ...withWarnings,
  ...lookUpPlans,
};

const readSettings: SessionSettings = { statement_timeout: "3000", default_transaction_read_only: "on", jit: "off" };

/** Entries are found by account and version: the block ranges of journals, which prune partitions, would be read beside. */
const transitSettings: SessionSettings = { ...readSettings, ...lookUpPlans, enable_bitmapscan: "off" };

const probeSettings: SessionSettings = { ...readSettings, statement_timeout: "1000" };

const adminSettings: SessionSettings = {
  lock_timeout: "2000",
  statement_timeout: "5000",
  idle_in_transaction_session_timeout: "5000",
  jit: "off",
  ...withWarnings,
};

/** A caller waits for home for 2 s; keys are found by their index alone. */
const bindingSettings: SessionSettings = {
  ...adminSettings,
  ...lookUpPlans,
  lock_timeout: "1500",
  statement_timeout: "2000",
};

const deliverySettings: SessionSettings = { ...adminSettings, ...lookUpPlans };

/** The system's own default is two hours: until then a connection whose peer is gone looks like an idle one. */
const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 };

export interface PipelinedClient {
  readonly client: Client;
  readonly socket: Socket;
}

interface PipelinedOptions {
  readonly onLost: () => void;
  /** A statement that was not answered by then ends the connection. */
  readonly responseMs: number;
}

/**
 * A pipelined connection whose socket we hold, so that one round trip can leave as one packet. `onLost` is called when it
 * ends, from the first moment on: an error without a listener would end the process.
 *
 * @throws also when the session has other settings.
 */
export async function connectPipelined(
  url: string,
  name: string,
  { onLost, responseMs }: PipelinedOptions,
): Promise<PipelinedClient> {
  const socket = new Socket();
  const config: ClientConfig = {
    ...withSettings(url, batchSettings),
    ...keepAlive,
    application_name: name,
    connectionTimeoutMillis: 5_000,
    query_timeout: responseMs,
    types: asText,
    stream: () => socket,
  };
  const client = new Client({ ...config, pipeline: true });
  client.on("error", onLost);
  client.on("end", onLost);
  await client.connect();
  try {
    await checkSettings(client, batchSettings);
    await adaptToServer(client);
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return { client, socket };
}

/** One connection for a few plain statements. A lost connection fails its statement; the event has a listener, or it would end the process. */
export async function connectPlain(config: ClientConfig): Promise<Client> {
  const client = new Client({ connectionTimeoutMillis: 5_000, ...config });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** One connection, as other layers pass it to `store`. */
export type PlainConnection = Client;

/** One connection for as long as the work takes. */
export async function withConnection<Result>(
  config: ClientConfig,
  work: (client: PlainConnection) => Promise<Result>,
): Promise<Result> {
  const client = await connectPlain(config);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A pool for plain statements, as other layers pass it to `store`. */
export type StatementPool = Pool;

/** One of them while a transaction lasts. */
export type StatementClient = PoolClient;

/** Looks at the server of a new connection of a pool. @throws when the connection must not be used. */
export type CheckServer = (server: string) => Promise<void>;

/** The pool of plain reads; nothing here may hold a snapshot for long. */
export function createReadPool(url: string, size: number, checkServer?: CheckServer): Pool {
  return createPool(url, size, "titian reads", readSettings, checkServer);
}

/** The pool of a shipper between cells: its reads are planned for tables of any size. */
export function createTransitPool(url: string, size: number, checkServer?: CheckServer): Pool {
  return createPool(url, size, "titian transit", transitSettings, checkServer);
}

/** The pool by which keys of requests are bound, in home. */
export function createBindingPool(url: string, size: number, checkServer?: CheckServer): Pool {
  return createPool(url, size, "titian bindings", bindingSettings, checkServer);
}

/**
 * The connection by which a node asks whether the database answers: it waits for nobody else's statements. Its name says that the
 * node knows of cells: that of a release before is "titian probe".
 */
export function createProbePool(url: string): Pool {
  return createPool(url, 1, "titian node", probeSettings);
}

/** The pool of plain statements: administration, sandbox settings. Short, and never money. */
export function createAdminPool(url: string, size: number): Pool {
  return createPool(url, size, "titian administration", adminSettings);
}

/** The pool of those who deliver notifications: its statements are planned for tables of any size. */
export function createDeliveryPool(url: string, size: number): Pool {
  return createPool(url, size, "titian notifications", deliverySettings);
}

const connections = new WeakMap<Pool, Set<Client>>();

/** Ends all connections of a pool, those in use too: their statements fail. */
export function cutConnections(pool: Pool): void {
  for (const client of connections.get(pool) ?? []) client.connection.stream.destroy();
}

function createPool(
  url: string,
  size: number,
  name: string,
  settings: SessionSettings,
  checkServer?: CheckServer,
): Pool {
  const open = new Set<Client>();
  // The pool waits for it before it gives the connection to anybody; the type of its options does not say so.
  const check: (client: ClientBase) => unknown = async (given) => {
    const client = given as Client;
    open.add(client);
    client.once("end", () => open.delete(client));
    await checkSettings(client, settings);
    if (settings !== readSettings) await adaptToServer(client);
    if (!checkServer) return;
    const { rows } = await client.query<{ server: string }>(`select ${serverName} as server`);
    await checkServer(rows[0]?.server ?? "");
  };
  const pool = new Pool({
    ...withSettings(url, settings),
    ...keepAlive,
    application_name: name,
    max: size,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 60_000,
    // A server that neither answers nor closes must not keep its caller.
    query_timeout: Number(settings["statement_timeout"]) + 1_000,
    types: asText,
    onConnect: check,
  });
  // An idle connection was lost: the pool drops it and opens another when needed. Without a listener the event would end the process.
  pool.on("error", () => undefined);
  connections.set(pool, open);
  return pool;
}

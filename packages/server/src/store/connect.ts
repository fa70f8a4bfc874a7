/** Connections of the service: the engine's pipelined session and the pool of reads. Values cross as text. */
import { Socket } from "node:net";
import { Client, type ClientConfig, Pool, type PoolClient } from "pg";

/** Every value stays the text PostgreSQL sent: amounts are bigint, and the row mappers decide. */
export const asText = { getTypeParser: () => (text: string) => text };

/** Session settings of the write path, each measured or paid for (docs/engine.md, "Bounds"). */
const flightOptions = [
  "lock_timeout=1s",
  "statement_timeout=10s",
  "idle_in_transaction_session_timeout=5s",
  "client_connection_check_interval=1s",
  "tcp_user_timeout=10s",
  // Plans prepared on empty tables stayed hash joins and sequential scans for good.
  "enable_hashjoin=off",
  "enable_mergejoin=off",
  "enable_seqscan=off",
  "jit=off",
  "plan_cache_mode=force_generic_plan",
];

export interface PipelinedClient {
  readonly client: Client;
  readonly socket: Socket;
}

/**
 * A pipelined connection whose socket we hold, so that one trip can leave as one packet. `onLost` is called when it
 * ends, from the first moment on: an error nobody listens for would end the process.
 */
export async function connectPipelined(url: string, name: string, onLost: () => void): Promise<PipelinedClient> {
  const socket = new Socket();
  const config: ClientConfig = {
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: 5_000,
    // The last watchdog: it destroys the connection, so it stands above every other limit.
    query_timeout: 15_000,
    keepAlive: true,
    types: asText,
    stream: () => socket,
    options: sessionOptions(flightOptions),
  };
  const client = new Client({ ...config, pipeline: true });
  client.on("error", onLost);
  client.on("end", onLost);
  await client.connect();
  return { client, socket };
}

/** One connection for a few plain statements. The statement that meets a loss tells of it; unheard, it would end the process. */
export async function connectPlain(config: ClientConfig): Promise<Client> {
  const client = new Client({ connectionTimeoutMillis: 5_000, ...config });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** Connections that take plain statements, for whoever only hands them on to `store`. */
export type StatementPool = Pool;

/** One of them while a transaction lasts. */
export type StatementClient = PoolClient;

/** The pool of plain reads; nothing here may hold a snapshot for long. */
export function createReadPool(url: string, size: number): Pool {
  return createPool(url, size, "titian reads", ["statement_timeout=3s", "default_transaction_read_only=on", "jit=off"]);
}

/** The pool of plain statements: administration, sandbox settings. Short, and never money. */
export function createAdminPool(url: string, size: number): Pool {
  return createPool(url, size, "titian administration", [
    "lock_timeout=2s",
    "statement_timeout=5s",
    "idle_in_transaction_session_timeout=5s",
    "jit=off",
  ]);
}

function createPool(url: string, size: number, name: string, settings: readonly string[]): Pool {
  const pool = new Pool({
    connectionString: url,
    application_name: name,
    max: size,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 60_000,
    // A server that neither answers nor closes must not keep its caller; above every statement_timeout.
    query_timeout: 10_000,
    keepAlive: true,
    types: asText,
    options: sessionOptions(settings),
  });
  // An idle connection was lost: the pool drops it and opens another when asked. Unheard, it would end the process.
  pool.on("error", () => undefined);
  return pool;
}

function sessionOptions(settings: readonly string[]): string {
  return settings.map((setting) => `-c ${setting}`).join(" ");
}

/** A pool that explains what is asked of it: the plan of each statement with what it read, made for its values and for any. */
import pg from "pg";
import type { StatementPool } from "../../packages/server/src/store/postgres/connect.ts";

export interface ExplainedStatement {
  readonly name: string;
  /** Rows that its scans read, kept or not. */
  readonly rows: number;
  /** Pages that it touched, in the cache or not. */
  readonly blocks: number;
  readonly ms: number;
  /** Its scans, such as `Index Scan on holds`. */
  readonly scans: readonly string[];
}

export interface ExplainingPool extends AsyncDisposable {
  readonly pool: StatementPool;
  /** The statements that were explained since the last call. */
  take(): readonly ExplainedStatement[];
}

interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly "Shared Hit Blocks"?: number;
  readonly "Shared Read Blocks"?: number;
  readonly Plans?: readonly Plan[];
}

interface Explained {
  readonly Plan: Plan;
  readonly "Execution Time": number;
}

type Parameter = string | number | boolean | Buffer | readonly (string | number | null)[] | null | undefined;

interface Asked {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly Parameter[];
}

/** The service's connections may have either plan: the one that read more counts. */
const planModes = ["force_custom_plan", "force_generic_plan"];

export function createExplainingPool(url: string): ExplainingPool {
  const settings = "-c jit=off -c statement_timeout=60000";
  const pool = new pg.Pool({ connectionString: url, max: 4, application_name: "bench explain", options: settings });
  let explained: ExplainedStatement[] = [];
  const ask = async (client: pg.PoolClient, asked: Asked | string) => {
    // Begins and ends a transaction, or sets something.
    if (typeof asked === "string") return client.query(asked);
    explained.push(await explain(client, asked));
    return client.query({ ...asked, values: [...(asked.values ?? [])] });
  };
  const withClient = async <Value>(work: (client: pg.PoolClient) => Promise<Value>) => {
    const client = await pool.connect();
    try {
      return await work(client);
    } finally {
      client.release();
    }
  };
  const wrapped = {
    query: (asked: Asked) => withClient((client) => ask(client, asked)),
    connect: async () => {
      const client = await pool.connect();
      const query = (asked: Asked | string) => ask(client, asked);
      const on = (event: "error", listener: () => void) => client.on(event, listener);
      const off = (event: "error", listener: () => void) => client.off(event, listener);
      return { query, on, off, release: (isBroken: boolean) => client.release(isBroken) };
    },
  };
  return {
    pool: wrapped as unknown as StatementPool,
    take: () => {
      const taken = explained;
      explained = [];
      return taken;
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

async function explain(client: pg.PoolClient, { name = "", text, values = [] }: Asked): Promise<ExplainedStatement> {
  const given = values.map((value) => {
    const plain = textOf(value);
    return plain === undefined ? "null" : client.escapeLiteral(plain);
  });
  const plans: ExplainedStatement[] = [];
  await client.query(`prepare explained as ${text}`);
  for (const mode of planModes) {
    await client.query(`select set_config('plan_cache_mode', '${mode}', false)`);
    const executed = `execute explained${given.length === 0 ? "" : `(${given.join(", ")})`}`;
    const { rows }: pg.QueryResult<{ readonly "QUERY PLAN": readonly Explained[] }> = await client
      .query(`explain (analyze, buffers, format json) ${executed}`)
      .catch((error: unknown) => {
        throw new Error(`${name} has no bounded plan`, { cause: error });
      });
    const [found] = rows[0]?.["QUERY PLAN"] ?? [];
    if (found) plans.push({ name, ...readOf(found.Plan), ms: found["Execution Time"] });
  }
  await client.query("deallocate explained");
  return plans.reduce((worst, plan) => (plan.rows > worst.rows ? plan : worst));
}

/** A parameter as `execute` takes it. */
function textOf(value: Parameter): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (Buffer.isBuffer(value)) return `{${uuidsOf(value).join(",")}}`;
  if (typeof value !== "object") return String(value);
  const entries = value.map((entry) => (entry === null ? "null" : JSON.stringify(String(entry))));
  return `{${entries.join(",")}}`;
}

const headerBytes = 20;
const uuidBytes = 16;

/** Ids of an array in PostgreSQL's binary form: a header, then each behind its length. */
function uuidsOf(array: Buffer): readonly string[] {
  const ids: string[] = [];
  for (let at = headerBytes + 4; at < array.length; at += uuidBytes + 4)
    ids.push(array.toString("hex", at, at + uuidBytes));
  return ids;
}

function readOf(plan: Plan): Omit<ExplainedStatement, "name" | "ms"> {
  const { "Shared Hit Blocks": hit = 0, "Shared Read Blocks": read = 0 } = plan;
  const scans = scansOf(plan);
  return {
    rows: scans.reduce((sum, { rows }) => sum + rows, 0),
    blocks: hit + read,
    scans: [...new Set(scans.map(({ title }) => title))],
  };
}

function scansOf(plan: Plan): readonly { readonly title: string; readonly rows: number }[] {
  const { "Node Type": type, "Relation Name": relation, "Actual Rows": kept = 0, "Actual Loops": loops = 0 } = plan;
  const removed = (plan["Rows Removed by Filter"] ?? 0) + (plan["Rows Removed by Index Recheck"] ?? 0);
  // Partitions count as their table.
  const table = relation?.replace(/_(?:\d{8}(?:t\d+)?|default)$/, "");
  const own =
    table === undefined || loops === 0 ? [] : [{ title: `${type} on ${table}`, rows: (kept + removed) * loops }];
  return [...own, ...(plan.Plans ?? []).flatMap(scansOf)];
}

/**
 * Plans of every search and list on tables of millions of records, filled by SQL: what each statement read, and how long it took.
 * It fails where one reads more rows than its bound: then it reads a table, or all of a frequent word.
 */
import { createLedgerDatabase, dropDatabase, query } from "../database/databases.ts";
import { openAccounts } from "../database/open-accounts.ts";
import type { MeasurePart, PartOptions } from "../parts.ts";
import { markdownTable } from "../report/markdown-table.ts";
import { accountNumbers } from "../transfers/pick-accounts.ts";
import { onboardPartner } from "../../packages/server/src/admin/partners/partners.ts";
import { createSecrets } from "../../packages/server/src/basics/secrets.ts";
import { startNode, type TestNode } from "../../test/support/administration.ts";
import { valueOf } from "../../test/support/expect.ts";
import { newPartner } from "../../test/support/partners.ts";
import { createExplainingPool, type ExplainedStatement } from "./explain-statements.ts";
import { fillRecords, type Filled, readFilled } from "./fill-records.ts";
import { queries, readSubject } from "./queries.ts";

/**
 * Rows that one statement may read: more than a search looks through of a word (5,000), and than there are open transfers and
 * payment requests among those that are filled in.
 */
const rowsMax = 15_000;
const partnersCount = 20;
/** A secret would be sealed by the master key of one process. */
const withoutSecret = { signing: "asymmetric", secrets: [] } as const;
const database = "bench_search";

interface MeasuredQuery {
  readonly name: string;
  readonly statements: readonly ExplainedStatement[];
}

export const measureSearch: MeasurePart = async (options, publish) => {
  const { cluster, keepsDatabase } = options;
  await using stack = new AsyncDisposableStack();
  const url =
    (keepsDatabase ? await findFilled(cluster.url) : undefined) ?? (await createLedgerDatabase(cluster.url, database));
  if (!keepsDatabase) stack.defer(() => dropDatabase(cluster.url, database));
  // Words are keyed by it: a kept database is searched by another process.
  const secrets = createSecrets({ current: Buffer.alloc(32, "bench") });
  const node = stack.use(await startNode(url));
  const filled = (await readFilled(url)) ?? (await fill(url, { ...node, secrets }, options));
  await node.refresh();
  const explaining = stack.use(createExplainingPool(url));
  const deps = { ...node, secrets, pool: explaining.pool };
  const subject = await readSubject({ pool: node.reads, filled });
  const measured: MeasuredQuery[] = [];
  for (const [name, ask] of Object.entries(queries)) {
    // The first reads the pages, and makes the caches of the connection.
    await ask(deps, subject);
    explaining.take();
    await ask(deps, subject);
    measured.push({ name, statements: explaining.take() });
  }
  const [sizes] = await query(
    url,
    `select pg_size_pretty(pg_database_size(current_database())) as size,
       (select sum(pg_total_relation_size(relation)) from partitions where parent = 'search_words') as words`,
  );
  const wordBytes = Math.round(Number(sizes?.["words"]) / filled.transfers);
  const title = `## Searches and lists on ${filled.transfers.toLocaleString("en")} transfers (${String(sizes?.["size"])}, ${wordBytes} bytes of words a transfer)`;
  publish({ report: `${title}\n\n${tableOf(measured)}`, figures: { search: measured } });
  const over = measured.flatMap(({ name, statements }) =>
    statements
      .filter(({ rows }) => rows > rowsMax)
      .map((one) => `${name}: ${one.name} read ${Math.round(one.rows)} rows`),
  );
  if (over.length > 0) throw new Error(`More than ${rowsMax} rows were read:\n${[...new Set(over)].join("\n")}`);
};

async function fill(url: string, node: TestNode, { transfers, accounts, onProgress }: PartOptions): Promise<Filled> {
  const partners: string[] = [];
  while (partners.length < partnersCount)
    partners.push(valueOf(await onboardPartner(node, newPartner(withoutSecret))).key);
  await openAccounts({ url, partner: partners[0] ?? "", accountNumbers: accountNumbers(accounts) });
  return fillRecords({ url, node, transfers: Math.max(...transfers), onProgress });
}

async function findFilled(clusterUrl: string): Promise<string | undefined> {
  const url = new URL(clusterUrl);
  url.pathname = `/${database}`;
  const found = await query(clusterUrl, `select from pg_database where datname = '${database}'`);
  return found.length > 0 && (await readFilled(url.href)) ? url.href : undefined;
}

/** A line for each query, with its statement that read most. */
function tableOf(measured: readonly MeasuredQuery[]): string {
  const rows = measured.map(({ name, statements }) => {
    const [worst] = statements.toSorted((a, b) => b.rows - a.rows);
    const sum = (of: (one: ExplainedStatement) => number) => statements.reduce((total, one) => total + of(one), 0);
    return [
      name,
      String(statements.length),
      sum(({ ms }) => ms).toFixed(1),
      String(sum(({ blocks }) => blocks)),
      String(Math.round(worst?.rows ?? 0)),
      worst === undefined ? "" : `${worst.name}: ${worst.scans.join(", ")}`,
    ];
  });
  return markdownTable(["Asked", "Statements", "ms", "Pages", "Most rows of one", "Which"], rows);
}

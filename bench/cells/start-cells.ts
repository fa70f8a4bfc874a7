/** The whole service on home and one further cell, two databases of the bench's cluster, called by two partners: one has home alone, the other both cells. */
import { add, cellsOf, writeCells } from "../../test/cells/cell-fixture.ts";
import { eventually } from "../../test/support/black-box/answers.ts";
import { addPartner } from "../../test/support/black-box/production-partner.ts";
import { migrateForServices } from "../../test/support/database/template.ts";
import { compareCells } from "../../packages/server/src/admin/cells/compare-cells.ts";
import { createReadPool } from "../../packages/server/src/store/postgres/connect.ts";
import type { Cluster } from "../database/cluster.ts";
import { countAccepted, createDatabase, dropDatabase, query, vacuum } from "../database/databases.ts";
import { findPartnerKey, openAccounts } from "../database/open-accounts.ts";
import type { BenchPartner } from "../load/partner.ts";
import { loadSourceTree } from "../load/source-tree.ts";
import { checkAnswered } from "../load/start-loaded.ts";
import { startNodes } from "../load/start-nodes.ts";
import type { Subject } from "../subject.ts";
import { auditDatabase } from "../subjects/audit-database.ts";
import { runWindow } from "../subjects/run-window.ts";
import { accountNumbers } from "../transfers/pick-accounts.ts";
import { type LoadSettings, loadScript } from "../workers/load-settings.ts";
import { startWorker } from "../workers/start-worker.ts";

/** By the cells of the partner that pays. */
export const cellSubjects = {
  homeWithin: "partner of home, within",
  homeAcross: "partner of home, across",
  bothWithin: "partner of both cells, within",
  bothAcross: "partner of both cells, across",
} as const;
export type CellSubjectName = keyof typeof cellSubjects;

export interface CellsOptions {
  readonly cluster: Cluster;
  /** Number of accounts of each partner in home, and of accounts in cell 1. */
  readonly accounts: number;
  readonly onProgress: (text: string) => void;
}

interface Databases {
  readonly home: string;
  readonly cell: string;
}

const names = { home: "bench_cells_home", cell: "bench_cells_1" } as const;
const cellNumber = 1;
/** First digits of account numbers. */
const digits = { home: "77", both: "78", cell: "51" } as const;
const ranges = "5100000000-5199999999";
/** Minor units of a transfer. */
const amount = 100;

/** Each subject pays from accounts of home: within, to others of home; across, to those of cell 1. */
export async function startCells({ cluster, accounts, onProgress }: CellsOptions) {
  await using stack = new AsyncDisposableStack();
  const home = await createDatabase(cluster.url, names.home);
  stack.defer(() => dropDatabase(cluster.url, names.home));
  const cell = await createDatabase(cluster.url, names.cell);
  stack.defer(() => dropDatabase(cluster.url, names.cell));
  stack.defer(() => audit({ home, cell }, onProgress));
  const { url } = await migrateForServices(home);
  const { url: cellUrl } = await migrateForServices(cell);
  const line = `${cellNumber} ${cellUrl} ${ranges}`;
  const added = await add(url, cellUrl, line);
  if (!added.ok) throw new Error(added.rejection.message);
  const file = stack.use(writeCells(line));
  const both = await addPartner(url, { cells: [0, cellNumber] });
  const nodes = await startNodes(url, await loadSourceTree(undefined), { env: { TITIAN_CELLS: file.file } });
  stack.defer(() => nodes.stop());
  const callers = { home: nodes.caller, both: { ...nodes.caller, ...both } };
  const payees = accountNumbers(accounts, digits.cell);
  const partner = await findPartnerKey(home, both.partnerId);
  await openAccounts({ url: cell, partner, cell: cellNumber, accountNumbers: payees });
  for (const cells of ["home", "both"] as const) {
    const key = await findPartnerKey(home, callers[cells].partnerId);
    await openAccounts({ url: home, partner: key, accountNumbers: accountNumbers(accounts, digits[cells]) });
  }
  await vacuum(home);
  await vacuum(cell);
  const before = await countAccepted(home);
  const answered: Record<CellSubjectName, number> = { homeWithin: 0, homeAcross: 0, bothWithin: 0, bothAcross: 0 };
  const check = () => checkBooks({ home, cell }, { before, ...answered });
  const subjects: Subject<CellSubjectName>[] = [];
  for (const name of Object.keys(cellSubjects) as CellSubjectName[]) {
    const cells = name.startsWith("home") ? "home" : "both";
    const caller: BenchPartner = callers[cells];
    const settings = { caller, accountNumbers: accountNumbers(accounts, digits[cells]), url: home };
    const isAcross = name.endsWith("Across");
    const worker = await startWorker<LoadSettings>(loadScript, { ...settings, ...(isAcross && { payees }) });
    stack.defer(() => worker.close());
    subjects.push({
      name,
      loads: ["uniform"],
      run: async (window) => {
        const measured = await runWindow(worker, { cluster, services: nodes.pids }, window);
        answered[name] += measured.done;
        return measured;
      },
      check,
      close: async () => undefined,
    });
  }
  const owned = stack.move();
  return { subjects, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** @throws unless home has each call that was answered, and cell 1 the money of each that went across, and nothing else has. */
async function checkBooks(
  { home, cell }: Databases,
  answered: Readonly<Record<CellSubjectName | "before", number>>,
): Promise<void> {
  const calls = Object.values(answered).reduce((sum, count) => sum + count, 0);
  await checkAnswered({ database: names.home, url: home, answered: calls });
  const across = answered.homeAcross + answered.bothAcross;
  // The last payments may still be on their way: callers wait for a limited time.
  const arrived = () => readState(cell, "transit:in:IDR:00");
  const last = await eventually(async () => (await arrived()).version === across && arrived(), 5);
  const expected = String(across * amount);
  const sent = await readState(home, `transit:out:IDR:0${cellNumber}`);
  const seen = {
    sent: sent.balance,
    arrived: last.balance.replace("-", ""),
    unapplied: sent.unapplied + last.unapplied,
  };
  if (seen.sent === expected && seen.arrived === expected && seen.unapplied === 0) return;
  throw new Error(`${across} transfers across were answered, and the cells have ${JSON.stringify(seen)}.`);
}

/** Reads a transit account and unapplied funds; an account that nothing was booked on is not opened. */
async function readState(url: string, accountNo: string) {
  const [row] = await query(
    url,
    `select coalesce(max(version) filter (where account_no = '${accountNo}'), 0)::int as version,
       coalesce(sum(balance) filter (where account_no = '${accountNo}'), 0)::text as balance,
       coalesce(sum(balance) filter (where purpose = 'unclaimed'), 0)::float8 as unapplied from accounts`,
  );
  return {
    version: Number(row?.["version"]),
    balance: String(row?.["balance"]),
    unapplied: Number(row?.["unapplied"]),
  };
}

/** As operators check an installation with cells. */
async function audit({ home, cell }: Databases, onProgress: (text: string) => void): Promise<void> {
  await auditDatabase(names.home, home, onProgress);
  await auditDatabase(names.cell, cell, onProgress);
  const pool = createReadPool(home, 1);
  try {
    const findings = await compareCells(pool, cellsOf(`${cellNumber} ${cell} ${ranges}`), {
      keepExternalIdsMs: 86_400_000,
      onProgress: () => undefined,
    });
    if (findings.length > 0) throw new Error(`The cells differ:\n${JSON.stringify(findings.slice(0, 5), null, 1)}`);
  } finally {
    await pool.end();
  }
}

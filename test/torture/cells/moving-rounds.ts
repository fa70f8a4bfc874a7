/** Accounts that move to a cell and back by `titian account move`, while partners pay with them and a node that moves them is killed. */
import { setTimeout as sleep } from "node:timers/promises";
import { runAudit } from "../../../packages/server/src/admin/audit/audit.ts";
import { openAccount } from "../../../packages/server/src/admin/accounts/open-account.ts";
import { compareCells } from "../../../packages/server/src/admin/cells/compare-cells.ts";
import { newId } from "../../../packages/server/src/basics/ids.ts";
import { minor } from "../../../packages/server/src/ledger/money.ts";
import { createReadPool } from "../../../packages/server/src/store/postgres/connect.ts";
import { add, cellsOf, ranges, writeCells } from "../../cells/cell-fixture.ts";
import { startNode } from "../../support/administration.ts";
import { createCaller } from "../../support/black-box/caller.ts";
import { productionSettings } from "../../support/black-box/production-partner.ts";
import { type Service, startService } from "../../support/black-box/service.ts";
import { startProduction } from "../../support/black-box/start-production.ts";
import { runCli } from "../../support/cli/run-cli.ts";
import { endPools } from "../../support/database/end-pool.ts";
import { administrationUrlOf } from "../../support/database/template.ts";
import { queryRows } from "../../support/database/with-client.ts";
import { valueOf } from "../../support/expect.ts";
import { startLoad } from "../../support/load.ts";
import { randomNumbers } from "../random-numbers.ts";
import type { TortureResult } from "../result.ts";
import { createMovingCalls, type MovingCalls } from "./moving-calls.ts";

interface Urls {
  readonly url: string;
  readonly ownerUrl: string;
}

export interface MovingOptions {
  readonly home: Urls;
  readonly cell: Urls;
  readonly accounts: number;
  readonly callers: number;
  readonly kills: number;
  readonly seed: number;
  onProgress?(text: string): void;
}

const openingBalance = 1_000_000_000n;
/** Accounts of one command. */
const atOnce = 100;

export async function movingRounds(options: MovingOptions): Promise<TortureResult> {
  const { home, cell, seed, kills, onProgress } = options;
  const added = await add(home.url, cell.url);
  if (!added.ok) throw new Error(added.rejection.message);
  using file = writeCells(`1 ${cell.url} ${ranges}`);
  using ofCommands = writeCells(`1 ${administrationUrlOf(cell.url)} ${ranges}`);
  const env = { TITIAN_CELLS: file.file };
  await using production = await startProduction(env, home.url, { cells: [0, 1] });
  const { dataDir, served, agent, caller } = production;
  const startSecond = () => startService({ dataDir, env: { ...productionSettings(home.url), ...env } });
  let second: Service = await startSecond();
  const accounts = await openAccounts(options);
  const callersNow = () => [
    caller,
    createCaller({ ...served, baseUrl: second.baseUrl }, caller.partner.partnerId, agent),
  ];
  let callers = callersNow();
  const calls = createMovingCalls(() => callers, accounts, randomNumbers(seed));
  const load = startLoad(options.callers, calls.work);
  let killed = 0;
  const kill = async () => {
    killed += 1;
    await calls.disturb(async () => {
      await second.end("SIGKILL");
      callers = [caller];
      second = await startSecond();
      callers = callersNow();
    });
    onProgress?.(`kill ${killed} of ${kills}`);
  };
  const random = randomNumbers(seed + 1);
  const faults: string[] = [];
  for (const to of [1, 0]) {
    const moved = to === 1 ? accounts : accounts.slice(0, Math.ceil(accounts.length / 2));
    for (let first = 0; first < moved.length; first += atOnce) {
      const killing = killed < kills ? sleep(random() * 5_000).then(kill) : undefined;
      const page = moved.slice(first, first + atOnce);
      faults.push(...(await moveAll(page, to, { calls, home, cells: ofCommands.file })));
      await killing;
      onProgress?.(`${first + page.length} of ${moved.length} moved to cell ${to}`);
    }
  }
  await load.stop();
  await second[Symbol.asyncDispose]();
  // A relocation of what was credited behind a move is some seconds away.
  await sleep(12_000);
  const { unavailable, repeated } = calls.counts();
  const rebound = await queryRows(home.ownerUrl, "select 1 from bound_keys where previous is not null");
  return {
    faults: [...calls.faults, ...faults, ...(await findFaults(options, accounts, calls))].slice(0, 50),
    summary: `${accounts.length} accounts moved, half of them back, ${calls.accepted().length} payments, ${repeated} repeats, ${unavailable} calls answered 503, ${rebound.length} keys bound anew, ${killed} kills`,
  };
}

async function openAccounts({ home, accounts }: MovingOptions): Promise<readonly string[]> {
  const partners = (await queryRows(home.ownerUrl, "select id from partners")).map(
    (row) => (row as { readonly id: string }).id,
  );
  await using node = await startNode(home.url);
  const numbers = Array.from({ length: accounts }, (_, index) => String(7_000_000_000 + index));
  for (const accountNo of numbers) {
    const account = { id: newId(), accountNo, name: "Siti Rahayu", currency: "IDR", type: "S", partners } as const;
    valueOf(await openAccount(node, { ...account, balance: minor(openingBalance) }));
  }
  return numbers;
}

interface MoveTerms {
  readonly calls: MovingCalls;
  readonly home: Urls;
  readonly cells: string;
}

async function moveAll(accountNos: readonly string[], to: number, { calls, home, cells }: MoveTerms) {
  calls.begin(accountNos);
  const env = {
    TITIAN_SANDBOX: "0",
    TITIAN_ADMIN_DATABASE_URL: administrationUrlOf(home.url),
    TITIAN_ADMIN_CELLS: cells,
  };
  const ran = await runCli(["account", "move", ...accountNos, "--to", String(to)], { env });
  calls.end(accountNos);
  return ran.exitCode === 0 ? [] : [`the command ended with ${ran.exitCode}: ${ran.stderr} ${ran.stdout}`];
}

/** Each account is in its cell with what was paid from it and to it, and the databases agree. */
async function findFaults(
  { home, cell }: MovingOptions,
  accounts: readonly string[],
  { accepted }: MovingCalls,
): Promise<readonly string[]> {
  const expected = new Map(accounts.map((accountNo) => [accountNo, openingBalance]));
  const addTo = (accountNo: string, amount: bigint) =>
    expected.set(accountNo, (expected.get(accountNo) as bigint) + amount);
  for (const { from, to, minor: amount } of accepted()) {
    addTo(from, -amount);
    addTo(to, amount);
  }
  const faults: string[] = [];
  const back = Math.ceil(accounts.length / 2);
  const [ofHome, ofCell] = [await readAccounts(home), await readAccounts(cell)];
  for (const [index, accountNo] of accounts.entries()) {
    const [own, other] = index < back ? [ofHome, ofCell] : [ofCell, ofHome];
    const found = `${own.get(accountNo)} and ${other.get(accountNo)}`;
    const right = `active ${expected.get(accountNo)} and moved 0`;
    if (found !== right) faults.push(`${accountNo} is ${found} in place of ${right}`);
  }
  for (const { ownerUrl } of [home, cell]) {
    const { findings } = await runAudit(ownerUrl);
    for (const { check, subject, found } of findings) faults.push(`${check} ${subject}: ${found}`);
    const [unapplied] = await queryRows(
      ownerUrl,
      "select balance from accounts where purpose = 'unclaimed' and balance <> 0",
    );
    if (unapplied) faults.push("money went to unapplied funds");
  }
  const pool = createReadPool(home.ownerUrl, 1);
  const compared = await compareCells(pool, cellsOf(`1 ${cell.ownerUrl} ${ranges}`), {
    keepExternalIdsMs: 86_400_000,
    onProgress: () => undefined,
  });
  await endPools(pool);
  return [...faults, ...compared.map(({ check, subject, found }) => `${check} ${subject}: ${found}`)];
}

async function readAccounts({ ownerUrl }: Urls): Promise<ReadonlyMap<string, string>> {
  const text = "select account_no, status || ' ' || balance as state from accounts where purpose = 'customer'";
  const rows = (await queryRows(ownerUrl, text)) as readonly { readonly account_no: string; readonly state: string }[];
  return new Map(rows.map(({ account_no: accountNo, state }) => [accountNo, state]));
}

/** Compares the cells of accounts that were moved, as home says them, with the accounts that each cell has (docs/adr/0098-account-moves.md). */
import type { Finding } from "../../store/audit/finding.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { readStatuses } from "../../store/reads/accounts.ts";
import { listLeft } from "../../store/tables/cells/account-moves.ts";
import { findMovedAccounts, listMovedAccounts, type MovedAccountRow } from "../../store/tables/cells/moved-accounts.ts";

const pageMax = 1_000;

/** By numbers of cells. Accounts that are moving now are left out. */
export async function compareMoves(
  home: StatementPool,
  cells: ReadonlyMap<number, StatementPool>,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const [cell, pool] of cells) findings.push(...(await findForgotten(home, cell, pool)));
  let after = "";
  for (;;) {
    const page = await listMovedAccounts(home, after, pageMax);
    const last = page.at(-1);
    if (last === undefined) return findings;
    after = last.accountNo;
    const numbers = page.map(({ accountNo }) => accountNo);
    const found = new Map<number, ReadonlyMap<string, string>>();
    for (const [cell, pool] of cells) found.set(cell, await readStatuses(pool, numbers));
    for (const row of page.filter(({ movingTo }) => movingTo === undefined)) findings.push(...findFaults(row, found));
  }
}

/** Accounts that a cell has sent on, and that home says are there: home has forgotten their moves. */
async function findForgotten(home: StatementPool, cell: number, pool: StatementPool): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  let after = "";
  for (;;) {
    const left = await listLeft(pool, after, pageMax);
    const last = left.at(-1);
    if (last === undefined) return findings;
    after = last;
    const rows = new Map((await findMovedAccounts(home, left)).map((row) => [row.accountNo, row]));
    for (const accountNo of left) {
      // One of which home has a row was compared by it.
      if (rows.has(accountNo)) continue;
      const expected = "a move that home has";
      findings.push({ check: "accountOfOneCell", subject: accountNo, expected, found: `moved in cell ${cell}` });
    }
  }
}

/** In its cell it is neither moved nor arriving; any other that has it has sent it on, or closed it. */
function findFaults(
  { accountNo, cell: own, refusal }: MovedAccountRow,
  found: ReadonlyMap<number, ReadonlyMap<string, string>>,
): readonly Finding[] {
  const statuses = [...found].flatMap(([cell, byNumber]) => {
    const status = byNumber.get(accountNo);
    return status === undefined ? [] : [{ cell, status }];
  });
  // It was asked to move, and there never was such an account.
  if (statuses.length === 0 && refusal !== undefined) return [];
  const isHere = statuses.some(({ cell, status }) => cell === own && status !== "moved" && status !== "arriving");
  const isElsewhere = statuses.some(({ cell, status }) => cell !== own && status !== "moved" && status !== "closed");
  if (isHere && !isElsewhere) return [];
  const is = statuses.map(({ cell, status }) => `${status} in cell ${cell}`).join(", ");
  return [{ check: "accountOfOneCell", subject: accountNo, expected: `in cell ${own} alone`, found: is || "nowhere" }];
}

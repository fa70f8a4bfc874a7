/** Actions of `titian account move` and `moves`. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { AccountPlace } from "@titian/server/admin";
import { requireHome } from "../chosen-cell.ts";
import { CliError, exitCodes, usageError } from "../cli-error.ts";
import type { CallRow } from "../control/call-row.ts";
import { withCalls } from "../control/with-calls.ts";
import type { ActFlags } from "../options/act-options.ts";
import { pageSizeOf } from "../options/page-size.ts";
import { formatJson, note, print } from "../output.ts";
import { startProgress } from "../progress.ts";
import { formatTable } from "../tables/table.ts";

export interface MoveFlags extends ActFlags {
  readonly to: string;
  readonly file?: string;
  readonly json?: true;
}

export interface PlacesFlags {
  readonly after?: string;
  readonly limit: string;
  readonly json?: true;
}

/** Accounts of one command. */
const numbersMax = 1_000;
const [lookEveryMs, helpAfterMs] = [500, 30_000];

export async function move(given: readonly string[], flags: MoveFlags): Promise<void> {
  requireHome();
  const cell = Number(flags.to);
  if (!/^\d{1,3}$/.test(flags.to)) throw usageError("--to takes the number of a cell: 0, home, to 255.");
  const accountNos = readNumbers(given, flags.file);
  const ended = await withCalls(async (call) => {
    const asked = await propose(call, accountNos, { cell, reason: flags.reason, ticket: flags.ticket });
    return { ...asked, moved: await waitForAll(call, asked.moving) };
  });
  if (flags.json === true) print(formatJson({ accounts: ended.moved, notMoved: ended.faults }));
  else if (ended.moved.length > 0) show(ended.moved);
  for (const { accountNo, message } of ended.faults) if (flags.json !== true) note(`${accountNo}: ${message}`);
  judge(ended.moved, ended.faults, cell);
}

interface Fault {
  readonly accountNo: string;
  readonly message: string;
  readonly waits: boolean;
}

function judge(moved: readonly AccountPlace[], faults: readonly Fault[], cell: number): void {
  const refused = moved.filter((place) => place.cell !== cell).length + faults.filter(({ waits }) => !waits).length;
  if (refused > 0) throw new CliError(`${refused} not moved to cell ${cell}.`, exitCodes.failed);
  if (faults.length > 0)
    throw new CliError(`${faults.length} wait for the approval of another operator: titian act list`, exitCodes.waits);
}

function readNumbers(given: readonly string[], file: string | undefined): readonly string[] {
  const lines = file === undefined ? [] : readFileSync(file, "utf8").split("\n");
  const numbers = [...new Set([...given, ...lines.map((line) => line.trim()).filter((line) => line !== "")])];
  if (numbers.length === 0) throw usageError("No account was named: titian account move --help");
  if (numbers.length > numbersMax) throw usageError(`At most ${numbersMax} accounts are moved by one command.`);
  return numbers;
}

interface Asked {
  readonly moving: readonly string[];
  readonly faults: readonly Fault[];
}

/** One after the other: each is an act. */
async function propose(
  call: CallRow,
  accountNos: readonly string[],
  words: { readonly cell: number; readonly reason?: string | undefined; readonly ticket?: string | undefined },
): Promise<Asked> {
  const [moving, faults]: [string[], Fault[]] = [[], []];
  for (const accountNo of accountNos) {
    try {
      await call("POST /moves", { body: { accountNo, ...words } });
      moving.push(accountNo);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      const waits = error.exitCode === exitCodes.waits;
      // One that cannot be proposed for want of a reason or a right is the same for all.
      if (!waits && accountNos.length === 1) throw error;
      faults.push({ accountNo, message: error.message, waits });
    }
  }
  return { moving, faults };
}

/** Until none is moving any more. */
async function waitForAll(call: CallRow, accountNos: readonly string[]): Promise<readonly AccountPlace[]> {
  const progress = startProgress({ what: "accounts", done: "moved, or not to be moved" });
  const still = new Map<string, AccountPlace>();
  let waited = 0;
  while (still.size < accountNos.length) {
    for (const accountNo of accountNos.filter((one) => !still.has(one))) {
      const place = await call("GET /moves/{accountNo}", { params: { accountNo } });
      if (place.movingTo !== undefined) break;
      still.set(accountNo, place);
    }
    progress.update(still.size, accountNos.length);
    if (still.size === accountNos.length) break;
    await sleep(lookEveryMs);
    waited += lookEveryMs;
    if (waited === helpAfterMs) note("A node of the service moves them: is one running, with TITIAN_CELLS?");
  }
  progress.stop();
  return accountNos.flatMap((accountNo) => still.get(accountNo) ?? []);
}

export async function places({ after, limit, json }: PlacesFlags): Promise<void> {
  requireHome();
  const answer = await withCalls((call) => call("GET /moves", { query: { after, limit: pageSizeOf(limit) } }));
  if (json === true) return print(formatJson(answer));
  show(answer.accounts);
  if (answer.next !== null) note(`\nMore: titian account moves --after ${answer.next}`);
}

const columns = { accountNo: "account", cell: "cell", movingTo: "moving to", refusal: "stays because" };

function show(accounts: readonly AccountPlace[]): void {
  const rows = accounts.map(({ accountNo, cell, movingTo, refusal }) => ({
    accountNo,
    cell: cell === 0 ? "0 (home)" : String(cell),
    movingTo: movingTo === undefined ? "" : String(movingTo),
    refusal: refusal ?? "",
  }));
  print(formatTable(columns, rows));
}

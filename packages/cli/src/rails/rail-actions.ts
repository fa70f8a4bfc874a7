/** Actions of `titian rails`. */
import { formatTimestamp } from "@titian/contract";
import {
  closeSetAside,
  createClock,
  listLinesSetAside,
  listSetAside,
  loadRailData,
  releaseDirectory,
  type Core,
  type RailData,
  type RailFiles,
  type RailName,
  type RailTerms,
  warnOfHolidays,
} from "@titian/server/admin";
import { loadConfig } from "@titian/server/config";
import { takeOverDirectory } from "@titian/rail-files";
import { type ExitCode, exitCodes } from "../cli-error.ts";
import { confirm } from "../confirm.ts";
import { withCalls } from "../control/with-calls.ts";
import { formatJson, note, print } from "../output.ts";
import { showAmount } from "../tables/amounts.ts";
import { amountColumn, formatTable } from "../tables/table.ts";
import { formatList } from "../tables/totals.ts";
import { withCore } from "../with-core.ts";

interface ReleaseFlags {
  readonly yes?: true;
}

const columns = {
  name: "rail",
  currency: "currency",
  min: amountColumn("minimum"),
  max: amountColumn("maximum"),
  fee: amountColumn("fee"),
  shared: amountColumn("shared fee"),
  hours: "operating hours",
};

const listColumns = {
  rail: "rail",
  now: "now",
  pending: "pending",
  suspense: amountColumn("in suspense"),
  currency: "currency",
};

export async function list({ json }: { readonly json?: true }): Promise<void> {
  const answer = await withCalls((call) => call("GET /rails"));
  if (json) return print(formatList(answer, answer.rails, ["suspense"]));
  print(
    formatTable(
      listColumns,
      answer.rails.map((rail) => ({ ...rail, now: rail.isOpen ? "open" : "closed" })),
    ),
  );
}

const setAsideColumns = {
  at: "set aside at",
  rail: "rail",
  referenceNo: "reference no",
  state: "reported",
  reason: "reason",
  traceNo: "trace no",
};

/** Rows of one list; those behind it are shown when these are closed. */
const setAsideMax = 1_000;

const lineColumns = { file: "file", line: "line", rail: "rail", fault: "fault", text: "text", at: "set aside at" };

/** Characters of a line in JSON, and in the table. */
const textMax = 1_000;
const textShown = 60;

export async function listSetAsideResults({ json }: { readonly json?: true }): Promise<void> {
  const found = await withCore(async ({ pool }) => ({
    results: await listSetAside(pool, setAsideMax),
    lines: await listLinesSetAside(pool, { limit: setAsideMax, textMax }),
  }));
  const results = found.results.map(({ at, ...result }) => ({ at: formatTimestamp(at), ...result }));
  const lines = found.lines.map(({ at, ...line }) => ({ ...line, at: formatTimestamp(at) }));
  if (json) return print(formatJson({ results, lines }));
  print(formatTable(setAsideColumns, results));
  if (lines.length === 0) return;
  const cut = (text: string) => (text.length > textShown ? `${text.slice(0, textShown)}…` : text);
  print("\nLines of result files that nobody can understand, the newest first");
  print(
    formatTable(
      lineColumns,
      lines.map((line) => ({ ...line, line: String(line.line), text: cut(line.text) })),
    ),
  );
}

export async function closeSetAsideResult(rail: RailName, referenceNo: string, state: string): Promise<ExitCode> {
  const isClosed = await withCore(({ adminPool, clock }) =>
    closeSetAside(adminPool, { rail, referenceNo, state, at: clock.now() }),
  );
  if (isClosed) {
    print(`Closed: ${state} of ${referenceNo}.`);
    return exitCodes.done;
  }
  note(`The ${rail} rail has no open result ${state} of ${referenceNo}: titian rails set-aside lists them.`);
  return exitCodes.failed;
}

export function check(): void {
  const { railFiles, bankCode } = loadConfig({ needsSecrets: false });
  const data = loadRailData({ files: railFiles, ownBankCode: bankCode });
  showRailData(data, railFiles);
  const warning = warnOfHolidays(data.holidays, createClock().now(), railFiles.holidays);
  if (warning !== undefined) note(`\n${warning}`);
}

export function releaseOf(rail: RailName, flags: ReleaseFlags): Promise<ExitCode> {
  return withCore((core) => release(core, rail, flags));
}

async function release(core: Core, rail: RailName, { yes }: ReleaseFlags): Promise<ExitCode> {
  if (!yes && !(await confirm(`Is the ${rail} rail's directory lost for good?`))) return exitCodes.failed;
  const submitted = await releaseDirectory(core, rail);
  if (submitted > 0) {
    note(`${submitted} pending transfers may be in its directory: titian transfer list, then titian transfer resolve.`);
    return exitCodes.failed;
  }
  print(`Released: nothing that was written so far is expected in the ${rail} rail's directory.`);
  return exitCodes.done;
}

export async function takeOver(rail: RailName, directory: string, { yes }: ReleaseFlags): Promise<ExitCode> {
  const question = `Are its lines compared with the ${rail} rail's records, and is every node of an earlier release stopped?`;
  if (!yes && !(await confirm(question))) return exitCodes.failed;
  const count = await withCore((core) => takeOverDirectory(directory, core.railRecords(rail), core.clock.now()));
  print(`Taken over: ${count} instructions of ${directory} count as handed over to the ${rail} rail.`);
  return exitCodes.done;
}

function showRailData({ rails, holidays, banks, ownBankCode }: RailData, files: RailFiles): void {
  for (const name of ["rails", "holidays", "banks"] as const) {
    note(`${name}: ${files[name] ?? "files of this release"}`);
  }
  print(formatTable(columns, Object.values(rails).map(rowOf)));
  print();
  for (const { name, settlements } of Object.values(rails)) {
    if (settlements) print(`${name} settles at ${settlements.map(showTime).join(", ")}`);
  }
  const days = [...holidays].toSorted();
  const span = days.length === 0 ? "" : `, from ${days[0]} to ${days.at(-1)}`;
  print(`Holidays: ${days.length}${span}`);
  print(`Banks: ${new Set(banks.values()).size}; own bank code ${ownBankCode}`);
}

function rowOf({ name, currency, min, max, fee, sharedFeeMax, hours }: RailTerms) {
  return {
    name,
    currency,
    min: showAmount(min, currency),
    max: max === undefined ? "no limit" : showAmount(max, currency),
    fee: showAmount(fee, currency),
    shared: `up to ${showAmount(sharedFeeMax, currency)}`,
    hours: hours === undefined ? "always" : `working days ${showTime(hours.from)} to ${showTime(hours.to)}`,
  };
}

function showTime(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

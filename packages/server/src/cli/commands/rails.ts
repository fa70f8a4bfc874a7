/** `titian rails`: validates the data of rails, holidays and banks, and releases the directory of a file rail. */
import { Argument, type Command } from "commander";
import { loadRailData, type RailFiles } from "../../admin/rail-data/rail-data.ts";
import { createClock } from "../../clock.ts";
import type { Core } from "../../compose/core.ts";
import { releaseDirectory } from "../../compose/rail-records.ts";
import { warnOfHolidays } from "../../compose/observe-holidays.ts";
import { loadConfig } from "../../config.ts";
import { type RailData, type RailName, railNames, type RailTerms } from "../../ledger/rails/terms.ts";
import { showAmount } from "../tables/amounts.ts";
import { type ExitCode, exitCodes } from "../cli-error.ts";
import { confirm } from "../confirm.ts";
import { note, print } from "../output.ts";
import { formatTable } from "../tables/table.ts";
import { withCore } from "../with-core.ts";

const columns = {
  name: "rail",
  currency: "currency",
  min: "minimum",
  max: "maximum",
  fee: "fee",
  shared: "shared fee",
  hours: "operating hours",
};

const examples = `
Reads the files of TITIAN_RAILS_FILE, TITIAN_HOLIDAYS_FILE and TITIAN_BANKS_FILE, or those of this release, as the
service does at its start, without a database. Warns when the last holiday is less than 60 days ahead, or past.

Examples:
  titian rails check
  TITIAN_HOLIDAYS_FILE=/etc/titian/holidays.json titian rails check

Exit codes: 0 valid · 2 invalid; every error is listed.`;

const releaseHelp = `
A file rail works with one directory, whose id is stored in the database, and does not start with another: transfers
already submitted to the old one would be submitted again. First stop the node that is connected to the rail, and
resolve the rail's pending transfers.

Exit codes: 0 released · 1 transfers are pending, or not confirmed · 2 invalid command line.`;

export function addRails(program: Command, end: (code: ExitCode) => void): void {
  const rails = program
    .command("rails")
    .description("check the data of rails, holidays and banks, release a file rail's directory");
  rails
    .command("check")
    .description("validate the data and show it")
    .addHelpText("after", examples)
    .action(() => {
      const { railFiles, bankCode } = loadConfig({ needsSecrets: false });
      const data = loadRailData({ files: railFiles, ownBankCode: bankCode });
      showRailData(data, railFiles);
      const warning = warnOfHolidays(data.holidays, createClock().now(), railFiles.holidays);
      if (warning !== undefined) note(`\n${warning}`);
      end(exitCodes.done);
    });
  rails
    .command("release-directory")
    .description("let a file rail start with another directory after its own is lost")
    .addArgument(new Argument("<rail>", "the rail").choices(railNames))
    .option("--yes", "skip confirmation")
    .addHelpText("after", releaseHelp)
    .action(async (rail: RailName, flags: { readonly yes?: true }) =>
      end(await withCore((core) => release(core, rail, flags))),
    );
}

async function release(core: Core, rail: RailName, { yes }: { readonly yes?: true }): Promise<ExitCode> {
  if (!yes && !(await confirm(`Is every node that connects to the ${rail} rail stopped?`))) return exitCodes.failed;
  const submitted = await releaseDirectory(core, rail);
  if (submitted > 0) {
    note(`${submitted} pending transfers may be in its directory: titian transfer list, then titian transfer resolve.`);
    return exitCodes.failed;
  }
  print(`Released: the ${rail} rail takes the directory of its next start.`);
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

/** `titian rails`: whether the data of rails, holidays and banks can be used, and which directory a rail of files has. */
import { Argument, type Command } from "commander";
import { loadRailData, type RailFiles } from "../../admin/rail-data.ts";
import { createClock } from "../../clock.ts";
import type { Core } from "../../compose/core.ts";
import { releaseDirectory } from "../../compose/file-rails.ts";
import { warnOfHolidays } from "../../compose/observe-holidays.ts";
import { loadConfig } from "../../config.ts";
import { type RailData, type RailName, railNames, type RailTerms } from "../../ledger/rail.ts";
import { showAmount } from "../amounts.ts";
import { type ExitCode, exitCodes } from "../cli-error.ts";
import { confirm } from "../confirm.ts";
import { note, print } from "../output.ts";
import { formatTable } from "../table.ts";
import { withCore } from "../with-core.ts";

const columns = {
  name: "rail",
  currency: "currency",
  least: "least",
  most: "most",
  fee: "fee",
  shared: "sender's share",
  hours: "takes transfers",
};

const examples = `
Reads the files of TITIAN_RAILS_FILE, TITIAN_HOLIDAYS_FILE and TITIAN_BANKS_FILE, or those that come with this release,
as the service does at its start. Nothing is started and no database is asked. Warns when the last holiday lies less
than 60 days ahead of this machine's clock, or behind it.

Examples:
  titian rails check
  TITIAN_HOLIDAYS_FILE=/etc/titian/holidays.json titian rails check

Exit codes: 0 they can be used · 2 they cannot; every fault is named.`;

const releaseHelp = `
A rail of files works with one directory, whose id the database knows, and is not started with another: a transfer that
one of them was handed would be handed to the other again. Stop the node that is connected to the rail first, and
resolve the rail's open transfers.

Exit codes: 0 released · 1 transfers are open, or not confirmed · 2 wrong command line.`;

export function addRails(program: Command, end: (code: ExitCode) => void): void {
  const rails = program.command("rails").description("look at the data of rails, holidays and banks");
  rails
    .command("check")
    .description("read the data as the service does, and show it")
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
    .description("let a rail of files begin with another directory, because its own is gone for good")
    .addArgument(new Argument("<rail>", "the rail").choices(railNames))
    .option("--yes", "skip confirmation")
    .addHelpText("after", releaseHelp)
    .action(async (rail: RailName, flags: { readonly yes?: true }) =>
      end(await withCore((core) => release(core, rail, flags))),
    );
}

async function release(core: Core, rail: RailName, { yes }: { readonly yes?: true }): Promise<ExitCode> {
  if (!yes && !(await confirm(`Does no node run that is connected to the ${rail} rail?`))) return exitCodes.failed;
  const submitted = await releaseDirectory(core, rail);
  if (submitted > 0) {
    note(`Its directory may hold ${submitted} open transfers: titian transfer list, then titian transfer resolve.`);
    return exitCodes.failed;
  }
  print(`The ${rail} rail works with the directory it is started with next.`);
  return exitCodes.done;
}

function showRailData({ rails, holidays, banks, ownBankCode }: RailData, files: RailFiles): void {
  for (const name of ["rails", "holidays", "banks"] as const) {
    note(`${name}: ${files[name] ?? "those that come with this release"}`);
  }
  print(formatTable(columns, Object.values(rails).map(rowOf)));
  print();
  for (const { name, settlements } of Object.values(rails)) {
    if (settlements) print(`${name} settles at ${settlements.map(showTime).join(", ")}`);
  }
  const days = [...holidays].toSorted();
  const span = days.length === 0 ? "" : `, from ${days[0]} to ${days.at(-1)}`;
  print(`Holidays: ${days.length}${span}`);
  print(`Banks: ${new Set(banks.values()).size}; our own code is ${ownBankCode}`);
}

function rowOf({ name, currency, least, most, fee, sharedFeeMost, hours }: RailTerms) {
  return {
    name,
    currency,
    least: showAmount(least, currency),
    most: most === undefined ? "no limit" : showAmount(most, currency),
    fee: showAmount(fee, currency),
    shared: `up to ${showAmount(sharedFeeMost, currency)}`,
    hours: hours === undefined ? "always" : `working days ${showTime(hours.from)} to ${showTime(hours.to)}`,
  };
}

function showTime(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

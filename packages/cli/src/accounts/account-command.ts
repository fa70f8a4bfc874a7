/** `titian account`: opens customer accounts, lists them and their entries, changes their status. */
import { Argument, type Command, Option } from "commander";
import type { AccountStatus } from "@titian/server/admin";
import type { EntriesFlags, FundFlags, ListFlags, OpenFlags } from "./account-actions.ts";
import { limitHelp, pageSizeDefault } from "../options/page-size.ts";
import { collect } from "../options/collect.ts";

/** Loaded when one runs: help needs only the options. */
const actions = () => import("./account-actions.ts");

const statuses = ["active", "dormant", "blocked", "closed"];

const examples = `
Examples:
  titian account open --name "Siti Nur Aini" --balance 5000000.00 --partner SHOP01
  titian account fund 1001000005 5000000.00
  titian account list --limit 20
  titian account entries unclaimed:IDR
  titian account status 812345678901 blocked`;

export function addAccount(program: Command): void {
  const account = program
    .command("account")
    .description("open and fund accounts, list them and their entries, change their status");
  account
    .command("open")
    .description("open a customer account; the opening balance is debited from the currency's funding account")
    .requiredOption("--name <name>", "account holder")
    .option("--account-no <number>", "default: 12 random digits")
    .option("--currency <code>", "ISO 4217", "IDR")
    .addOption(new Option("--type <type>", "D current account, S savings").choices(["D", "S"]).default("S"))
    .option("--balance <amount>", "opening balance, such as 1000.00", "0")
    .option("--partner <id>", "partner authorized to debit it; repeatable", collect)
    .option("--reason <text>", "why it opens with money; needed where operators are in charge")
    .addHelpText("after", examples)
    .action(async (flags: OpenFlags) => (await actions()).open(flags));
  account
    .command("fund")
    .description("put money on a customer account, debited from the currency's funding account")
    .argument("<account no>")
    .argument("<amount>", "such as 1000.00, in the currency of the account")
    .option("--reference <text>", "funds once for each; give it again to repeat a command whose outcome is unknown")
    .option("--reason <text>", "why; needed where operators are in charge (titian operators)")
    .option("--currency <code>", "reject the command unless the account is in this currency")
    .option("--json", "as JSON")
    .action(async (accountNo: string, amount: string, flags: FundFlags) =>
      (await actions()).fund(accountNo, amount, flags),
    );
  account
    .command("list")
    .description("list customer accounts, sorted by number")
    .option("--limit <n>", limitHelp, pageSizeDefault)
    .option("--after <number>", "start after this account")
    .option("--json", "as JSON, with totals")
    .action(async (flags: ListFlags) => (await actions()).list(flags));
  account
    .command("entries")
    .description("list the entries of a customer or internal account, newest first")
    .argument("<account no>")
    .option("--limit <n>", limitHelp, pageSizeDefault)
    .option("--before <version>", "start before this version")
    .option("--json", "as JSON, with totals")
    .action(async (accountNo: string, flags: EntriesFlags) => (await actions()).showEntries(accountNo, flags));
  account
    .command("status")
    .description("block, reactivate or close an account; closing is final")
    .argument("<account no>")
    .addArgument(new Argument("<status>").choices(statuses))
    .action(async (accountNo: string, status: AccountStatus) => (await actions()).setStatus(accountNo, status));
}

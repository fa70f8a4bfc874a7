/** `titian account`: opens customer accounts, moves money on and off them, lists them and their entries, changes their status. */
import { Argument, type Command, Option } from "commander";
import type { HeldStatus } from "@titian/server/admin";
import type {
  AmountFlags,
  ChangeFlags,
  CorrectFlags,
  EntriesFlags,
  JsonFlags,
  LimitFlags,
  ListFlags,
  OpenFlags,
} from "./account-actions.ts";
import { addMoves } from "./move-command.ts";
import { withActOptions, withReference } from "../options/act-options.ts";
import { limitHelp, pageSizeDefault } from "../options/page-size.ts";
import { collect } from "../options/collect.ts";

/** Loaded when one runs: help needs only the options. */
const actions = () => import("./account-actions.ts");

const statuses = ["active", "dormant", "blocked", "closed"];

const examples = `
Examples:
  titian account open --name "Siti Nur Aini" --balance 5000000.00 --partner SHOP01
  titian account fund 1001000005 5000000.00
  titian account withdraw 1001000005 250000.00 --reason "paid out over the counter"
  titian account list --limit 20
  titian account entries unclaimed:IDR
  titian account status 812345678901 blocked`;

const correctHelp = `
2 to 10 accounts, of customers and our own (titian ledger show), but no suspense account. No customer's account is debited
below what is available.

Example:
  titian account correct --debit 1001000005=5000.00 --credit 1001000006=5000.00 --reason "credited to the wrong account"

Exit codes: 0 corrected, now or before · 1 rejected · 2 invalid command line · 5 waits for the approval of another
operator (titian act).`;

export function addAccount(program: Command): void {
  const account = program
    .command("account")
    .description(
      "open accounts, move money on and off them, correct them, list them and their entries, change their status, move them to another cell",
    );
  withActOptions(
    account
      .command("open")
      .description("open a customer account; the opening balance is debited from the currency's funding account"),
  )
    .requiredOption("--name <name>", "account holder")
    .option("--account-no <number>", "default: 12 random digits")
    .option("--currency <code>", "ISO 4217", "IDR")
    .addOption(new Option("--type <type>", "D current account, S savings").choices(["D", "S"]).default("S"))
    .option("--balance <amount>", "opening balance, such as 1000.00", "0")
    .option("--partner <id>", "partner authorized to debit it; repeatable", collect)
    .addHelpText("after", examples)
    .action(async (flags: OpenFlags) => (await actions()).open(flags));
  addMoney(account);
  account
    .command("show")
    .description("show a customer or internal account, and the act that is open on it")
    .argument("<account no>")
    .option("--json", "as JSON")
    .action(async (accountNo: string, flags: JsonFlags) => (await actions()).showAccount(accountNo, flags));
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
  addTerms(account);
  addMoves(account);
}

/** Commands that change what an account is and may: by operators' acts. */
function addTerms(account: Command): void {
  const changes = (name: string, description: string) =>
    withActOptions(account.command(name).description(description).argument("<account no>")).option("--json", "as JSON");
  changes("status", "block, wake or close an account; blocking is done at once, closing is final")
    .addArgument(new Argument("<status>").choices(statuses))
    .action(async (accountNo: string, status: HeldStatus, flags: ChangeFlags) =>
      (await actions()).setStatus(accountNo, status, flags),
    );
  changes(
    "block",
    "block an account at once: nothing is debited from it; approved or ended by another operator within the day",
  ).action(async (accountNo: string, flags: ChangeFlags) => (await actions()).setStatus(accountNo, "blocked", flags));
  changes("close", "close an account for good, with nothing on it, nothing held and no transfer under way").action(
    async (accountNo: string, flags: ChangeFlags) => (await actions()).setStatus(accountNo, "closed", flags),
  );
  changes("limits", "change limits of an account; those that are not given stay")
    .option("--each <amount>", "most of one transfer, such as 1000.00, or none")
    .option("--daily <amount>", "most of a business day, or none")
    .option("--daily-count <n>", "most transfers of a business day, or none")
    .option("--minimum-balance <amount>", "what stays available")
    .action(async (accountNo: string, flags: LimitFlags) => (await actions()).setLimits(accountNo, flags));
  changes("allow", "let a partner debit an account")
    .argument("<partner id>")
    .action(async (accountNo: string, partnerId: string, flags: ChangeFlags) =>
      (await actions()).allow(accountNo, partnerId, flags),
    );
  changes("disallow", "let a partner debit an account no more")
    .argument("<partner id>")
    .action(async (accountNo: string, partnerId: string, flags: ChangeFlags) =>
      (await actions()).disallow(accountNo, partnerId, flags),
    );
}

/** Commands that move money, by operators' acts. */
function addMoney(account: Command): void {
  withAmount(
    account.command("fund").description("put money on a customer account, debited from the currency's funding account"),
  ).action(async (accountNo: string, amount: string, flags: AmountFlags) =>
    (await actions()).fund(accountNo, amount, flags),
  );
  withAmount(
    account
      .command("withdraw")
      .description("take money off a customer account, back to the currency's funding account"),
  ).action(async (accountNo: string, amount: string, flags: AmountFlags) =>
    (await actions()).withdraw(accountNo, amount, flags),
  );
  withReference(account.command("correct").description("debit and credit accounts by one journal, which balances"))
    .option("--debit <account=amount>", "account to debit; repeatable", collect)
    .option("--credit <account=amount>", "account to credit, such as 1001000005=5000.00; repeatable", collect)
    .option("--currency <code>", "ISO 4217", "IDR")
    .option("--json", "as JSON")
    .addHelpText("after", correctHelp)
    .action(async (flags: CorrectFlags) => (await actions()).correct(flags));
}

function withAmount(command: Command): Command {
  return withReference(
    command.argument("<account no>").argument("<amount>", "such as 1000.00, in the currency of the account"),
  )
    .option("--currency <code>", "reject the command unless the account is in this currency")
    .option("--json", "as JSON");
}

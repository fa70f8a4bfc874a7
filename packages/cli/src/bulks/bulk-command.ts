/** `titian bulk`: pays a CSV file in bulk transfers (20); lists and shows those that were accepted. */
import { type Command, Option } from "commander";
import type { End } from "../cli-error.ts";
import { limitHelp, pageSizeDefault, shortPageDefault } from "../options/page-size.ts";
import type { ListFlags, ShowFlags } from "./bulk-actions.ts";
import type { SendFlags } from "./send-actions.ts";

/** Loaded when one runs: help needs only the options. */
const queries = () => import("./bulk-actions.ts");

const examples = `
Examples:
  titian bulk send payroll-2026-11.csv --source 1001000001 --dry-run
  titian bulk send payroll-2026-11.csv --source 1001000001 --results results.csv --retry payroll-2026-11-R2.csv
  titian bulk send payroll-2026-11-R2.csv --source 1001000001
  titian bulk list --open
  titian bulk show 01JD7K9N2P3Q4R5S6T7V8W9X0Y --state rejected
  titian bulk show BULK-2026-11 --partner SHOP01`;

const sendHelp = `
FILE is CSV in UTF-8 with comma, semicolon or tab. Its first line names the columns, in any order:
  bankCode, beneficiaryAccountNo, beneficiaryAccountName, amount (1500000.00) and, where wanted, currency (IDR) and
  partnerReferenceNo. Other columns are ignored. Every faulty line is shown before anything is sent.

A list is paid once: numbers and external ids follow from its name and the order of its lines. After a crash, Ctrl-C or an
error, the same command continues; what was accepted is followed, not paid again. A changed list under a used name is
rejected: give another list, or one to be paid again, another --name.

Exit codes: 0 all settled, or with --no-wait all accepted · 1 rejected: nothing accepted, or not confirmed · 2 invalid command line or
file, nothing sent · 3 open or unknown: run the same command again · 4 all have their results, some rejected or returned.`;

export function addBulk(program: Command, end: End): void {
  const bulk = program
    .command("bulk")
    .description("pay a list of payments to other banks in bulk transfers, list and show bulks")
    .addHelpText("after", examples);
  bulk
    .command("send")
    .summary("pay a CSV file of payments, and follow it to the result of each")
    .description(
      "Pays a CSV file of payments as a partner of sandbox.json, in bulk transfers (20) of up to 10,000 payments, and follows them until each payment is settled, rejected or returned.",
    )
    .argument("<file>", "CSV file of payments")
    .requiredOption("--source <account>", "the account that pays")
    .option("--name <name>", "name of the list: letters, digits, - _ . (default: the file's name)")
    .option("--partner <id>", "the calling partner (default: the first one of the file)")
    .option("--sandbox-file <path>", "default: sandbox.json in TITIAN_DATA_DIR (.titian)")
    .addOption(new Option("--fee-type <type>", "who pays the fee of each payment").choices(["OUR", "BEN", "SHA"]))
    .option("--remark <text>", "remark of the bulks, up to 50 characters")
    .option("--bulk-size <n>", "payments of a bulk; keep it the same for a list", "10000")
    .option("--results <file>", "write each line with its result, as CSV")
    .option("--retry <file>", "write the rejected and returned payments under new numbers, as CSV to be sent")
    .option("--retry-for <duration>", "how long a call without a usable response is repeated: 90s, 10m, 1h", "10m")
    .option("--no-wait", "return when all bulks are accepted")
    .option("--dry-run", "send nothing; show the bulks")
    .option("--json", "the outcome as JSON")
    .option("--yes", "skip confirmation")
    .addHelpText("after", sendHelp)
    .addHelpText("after", examples)
    .action(async (file: string, flags: SendFlags) => {
      const { send } = await import("./send-actions.ts");
      end(await send(file, flags));
    });
  bulk
    .command("list")
    .description("list bulk transfers, newest first")
    .option("--open", "only those with items that have no result yet")
    .option("--partner <id>", "only this partner's")
    .option("--limit <n>", limitHelp, pageSizeDefault)
    .option("--after <number>", "start after this bulk")
    .option("--json", "as JSON")
    .addHelpText("after", examples)
    .action(async (flags: ListFlags) => (await queries()).list(flags));
  bulk
    .command("show")
    .description("show a bulk transfer: sums, items by state, and the items that an operator may want to look at")
    .argument("<number>", "its bulkId, or the referenceNo of an item")
    .option("--partner <id>", "find it by this partner's partnerBulkId, X-EXTERNAL-ID or number of an item")
    .addOption(
      new Option("--state <state>", "items to show; unsettled: neither settled nor waiting for their turn")
        .choices(["unsettled", "all", "open", "queued", "submitted", "pending", "settled", "rejected", "returned"])
        .default("unsettled"),
    )
    .option("--items <n>", limitHelp.replace("rows", "items"), shortPageDefault)
    .option("--after <position>", "start after the item at this position")
    .option("--json", "as JSON")
    .addHelpText("after", examples)
    .action(async (number: string, flags: ShowFlags) => (await queries()).show(number, flags));
}

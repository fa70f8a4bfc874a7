/** `titian payment-request`: lists and shows requests for payment (19), approves or declines one for the payer. */
import type { Command } from "commander";
import type { End } from "../cli-error.ts";
import { limitHelp, pageSizeDefault } from "../options/page-size.ts";
import type { ApproveFlags, DeclineFlags } from "./answer-actions.ts";
import type { ListFlags, PayersFlags } from "./payment-request-actions.ts";

/** Loaded when one runs: help needs only the options. */
const queries = () => import("./payment-request-actions.ts");
const answers = () => import("./answer-actions.ts");

const examples = `
Examples:
  titian payment-request list --account 812345678901
  titian payment-request payers
  titian payment-request show 01JD7KCF4G5H6J7K8M9N0P1Q2R
  titian payment-request approve 01JD7KCF4G5H6J7K8M9N0P1Q2R
  titian payment-request approve 01JD7KCF4G5H6J7K8M9N0P1Q2R --amount 10000.00
  titian payment-request decline 01JD7KCF4G5H6J7K8M9N0P1Q2R`;

const answerHelp = `
With the payer's instruction only: the answer is recorded as an operator's and is final. Repeating it changes nothing.
An approval pays at once to an account of this bank. To another bank it debits the payer, and a running node submits the
transfer to the interbank rail. A rejected approval, say for lack of funds, leaves the request waiting. Fees, limits and
banks are those of this command's environment: set TITIAN_RAILS_FILE, TITIAN_BANKS_FILE and TITIAN_BANK_CODE as for the
service.

Exit codes: 0 recorded, now or before · 1 not possible, not confirmed, or unknown (repeat it) · 2 invalid command line.`;

export function addPaymentRequest(program: Command, end: End): void {
  const request = program
    .command("payment-request")
    .description("list and show requests for payment, approve or decline one for the payer")
    .addHelpText("after", examples);
  request
    .command("list")
    .description("list the requests that wait for the payer's answer, newest first")
    .requiredOption("--account <number>", "the payer's account")
    .option("--all", "also those that are approved, declined or expired")
    .option("--limit <n>", limitHelp, pageSizeDefault)
    .option("--after <number>", "start after this request")
    .option("--json", "as JSON")
    .addHelpText("after", examples)
    .action(async (flags: ListFlags) => (await queries()).list(flags));
  request
    .command("payers")
    .description("list the payers with the most open requests, and the partners that these are from")
    .option("--limit <n>", limitHelp, pageSizeDefault)
    .option("--json", "as JSON")
    .addHelpText("after", examples)
    .action(async (flags: PayersFlags) => (await queries()).payers(flags));
  request
    .command("show")
    .description("show a request: state, amounts, parties, postings")
    .argument("<number>", "its referenceNo, or that of its approval")
    .addHelpText("after", examples)
    .action(async (number: string) => (await queries()).show(number));
  request
    .command("approve")
    .description("approve a request for the payer: pays it")
    .argument("<number>", "its referenceNo")
    .option("--amount <amount>", "what the payer pays; only where the request leaves it open")
    .option("--yes", "skip confirmation")
    .addHelpText("after", answerHelp)
    .action(async (number: string, flags: ApproveFlags) => end(await (await answers()).approve(number, flags)));
  request
    .command("decline")
    .description("decline a request for the payer")
    .argument("<number>", "its referenceNo")
    .option("--yes", "skip confirmation")
    .addHelpText("after", answerHelp)
    .action(async (number: string, flags: DeclineFlags) => end(await (await answers()).decline(number, flags)));
}

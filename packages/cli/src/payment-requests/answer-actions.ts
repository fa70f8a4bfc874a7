/** What `titian payment-request approve` and `decline` run. */
import {
  type AnswerResult,
  approvePaymentRequest,
  type Core,
  declinePaymentRequest,
  type Minor,
  type PaymentRequestDetails,
  quoteApproval,
} from "@titian/server/admin";
import { CliError, type ExitCode, exitCodes } from "../cli-error.ts";
import { confirm } from "../confirm.ts";
import { print } from "../output.ts";
import { readAmount } from "../tables/amounts.ts";
import { formatPostings } from "../tables/postings.ts";
import { withCore } from "../with-core.ts";
import { type Answer, confirmationOf, describeRejection, whyAnswerImpossible } from "./answer-texts.ts";
import { findRequest } from "./payment-request-actions.ts";
import { formatPaymentRequest } from "./payment-request-tables.ts";

export interface DeclineFlags {
  readonly yes?: true;
}

export interface ApproveFlags extends DeclineFlags {
  readonly amount?: string;
}

export function approve(number: string, flags: ApproveFlags): Promise<ExitCode> {
  return withCore((core) => answer(core, number, "approved", flags));
}

export function decline(number: string, flags: DeclineFlags): Promise<ExitCode> {
  return withCore((core) => answer(core, number, "declined", flags));
}

async function answer(core: Core, number: string, wanted: Answer, flags: ApproveFlags): Promise<ExitCode> {
  const before = await findRequest(core, number);
  const { referenceNo, currency } = before;
  const amount = flags.amount === undefined ? undefined : readAmount("--amount", flags.amount, currency);
  print(formatPaymentRequest(before));
  print();
  if (isAnswered(before, wanted, amount)) {
    print(`It is ${wanted} already: nothing was recorded.`);
    return exitCodes.done;
  }
  const reason = whyAnswerImpossible(before, wanted, amount);
  if (reason) throw reason;
  const paid = wanted === "approved" ? (before.requestedAmount ?? amount) : undefined;
  const quote = paid === undefined ? undefined : quoteApproval(core, before, paid);
  if (!flags.yes && !(await confirm(confirmationOf(before, paid, quote)))) {
    throw new CliError("Nothing was recorded. Answer yes, or give --yes, to record it.");
  }
  if (!(await core.clockCheck.agrees())) {
    throw new CliError("The clocks of this machine and the database differ by more than 5 s: correct them first.");
  }
  check(await record(core, referenceNo, wanted, amount), referenceNo);
  showRecorded(await findRequest(core, referenceNo), wanted);
  return exitCodes.done;
}

function record({ engine, clock, pool: reads }: Core, referenceNo: string, wanted: Answer, amount: Minor | undefined) {
  // Without a rail: a node of the service submits the transfer.
  const deps = { engine, clock, reads };
  return wanted === "approved"
    ? approvePaymentRequest(deps, referenceNo, { amount, by: "operator" })
    : declinePaymentRequest(deps, referenceNo, "operator");
}

/** An approval of another amount is another answer. */
function isAnswered({ state, approvedAmount }: PaymentRequestDetails, wanted: Answer, amount: Minor | undefined) {
  return state === wanted && (amount === undefined || amount === approvedAmount);
}

function check(result: AnswerResult, referenceNo: string): void {
  if (result.kind === "recorded") return;
  if (result.kind === "rejected" && result.rejection.kind !== "wrongState") {
    throw new CliError(describeRejection(result.rejection));
  }
  throw new CliError(`It was answered, or expired, in the meantime: titian payment-request show ${referenceNo}`);
}

function showRecorded({ referenceNo, currency, postings, transfer }: PaymentRequestDetails, wanted: Answer): void {
  print(`Recorded: it is ${wanted}.${postings.length === 0 ? "" : " Postings:\n"}`);
  if (postings.length > 0) print(formatPostings(postings, currency));
  if (transfer) print(`\nA running node submits it to the rail in about 10 s: titian transfer show ${referenceNo}`);
}

/**
 * Actions of `titian payment-request approve` and `decline`. They run in this process: their answer is an operator's, that of
 * a sandbox's call the payer's own.
 */
import { quoteApproval } from "@titian/server/admin";
import type { PaymentRequestDetailsView } from "@titian/sandbox/types";
import { CliError, type ExitCode, exitCodes } from "../cli-error.ts";
import { confirm } from "../confirm.ts";
import { CallRejected } from "../control/call-row.ts";
import { callsInProcess } from "../control/with-calls.ts";
import { print } from "../output.ts";
import { readAmount, showAmount } from "../tables/amounts.ts";
import { formatPostings } from "../tables/postings.ts";
import { withCore } from "../with-core.ts";
import { type Answer, confirmationOf, whyAnswerImpossible } from "./answer-texts.ts";
import { formatPaymentRequest } from "./payment-request-tables.ts";

export interface DeclineFlags {
  readonly yes?: true;
}

export interface ApproveFlags extends DeclineFlags {
  readonly amount?: string;
}

export function approve(number: string, flags: ApproveFlags): Promise<ExitCode> {
  return answer(number, "approved", flags);
}

export function decline(number: string, flags: DeclineFlags): Promise<ExitCode> {
  return answer(number, "declined", flags);
}

function answer(number: string, wanted: Answer, flags: ApproveFlags): Promise<ExitCode> {
  return withCore(async (core) => {
    const call = await callsInProcess(core);
    const find = (referenceNo: string) => call("GET /payment-requests/{referenceNo}", { params: { referenceNo } });
    const before = await find(number);
    const { referenceNo, currency } = before;
    const given = flags.amount === undefined ? undefined : readAmount("--amount", flags.amount, currency);
    const amount = given === undefined ? undefined : showAmount(given, currency);
    print(formatPaymentRequest(before));
    print();
    if (isAnswered(before, wanted, amount)) {
      print(`It is ${wanted} already: nothing was recorded.`);
      return exitCodes.done;
    }
    const reason = whyAnswerImpossible(before, wanted, amount);
    if (reason) throw reason;
    const paid = wanted === "approved" ? (before.requestedAmount ?? amount) : undefined;
    const quote = paid === undefined ? undefined : quoteApproval(core, before, readAmount("--amount", paid, currency));
    if (!flags.yes && !(await confirm(confirmationOf(before, paid, quote)))) {
      throw new CliError("Nothing was recorded. Answer yes, or give --yes, to record it.");
    }
    const which = { params: { referenceNo } };
    const answered =
      wanted === "approved"
        ? call("POST /payment-requests/{referenceNo}/approve", { ...which, body: { amount } })
        : call("POST /payment-requests/{referenceNo}/decline", which);
    await answered.catch((error: unknown) => {
      if (!(error instanceof CallRejected) || error.code !== "wrongState") throw error;
      throw new CliError(`It was answered, or expired, in the meantime: titian payment-request show ${referenceNo}`);
    });
    showRecorded(await find(referenceNo), wanted);
    return exitCodes.done;
  });
}

/** An approval of another amount is another answer. */
function isAnswered({ state, approvedAmount }: PaymentRequestDetailsView, wanted: Answer, amount: string | undefined) {
  return state === wanted && (amount === undefined || amount === approvedAmount);
}

function showRecorded({ referenceNo, postings, transfer }: PaymentRequestDetailsView, wanted: Answer): void {
  print(`Recorded: it is ${wanted}.${postings.length === 0 ? "" : " Postings:\n"}`);
  if (postings.length > 0) print(formatPostings(postings));
  if (transfer) print(`\nA running node submits it to the rail in about 10 s: titian transfer show ${referenceNo}`);
}

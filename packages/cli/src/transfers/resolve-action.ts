/** The action of `titian transfer resolve`. */
import { CliError, type ExitCode, exitCodes } from "../cli-error.ts";
import { confirm } from "../confirm.ts";
import { CallRejected, type CallRow } from "../control/call-row.ts";
import { withCalls } from "../control/with-calls.ts";
import type { ActFlags } from "../options/act-options.ts";
import { print } from "../output.ts";
import { formatPostings } from "../tables/postings.ts";
import { type Decision, confirmationOf, whyImpossible } from "./transfer-decision.ts";
import { formatTransfer } from "./transfer-tables.ts";

export interface ResolveFlags extends ActFlags {
  readonly yes?: true;
  readonly withoutInquiry?: true;
}

export function resolve(number: string, decision: Decision, flags: ResolveFlags): Promise<ExitCode> {
  return withCalls((call) => resolveBy(call, number, decision, flags));
}

async function resolveBy(call: CallRow, number: string, decision: Decision, flags: ResolveFlags): Promise<ExitCode> {
  const before = await call("GET /transfers/{referenceNo}", { params: { referenceNo: number } });
  const { referenceNo } = before;
  print(formatTransfer(before));
  print();
  if (before.state === decision) {
    print(`It is ${decision} already: nothing was recorded.`);
    return exitCodes.done;
  }
  const reason = whyImpossible(before, decision);
  if (reason !== undefined) throw new CliError(reason);
  if (!flags.yes && !(await confirm(confirmationOf(before, decision)))) {
    throw new CliError("Nothing was recorded. Answer yes, or give --yes, to record it.");
  }
  const params = { referenceNo };
  await record(call, referenceNo, decision, flags).catch(async (error: unknown) => {
    if (!(error instanceof CallRejected) || error.code !== "wrongState") throw error;
    const { state } = await call("GET /transfers/{referenceNo}", { params });
    throw new CliError(whyNotRecorded(referenceNo, state));
  });
  const after = await call("GET /transfers/{referenceNo}", { params });
  const journal = decision === "returned" ? after.return : after.resolution;
  print(`Recorded: it is ${decision}. Postings:\n`);
  print(formatPostings(after.postings.filter((posting) => posting.referenceNo === journal?.referenceNo)));
  return exitCodes.done;
}

async function record(call: CallRow, referenceNo: string, decision: Decision, flags: ResolveFlags): Promise<void> {
  const params = { referenceNo };
  const { reason, ticket } = flags;
  if (decision === "returned")
    return void (await call("POST /transfers/{referenceNo}/return", { params, body: { reason, ticket } }));
  const result = decision === "rejected" ? "refused" : decision;
  const body = { result, withoutInquiry: flags.withoutInquiry === true, reason, ticket } as const;
  await call("POST /transfers/{referenceNo}/resolve", { params, body });
}

/** By the state that it is in. */
function whyNotRecorded(referenceNo: string, state: string): string {
  const show = `titian transfer show ${referenceNo}`;
  if (state === "submitted") return `Nothing was recorded: it was submitted meanwhile. See: ${show}`;
  if (state === "pending") return `Nothing was recorded: its rail has it. Ask the rail's operator: ${show}`;
  return state === "queued"
    ? `Not recorded yet: its rail has not said within 15 s that it has neither its number nor its key. It is rejected as soon as the rail says so. If the rail's operator has said so: titian transfer resolve ${referenceNo} rejected --without-inquiry`
    : `It was resolved otherwise in the meantime: ${show}`;
}

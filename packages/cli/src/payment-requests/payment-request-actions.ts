/** What `titian payment-request list` and `show` run. */
import {
  type Core,
  findPaymentRequest,
  fromReferenceNo,
  listOpenRequestCounts,
  listPaymentRequests,
  type PaymentRequestDetails,
} from "@titian/server/admin";
import { CliError, usageError } from "../cli-error.ts";
import { formatJson, note, print } from "../output.ts";
import { pageSizeOf } from "../options/page-size.ts";
import { withCore } from "../with-core.ts";
import {
  formatPayers,
  formatPaymentRequest,
  formatPaymentRequests,
  toPlainCount,
  toPlainRequest,
} from "./payment-request-tables.ts";

export interface ListFlags {
  readonly account: string;
  readonly all?: true;
  readonly limit: string;
  readonly after?: string;
  readonly json?: true;
}

export async function list({ account, all, limit, after, json }: ListFlags): Promise<void> {
  const before = after === undefined ? undefined : readAfter(after);
  const page = { isWaiting: all !== true, before, limit: pageSizeOf(limit) };
  const found = await withCore((core) => listPaymentRequests(core, account, page));
  if (found === undefined) throw new CliError(`There is no account ${account}: titian account list`);
  const { paymentRequests, next } = found;
  if (json) return print(formatJson({ paymentRequests: paymentRequests.map(toPlainRequest), next: next ?? null }));
  print(formatPaymentRequests(paymentRequests));
  if (next === undefined) return;
  note(`\nMore: titian payment-request list --account ${account}${all ? " --all" : ""} --after ${next}`);
}

export type PayersFlags = Pick<ListFlags, "limit" | "json">;

export async function payers({ limit, json }: PayersFlags): Promise<void> {
  const counts = await withCore((core) => listOpenRequestCounts(core, pageSizeOf(limit)));
  print(json ? formatJson({ payers: counts.map(toPlainCount) }) : formatPayers(counts));
}

export async function show(number: string): Promise<void> {
  print(await withCore(async (core) => formatPaymentRequest(await findRequest(core, number))));
}

/** @throws CliError when there is none of this number. */
export async function findRequest(core: Core, number: string): Promise<PaymentRequestDetails> {
  const found = await findPaymentRequest(core, number);
  if (found) return found;
  throw new CliError(
    `No payment request has the number ${number}. By a partner's own number: titian transfer show ${number} --partner <id>`,
  );
}

function readAfter(text: string): string {
  if (fromReferenceNo(text) !== undefined) return text;
  throw usageError(`--after ${text} is not the number of a payment request.`);
}

/** Actions of `titian payment-request list`, `payers` and `show`. */
import { withCalls } from "../control/with-calls.ts";
import { readNumber } from "../options/number.ts";
import { pageSizeOf } from "../options/page-size.ts";
import { note, print } from "../output.ts";
import { formatList } from "../tables/totals.ts";
import { formatPayers, formatPaymentRequest, formatPaymentRequests } from "./payment-request-tables.ts";

export interface ListFlags {
  readonly account: string;
  readonly all?: true;
  readonly limit: string;
  readonly after?: string;
  readonly json?: true;
}

export async function list({ account, all, limit, after, json }: ListFlags): Promise<void> {
  const query = {
    payerAccountNo: account,
    waiting: all ? undefined : ("true" as const),
    before: readNumber("--after", after, "the number of a payment request"),
    limit: pageSizeOf(limit),
  };
  const answer = await withCalls((call) => call("GET /payment-requests", { query }));
  if (json) return print(formatList(answer, answer.paymentRequests, ["amount"]));
  print(formatPaymentRequests(answer.paymentRequests));
  if (answer.next === null) return;
  note(`\nMore: titian payment-request list --account ${account}${all ? " --all" : ""} --after ${answer.next}`);
}

export type PayersFlags = Pick<ListFlags, "limit" | "json">;

export async function payers({ limit, json }: PayersFlags): Promise<void> {
  const query = { limit: pageSizeOf(limit) };
  const answer = await withCalls((call) => call("GET /payment-requests/payers", { query }));
  print(json ? formatList(answer, answer.payers) : formatPayers(answer.payers));
}

export async function show(referenceNo: string): Promise<void> {
  const given = { params: { referenceNo } };
  print(formatPaymentRequest(await withCalls((call) => call("GET /payment-requests/{referenceNo}", given))));
}

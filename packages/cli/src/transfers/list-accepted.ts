/** `titian transfer list` of all transfers, where it is asked by what they are: pending ones are listed by `transfer-actions.ts`. */
import type { TransferState } from "@titian/server/admin";
import { withCalls } from "../control/with-calls.ts";
import { readNumber } from "../options/number.ts";
import { pageSizeOf } from "../options/page-size.ts";
import { note, print } from "../output.ts";
import { amountColumn, formatTable } from "../tables/table.ts";
import { formatList } from "../tables/totals.ts";

export interface AcceptedFlags {
  readonly partner?: string;
  readonly from?: string;
  readonly to?: string;
  readonly state?: string;
  readonly limit: string;
  readonly after?: string;
  readonly json?: true;
}

const columns = {
  referenceNo: "transfer",
  serviceCode: "service",
  partnerId: "partner",
  payerAccountNo: "payer",
  beneficiaryBankCode: "bank",
  beneficiaryAccountNo: "beneficiary",
  amount: amountColumn("sent amount"),
  currency: "currency",
  state: "state",
  acceptedAt: "accepted",
};

export const isOfAccepted = ({ partner, from, to, state }: AcceptedFlags): boolean =>
  [partner, from, to, state].some((one) => one !== undefined);

/** Newest first. */
export async function listAccepted({ partner, from, to, state, limit, after, json }: AcceptedFlags): Promise<void> {
  const query = {
    partnerId: partner,
    from,
    to,
    // The command knows the states that there are.
    state: state as TransferState,
    before: readNumber("--after", after, "the number of a transfer"),
    limit: pageSizeOf(limit),
  };
  const answer = await withCalls((call) => call("GET /transfers", { query }));
  if (json) return print(formatList(answer, answer.transfers, ["amount", "fee"]));
  print(formatTable(columns, answer.transfers));
  if (answer.detached.length > 0) note(`\nWithout those in detached partitions: ${answer.detached.join(", ")}`);
  if (answer.next === null) return;
  const options = Object.entries({ partner, from, to, state }).flatMap(([name, value]) =>
    value === undefined ? [] : [` --${name} ${value}`],
  );
  note(`\nMore: titian transfer list${options.join("")} --after ${answer.next}`);
}

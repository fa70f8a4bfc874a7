/** Actions of `titian transfer list` and `show`. */
import { overdueMs } from "@titian/server/admin";
import { CliError } from "../cli-error.ts";
import type { CallRow } from "../control/call-row.ts";
import { findRequests, formatRejections } from "../control/requests-of-partner.ts";
import { withCalls } from "../control/with-calls.ts";
import { readDuration } from "../options/duration.ts";
import { readNumber } from "../options/number.ts";
import { pageSizeOf } from "../options/page-size.ts";
import { note, print } from "../output.ts";
import { formatPaymentRequest } from "../payment-requests/payment-request-tables.ts";
import { formatPostings } from "../tables/postings.ts";
import { formatList } from "../tables/totals.ts";
import { type AcceptedFlags, isOfAccepted, listAccepted } from "./list-accepted.ts";
import { formatTransfer, formatTransfers } from "./transfer-tables.ts";

export interface ListFlags extends AcceptedFlags {
  readonly overdue?: true;
  readonly olderThan?: string;
  readonly items?: true;
  readonly limit: string;
  readonly after?: string;
  readonly json?: true;
}

export interface ShowFlags {
  readonly partner?: string;
}

export async function list(flags: ListFlags): Promise<void> {
  if (isOfAccepted(flags)) return listAccepted(flags);
  const { overdue, olderThan, items } = flags;
  const seconds = olderThan === undefined ? undefined : readDuration("--older-than", olderThan);
  const query = {
    after: readNumber("--after", flags.after, "the number of a transfer"),
    limit: pageSizeOf(flags.limit),
    olderThanSeconds: (overdue ? overdueMs / 1_000 : seconds)?.toString(),
    items: items && ("true" as const),
  };
  const answer = await withCalls((call) => call("GET /transfers/open", { query }));
  const { transfers, next, inBulks } = answer;
  if (flags.json) return print(formatList(answer, transfers, ["amount", "fee"]));
  print(formatTransfers(transfers));
  if (inBulks && inBulks.bulks > 0) {
    note(
      `\nOpen items of bulk transfers: ${inBulks.items}, listed here once they are pending for long. titian bulk list --open, or --items`,
    );
  }
  if (next === null) return;
  const option = overdue ? " --overdue" : olderThan === undefined ? "" : ` --older-than ${olderThan}`;
  note(`\nMore: titian transfer list${option}${items ? " --items" : ""} --after ${next}`);
}

export async function show(number: string, { partner }: ShowFlags): Promise<void> {
  print(
    await withCalls(async (call) =>
      partner === undefined
        ? formatTransfer(await call("GET /transfers/{referenceNo}", { params: { referenceNo: number } }))
        : formatOfPartner(call, partner, number),
    ),
  );
}

async function formatOfPartner(call: CallRow, partnerId: string, number: string): Promise<string> {
  const { requests, rejections } = await findRequests(call, partnerId, number);
  const [request] = requests;
  if (requests.length > 1) {
    const rows = requests.map(
      ({ referenceNo, serviceCode, acceptedAt }) =>
        `\n  ${referenceNo}  service ${serviceCode}, accepted ${acceptedAt}`,
    );
    throw new CliError(
      `${partnerId} has several transfers with the number ${number}. Show one by its referenceNo:${rows.join("")}`,
    );
  }
  if (request === undefined && rejections.length > 0) return formatRejections(number, rejections);
  if (request === undefined) {
    throw new CliError(
      `No transfer of ${partnerId} has the partnerReferenceNo or the X-EXTERNAL-ID ${number}: it was never received, or rejected before processing (a signature, a token, an invalid field).`,
    );
  }
  const { kind, referenceNo, acceptedAt } = request;
  const params = { referenceNo };
  switch (kind) {
    case "transfer":
      return formatTransfer(await call("GET /transfers/{referenceNo}", { params }));
    case "paymentRequest":
      return formatPaymentRequest(await call("GET /payment-requests/{referenceNo}", { params }));
    case "intrabank": {
      const { events } = await call("GET /timeline/{referenceNo}", { params });
      const postings = formatPostings(events.flatMap((event) => event.postings));
      return `Transfer ${referenceNo}, intrabank: settled ${acceptedAt}, within the call.\n\n${postings}`;
    }
    case "bulk":
      throw new CliError(
        `${number} is a bulk transfer (20), whose items are transfers: titian bulk show ${referenceNo}`,
      );
  }
}

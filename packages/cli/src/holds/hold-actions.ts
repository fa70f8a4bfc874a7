/** Actions of `titian hold`. */
import { usageError } from "../cli-error.ts";
import { withCalls } from "../control/with-calls.ts";
import { readNumber } from "../options/number.ts";
import { pageSizeOf } from "../options/page-size.ts";
import { note, print } from "../output.ts";
import { formatList } from "../tables/totals.ts";
import { formatHold, formatHoldEvents, formatHolds } from "./hold-tables.ts";

export interface PageFlags {
  readonly limit: string;
  readonly before?: string;
}

export interface ListFlags extends PageFlags {
  readonly account?: string;
  readonly merchant?: string;
  readonly partner?: string;
  readonly json?: true;
}

export async function show(number: string, { limit, before }: PageFlags): Promise<void> {
  if (before !== undefined && !/^[1-9]\d{0,8}$/.test(before))
    throw usageError(`--before ${before} is not an event of a hold: events are numbered from 1.`);
  const params = { referenceNo: number };
  const query = { before, limit: pageSizeOf(limit) };
  const [hold, { events, next, detached }] = await withCalls(async (call) => [
    await call("GET /holds/{referenceNo}", { params }),
    await call("GET /holds/{referenceNo}/events", { params, query }),
  ]);
  print(formatHold(hold));
  if (detached !== undefined) {
    return note(
      `\nIts ${hold.events} events are in the partition ${detached}, which is detached. Attach it: titian database attach ${detached}`,
    );
  }
  if (hold.events > 0) print(`\n${formatHoldEvents(events)}`);
  if (next !== null) note(`\nMore: titian hold show ${number} --before ${next}`);
}

export async function list({ account, merchant, partner, limit, before, json }: ListFlags): Promise<void> {
  const page = { before: readNumber("--before", before, "the number of a hold"), limit: pageSizeOf(limit) };
  const isOfAccount = account !== undefined && merchant === undefined && partner === undefined;
  if (!isOfAccount && (account !== undefined || merchant === undefined || partner === undefined)) {
    throw usageError("Give --account <number>, or --merchant <id> with --partner <id>.");
  }
  const query = { ...page, accountNo: account, partnerId: partner, merchantId: merchant };
  const answer = await withCalls((call) => call("GET /holds", { query }));
  const { holds, next } = answer;
  if (json) return print(formatList(answer, holds, ["held", "captured", "voided", "expired", "remaining", "refunded"]));
  print(formatHolds(holds));
  const whose = isOfAccount ? `--account ${account}` : `--merchant ${merchant} --partner ${partner}`;
  if (next !== null) note(`\nMore: titian hold list ${whose} --before ${next}`);
}

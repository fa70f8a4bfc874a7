/** Actions of `titian bulk list` and `titian bulk show`. */
import { operations } from "@titian/contract";
import { CliError, usageError } from "../cli-error.ts";
import type { BulkItemFilter } from "@titian/sandbox/types";
import type { Answer, CallRow } from "../control/call-row.ts";
import { findRequests, formatRejections } from "../control/requests-of-partner.ts";
import { withCalls } from "../control/with-calls.ts";
import { readNumber } from "../options/number.ts";
import { pageSizeOf } from "../options/page-size.ts";
import { formatJson, note, print } from "../output.ts";
import { formatList } from "../tables/totals.ts";
import { formatBulk, formatBulks, formatItems } from "./bulk-tables.ts";

export interface ListFlags {
  readonly open?: true;
  readonly partner?: string;
  readonly limit: string;
  readonly after?: string;
  readonly json?: true;
}

export interface ShowFlags {
  readonly partner?: string;
  readonly state: BulkItemFilter;
  readonly items: string;
  readonly after?: string;
  readonly json?: true;
}

export async function list({ open, partner, limit, after, json }: ListFlags): Promise<void> {
  const query = {
    partnerId: partner,
    open: open && ("true" as const),
    before: readNumber("--after", after, "the number of a bulk transfer"),
    limit: pageSizeOf(limit),
  };
  const answer = await withCalls((call) => call("GET /bulks", { query }));
  if (json) return print(formatList(answer, answer.bulks, ["amount", "fee"]));
  print(formatBulks(answer.bulks));
  if (answer.next === null) return;
  const options = `${open ? " --open" : ""}${partner === undefined ? "" : ` --partner ${partner}`}`;
  note(`\nMore: titian bulk list${options} --after ${answer.next}`);
}

const positionMax = 9_999;

export async function show(number: string, { partner, state, items: rows, after, json }: ShowFlags): Promise<void> {
  if (after !== undefined && !/^\d{1,4}$/.test(after))
    throw usageError(`--after ${after} is not a position from 0 to ${positionMax}.`);
  const query = { state, after, limit: pageSizeOf(rows, "--items") };
  const shown = await withCalls(async (call) => {
    const found = partner === undefined ? number : await findOfPartner(call, partner, number);
    if (typeof found !== "string") return formatRejections(number, found);
    const bulk = await call("GET /bulks/{bulkId}", { params: { bulkId: found } });
    const { bulkId } = bulk;
    return { bulk, ...(await call("GET /bulks/{bulkId}/items", { params: { bulkId }, query })) };
  });
  if (typeof shown === "string") return print(shown);
  const { bulk, items, next } = shown;
  if (json) return print(formatJson({ ...bulk, items, next }));
  print(formatBulk(bulk));
  if (items.length > 0) print(`\n${formatItems(items)}`);
  if (next === null) return;
  note(`\nMore: titian bulk show ${bulk.bulkId} --state ${state} --items ${rows} --after ${next}`);
}

type Rejections = Answer<"GET /partners/{partnerId}/requests/{number}">["rejections"];

/** Its bulkId, or why it was rejected. */
async function findOfPartner(call: CallRow, partnerId: string, number: string): Promise<string | Rejections> {
  const found = await findRequests(call, partnerId, number);
  const bulkIds = [...new Set(found.requests.flatMap(({ bulkId = [] }) => bulkId))];
  const [bulkId] = bulkIds;
  if (bulkIds.length > 1) {
    throw new CliError(
      `${partnerId} has several bulk transfers with the number ${number}. Show one by its bulkId:\n  ${bulkIds.join("\n  ")}`,
    );
  }
  if (bulkId !== undefined) return bulkId;
  const rejections = found.rejections.filter(
    ({ serviceCode }) => serviceCode === operations.interbankBulkTransfer.code,
  );
  if (rejections.length > 0) return rejections;
  throw new CliError(
    `No bulk transfer of ${partnerId} has the partnerBulkId, the X-EXTERNAL-ID or an item with the number ${number}: it was never received, or rejected before processing (a signature, a token, an invalid field).`,
  );
}

/** What `titian bulk list` and `titian bulk show` run. */
import {
  type BulkDetails,
  type BulkItemFilter,
  type Core,
  findBulk,
  findBulkOfPartner,
  fromReferenceNo,
  listBulkItems,
  listBulks,
} from "@titian/server/admin";
import { CliError, usageError } from "../cli-error.ts";
import { formatJson, note, print } from "../output.ts";
import { pageSizeOf } from "../options/page-size.ts";
import { formatRejections } from "../transfers/transfers-of-partner.ts";
import { withCore } from "../with-core.ts";
import { toPlainBulk, toPlainDetails, toPlainItem } from "./bulk-json.ts";
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
  const before = after === undefined ? undefined : readBulkId(after);
  const page = { partnerId: partner, isOpen: open === true, before, limit: pageSizeOf(limit) };
  const found = await withCore((core) => listBulks(core, page));
  if (found === undefined) throw new CliError(`There is no partner ${partner}: titian partner list.`);
  const { bulks, next } = found;
  if (json) return print(formatJson({ bulks: bulks.map(toPlainBulk), next: next ?? null }));
  print(formatBulks(bulks));
  if (next === undefined) return;
  const options = `${open ? " --open" : ""}${partner === undefined ? "" : ` --partner ${partner}`}`;
  note(`\nMore: titian bulk list${options} --after ${next}`);
}

export async function show(number: string, { partner, state, items: rows, after, json }: ShowFlags): Promise<void> {
  const page = {
    filter: state,
    after: after === undefined ? undefined : readPosition(after),
    limit: pageSizeOf(rows, "--items"),
  };
  const shown = await withCore(async (core) => {
    const bulk = partner === undefined ? await findByNumber(core, number) : await findOfPartner(core, partner, number);
    return typeof bulk === "string" ? bulk : { bulk, ...(await listBulkItems(core, bulk.bulkId, page)) };
  });
  if (typeof shown === "string") return print(shown);
  const { bulk, items, next } = shown;
  if (json) return print(formatJson({ ...toPlainDetails(bulk), items: items.map(toPlainItem), next: next ?? null }));
  print(formatBulk(bulk));
  if (items.length > 0) print(`\n${formatItems(items)}`);
  if (next === undefined) return;
  note(`\nMore: titian bulk show ${bulk.bulkId} --state ${state} --items ${rows} --after ${next}`);
}

async function findByNumber(core: Core, number: string): Promise<BulkDetails> {
  const found = await findBulk(core, number);
  if (found) return found;
  throw new CliError(
    `No bulk transfer has the number ${number}, nor has an item of one. By a partner's own number: titian bulk show ${number} --partner <id>`,
  );
}

/** Text: it was rejected, and why. */
async function findOfPartner(core: Core, partnerId: string, number: string): Promise<BulkDetails | string> {
  const found = await findBulkOfPartner(core, partnerId, number);
  switch (found.kind) {
    case "bulk":
      return found.bulk;
    case "several":
      throw new CliError(
        `${partnerId} has several bulk transfers with the number ${number}. Show one by its bulkId:\n  ${found.bulkIds.join("\n  ")}`,
      );
    case "rejected":
      return formatRejections(number, found.rejections);
    case "unknownNumber":
      throw new CliError(
        `No bulk transfer of ${partnerId} has the partnerBulkId, the X-EXTERNAL-ID or an item with the number ${number}: it was never received, or rejected before processing (a signature, a token, an invalid field).`,
      );
    case "unknownPartner":
      throw new CliError(`There is no partner ${partnerId}: titian partner list.`);
  }
}

function readBulkId(text: string): string {
  if (fromReferenceNo(text) !== undefined) return text;
  throw usageError(`--after ${text} is not the number of a bulk transfer.`);
}

const positionMax = 9_999;

function readPosition(text: string): number {
  const position = /^\d{1,4}$/.test(text) ? Number(text) : positionMax + 1;
  if (position <= positionMax) return position;
  throw usageError(`--after ${text} is not a position from 0 to ${positionMax}.`);
}

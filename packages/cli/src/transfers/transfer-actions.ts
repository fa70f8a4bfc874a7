/** What `titian transfer` runs. */
import {
  type Core,
  countOpenBulks,
  resolveTransfer,
  findBulk,
  findDetachedPartition,
  findTransfer,
  findTransferOfPartner,
  fromReferenceNo,
  listOpenTransfers,
  overdueMs,
  type TransferResolution,
  type TransferDetails,
} from "@titian/server/admin";
import { CliError, type ExitCode, exitCodes, usageError } from "../cli-error.ts";
import { confirm } from "../confirm.ts";
import { readDuration } from "../options/duration.ts";
import { note, print } from "../output.ts";
import { pageSizeOf } from "../options/page-size.ts";
import { programName } from "../program-name.ts";
import { withCore } from "../with-core.ts";
import { confirmationOf, whyImpossible } from "./transfer-decision.ts";
import { formatPostings } from "../tables/postings.ts";
import { formatTransfer, formatTransfers } from "./transfer-tables.ts";
import { formatTransferOfPartner, isBulkMessage } from "./transfers-of-partner.ts";

export interface ListFlags {
  readonly overdue?: true;
  readonly olderThan?: string;
  readonly items?: true;
  readonly limit: string;
  readonly after?: string;
}

export interface ShowFlags {
  readonly partner?: string;
}

export interface ResolveFlags {
  readonly yes?: true;
  readonly withoutInquiry?: true;
}

export async function list(flags: ListFlags): Promise<void> {
  const limit = pageSizeOf(flags.limit);
  const age = minimumAge(flags);
  const after = flags.after === undefined ? undefined : readAfter(flags.after);
  const withItems = flags.items === true;
  const [page, inBulks] = await withCore((core) =>
    Promise.all([
      listOpenTransfers(core, { after, olderThanMs: age?.ms, withItems, limit }),
      withItems ? undefined : countOpenBulks(core, age?.ms),
    ]),
  );
  print(formatTransfers(page));
  if (inBulks && inBulks.bulks > 0) {
    note(
      `\nOpen items of bulk transfers: ${inBulks.items}, listed here once they are pending for long. titian bulk list --open, or --items`,
    );
  }
  const last = page.at(-1);
  if (!last || page.length < limit) return;
  note(`\nMore: titian transfer list${age?.option ?? ""}${withItems ? " --items" : ""} --after ${last.referenceNo}`);
}

export async function show(number: string, { partner }: ShowFlags): Promise<void> {
  const text = await withCore(async (core) => {
    const partition = await findDetachedPartition(core, number);
    if (partition !== undefined) {
      throw new CliError(
        `The request of ${number} is in the partition ${partition}, which is detached. Attach it: ${programName()} database attach ${partition}`,
      );
    }
    return partner === undefined
      ? formatTransfer(await find(core, number))
      : formatTransferOfPartner(await findTransferOfPartner(core, partner, number), partner, number);
  });
  print(text);
}

export function resolve(number: string, decision: TransferResolution, flags: ResolveFlags): Promise<ExitCode> {
  return withCore((core) => resolveOn(core, number, decision, flags));
}

/** Undefined: any age. */
function minimumAge({ overdue, olderThan }: ListFlags): { readonly ms: number; readonly option: string } | undefined {
  if (overdue) return { ms: overdueMs, option: " --overdue" };
  if (olderThan === undefined) return undefined;
  return { ms: readDuration("--older-than", olderThan) * 1_000, option: ` --older-than ${olderThan}` };
}

async function find(core: Core, number: string): Promise<TransferDetails> {
  const found = await findTransfer(core, number);
  if (found) return found;
  const bulk = await findBulk(core, number);
  if (bulk) throw new CliError(isBulkMessage(number, bulk.bulkId));
  throw new CliError(
    `No transfer over a rail has the number ${number}. An intrabank transfer (17) is final at once: see the entries of its accounts. A payment request (19): titian payment-request show. A rejected transfer has no referenceNo.`,
  );
}

async function resolveOn(
  core: Core,
  number: string,
  decision: TransferResolution,
  { yes, withoutInquiry }: ResolveFlags,
): Promise<ExitCode> {
  const { engine, clock, clockCheck, pool, adminPool } = core;
  const before = await find(core, number);
  const { referenceNo } = before;
  print(formatTransfer(before));
  print();
  if (before.state === decision) {
    print(`It is ${decision} already: nothing was recorded.`);
    return exitCodes.done;
  }
  const reason = whyImpossible(before, decision);
  if (reason !== undefined) throw new CliError(reason);
  if (!yes && !(await confirm(confirmationOf(before, decision)))) {
    throw new CliError("Nothing was recorded. Answer yes, or give --yes, to record it.");
  }
  if (!(await clockCheck.agrees())) {
    throw new CliError("The clocks of this machine and the database differ by more than 5 s: correct them first.");
  }
  const transfer = await resolveTransfer(
    { engine, clock, reads: pool, database: adminPool, withoutInquiry: withoutInquiry === true },
    referenceNo,
    decision,
  );
  if (transfer?.state === "queued") throw new CliError(silentMessage(referenceNo));
  if (transfer?.state === "submitted") {
    throw new CliError(`Nothing was recorded: it was submitted meanwhile. See: titian transfer show ${referenceNo}`);
  }
  if (transfer?.state === "pending") {
    throw new CliError(
      `Nothing was recorded: its rail has it. Ask the rail's operator: titian transfer show ${referenceNo}`,
    );
  }
  if (transfer?.state !== decision) {
    throw new CliError(`It was resolved otherwise in the meantime: titian transfer show ${referenceNo}`);
  }
  const after = await find(core, referenceNo);
  const journal = decision === "returned" ? after.return : after.resolution;
  const postings = after.postings.filter((posting) => posting.referenceNo === journal?.referenceNo);
  print(`Recorded: it is ${decision}. Postings:\n`);
  print(formatPostings(postings, after.currency));
  return exitCodes.done;
}

function silentMessage(referenceNo: string): string {
  return `Not recorded yet: its rail has not said within 15 s that it has neither its number nor its key. It is rejected as soon as the rail says so. If the rail's operator has said so: titian transfer resolve ${referenceNo} rejected --without-inquiry`;
}

function readAfter(text: string): string {
  if (fromReferenceNo(text) !== undefined) return text;
  throw usageError(`--after ${text} is not the number of a transfer.`);
}

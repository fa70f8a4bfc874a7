/** What `titian hold` runs. */
import {
  findDetachedPartition,
  findHold,
  fromReferenceNo,
  listHoldEvents,
  listOpenHoldsOfAccount,
  listOpenHoldsOfMerchant,
  type Core,
  type OpenHolds,
} from "@titian/server/admin";
import { CliError, usageError } from "../cli-error.ts";
import { note, print } from "../output.ts";
import { pageSizeOf } from "../options/page-size.ts";
import { programName } from "../program-name.ts";
import { withCore } from "../with-core.ts";
import { formatHold, formatHoldEvents, formatHolds } from "./hold-tables.ts";

export interface PageFlags {
  readonly limit: string;
  readonly before?: string;
}

export interface ListFlags extends PageFlags {
  readonly account?: string;
  readonly merchant?: string;
  readonly partner?: string;
}

export async function show(number: string, flags: PageFlags): Promise<void> {
  await withCore((core) => showOn(core, number, flags));
}

export async function list({ account, merchant, partner, limit, before }: ListFlags): Promise<void> {
  const page = { limit: pageSizeOf(limit), before: before === undefined ? undefined : readHoldNo(before) };
  if (account !== undefined && merchant === undefined && partner === undefined) {
    const found = await withCore((core) => listOpenHoldsOfAccount(core, account, page));
    if (found === undefined) throw new CliError(`There is no account ${account}: titian account list`);
    return showPage(found, `--account ${account}`);
  }
  if (account !== undefined || merchant === undefined || partner === undefined) {
    throw usageError("Give --account <number>, or --merchant <id> with --partner <id>.");
  }
  const names = { partnerId: partner, merchantId: merchant };
  const found = await withCore((core) => listOpenHoldsOfMerchant(core, names, page));
  if (found === undefined) throw new CliError(`There is no partner ${partner}: titian partner list`);
  showPage(found, `--merchant ${merchant} --partner ${partner}`);
}

async function showOn(core: Core, number: string, flags: PageFlags): Promise<void> {
  const hold = await findHold(core, number);
  if (!hold) {
    throw new CliError(
      `No hold, and no accepted capture, void or refund, has the number ${number}. A rejected refund has a number too, and moved no money.`,
    );
  }
  print(formatHold(hold));
  if (hold.events === 0) return;
  const limit = pageSizeOf(flags.limit);
  const before = flags.before === undefined ? hold.events + 1 : readSequence(flags.before);
  const partition = await findDetachedPartition(core, hold.referenceNo, "hold_events");
  if (partition !== undefined) {
    return note(
      `\nIts ${hold.events} events are in the partition ${partition}, which is detached. Attach it: ${programName()} database attach ${partition}`,
    );
  }
  const events = await listHoldEvents(core, hold.referenceNo, { before, limit });
  print(`\n${formatHoldEvents(events, hold.currency)}`);
  const last = events.at(-1)?.sequence ?? 1;
  if (last > 1) note(`\nMore: titian hold show ${number} --before ${last}`);
}

function showPage({ holds, next }: OpenHolds, whose: string): void {
  print(formatHolds(holds));
  if (next !== undefined) note(`\nMore: titian hold list ${whose} --before ${next}`);
}

function readSequence(text: string): number {
  const sequence = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (sequence > 0) return sequence;
  throw usageError(`--before ${text} is not an event of a hold: events are numbered from 1.`);
}

function readHoldNo(text: string): string {
  if (fromReferenceNo(text) !== undefined) return text;
  throw usageError(`--before ${text} is not the number of a hold.`);
}

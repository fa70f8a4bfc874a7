/** `titian hold`: shows a hold, lists the open holds of an account or a merchant. */
import type { Command } from "commander";
import type { Core } from "../../compose/core.ts";
import { fromReferenceNo, toReferenceNo } from "../../ids.ts";
import { remaining } from "../../ledger/holds/hold.ts";
import { findAccountsById } from "../../store/reads/accounts-by-id.ts";
import { findHoldOfChange, listHoldEvents } from "../../store/reads/hold-events.ts";
import type { FoundHold } from "../../store/reads/holds.ts";
import { type HoldPage, listHoldsOfMerchant, listOpenHolds } from "../../store/reads/list-holds.ts";
import { CliError, type ExitCode, exitCodes, usageError } from "../cli-error.ts";
import { formatHold, formatHoldEvents, formatHolds } from "../holds/hold-tables.ts";
import { note, print } from "../output.ts";
import { limitHelp, pageSizeDefault, pageSizeOf } from "../page-size.ts";
import { withCore } from "../with-core.ts";

interface PageFlags {
  readonly limit: string;
  readonly before?: string;
}

interface ListFlags extends PageFlags {
  readonly account?: string;
  readonly merchant?: string;
  readonly partner?: string;
}

type End = (code: ExitCode) => void;

const examples = `
Examples:
  titian hold show 01JD7K3M9QZ8V2X4B6N8P0R2T4
  titian hold list --account 812345678901
  titian hold list --merchant FUEL-7 --partner SHOP01`;

/** To list a merchant's open holds, its holds in any state are scanned: at most this many, in pages. */
const scanMax = 20_000;
const scanPage = 1_000;

export function addHold(program: Command, end: End): void {
  const hold = program.command("hold").description("show a hold, list open holds").addHelpText("afterAll", examples);
  paged(hold.command("show"))
    .description("show a hold: state, amounts, and its events, newest first")
    .argument("<number>", "its referenceNo, or the captureNo, voidNo or refundNo of one of its events")
    .option("--before <sequence>", "start before this event")
    .action(async (number: string, flags: PageFlags) => {
      await withCore((core) => show(core, number, flags));
      end(exitCodes.done);
    });
  paged(hold.command("list"))
    .description("list the open holds on an account, or of a merchant, newest first")
    .option("--account <number>", "holds on this payer account")
    .option("--merchant <id>", "holds of this merchant; needs --partner")
    .option("--partner <id>", "the merchant's partner")
    .option("--before <number>", "start before this hold")
    .action(async (flags: ListFlags) => {
      await withCore((core) => list(core, flags));
      end(exitCodes.done);
    });
}

function paged(command: Command): Command {
  return command.option("--limit <n>", limitHelp, pageSizeDefault);
}

async function show({ pool, reads, reference, clock }: Core, number: string, flags: PageFlags): Promise<void> {
  const id = fromReferenceNo(number);
  const found = id === undefined ? undefined : ((await reads.findHold(id)) ?? (await findByChange(pool, reads, id)));
  if (!found) {
    throw new CliError(
      `No hold, and no accepted capture, void or refund, has the number ${number}. A rejected refund has a number too, and moved no money.`,
    );
  }
  const { hold } = found;
  const accounts = await findAccountsById(pool, [hold.payer, hold.settlement]);
  const partnerId = reference.current().partners.get(hold.partner)?.partnerId;
  const [payer, settlement] = [accounts.get(hold.payer), accounts.get(hold.settlement)];
  print(formatHold({ hold, partnerId, payer, settlement, now: clock.now() }));
  if (hold.lines === 0) return;
  const limit = pageSizeOf(flags.limit);
  const before = flags.before === undefined ? hold.lines + 1 : readSequence(flags.before);
  const lines = await listHoldEvents(pool, hold.id, { before, limit });
  print(`\n${formatHoldEvents(lines, hold.currency)}`);
  const last = lines.at(-1)?.line ?? 1;
  if (last > 1) note(`\nMore: titian hold show ${number} --before ${last}`);
}

async function findByChange(pool: Core["pool"], reads: Core["reads"], id: string): Promise<FoundHold | undefined> {
  const hold = await findHoldOfChange(pool, id);
  return hold === undefined ? undefined : reads.findHold(hold);
}

async function list(core: Core, { account, merchant, partner, limit, before }: ListFlags): Promise<void> {
  const page = { limit: pageSizeOf(limit), before: before === undefined ? undefined : readHoldNo(before) };
  if (account !== undefined && merchant === undefined && partner === undefined) {
    const { id } = (await core.reads.findAccountByNumber(account)) ?? {};
    if (id === undefined) throw new CliError(`There is no account ${account}: titian account list`);
    return showPage(core, await listOpenHolds(core.pool, id, page), page.limit, `--account ${account}`);
  }
  if (account !== undefined || merchant === undefined || partner === undefined) {
    throw usageError("Give --account <number>, or --merchant <id> with --partner <id>.");
  }
  const key = core.reference.byPartnerId(partner)?.key;
  if (key === undefined) throw new CliError(`There is no partner ${partner}: titian partner list`);
  return listOfMerchant(
    core,
    { partner: key, merchantId: merchant },
    page,
    `--merchant ${merchant} --partner ${partner}`,
  );
}

function showPage({ clock }: Core, holds: readonly FoundHold[], limit: number, whose: string): void {
  print(formatHolds(holds, clock.now()));
  const last = holds.at(-1);
  if (last && holds.length === limit) note(`\nMore: titian hold list ${whose} --before ${toReferenceNo(last.hold.id)}`);
}

/** Stops after a page of open holds or the scan limit, and prints where to continue. */
async function listOfMerchant(
  { pool, clock }: Core,
  merchant: { readonly partner: string; readonly merchantId: string },
  { before, limit }: HoldPage,
  whose: string,
): Promise<void> {
  const open: FoundHold[] = [];
  let last = before;
  let hasMore = true;
  for (let scanned = 0; hasMore && scanned < scanMax; scanned += scanPage) {
    const page = await listHoldsOfMerchant(pool, merchant, { before: last, limit: scanPage });
    const found = page.filter(({ hold }) => remaining(hold) > 0n).slice(0, limit - open.length);
    open.push(...found);
    const isFull = open.length === limit;
    last = (isFull ? found : page).at(-1)?.hold.id ?? last;
    hasMore = isFull || page.length === scanPage;
    if (isFull) break;
  }
  print(formatHolds(open, clock.now()));
  if (hasMore && last !== undefined) note(`\nMore: titian hold list ${whose} --before ${toReferenceNo(last)}`);
}

function readSequence(text: string): number {
  const sequence = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (sequence > 0) return sequence;
  throw usageError(`--before ${text} is not an event of a hold: events are numbered from 1.`);
}

function readHoldNo(text: string): string {
  const id = fromReferenceNo(text);
  if (id !== undefined) return id;
  throw usageError(`--before ${text} is not the number of a hold.`);
}

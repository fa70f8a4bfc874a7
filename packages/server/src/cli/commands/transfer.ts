/** `titian transfer`: lists pending transfers over a rail, shows a transfer, records an operator's resolution. */
import { formatTimestamp } from "@titian/contract";
import { Argument, type Command, Option } from "commander";
import type { Core } from "../../compose/core.ts";
import { overdueMs } from "../../compose/watch-pending-transfers.ts";
import { fromReferenceNo, toReferenceNo } from "../../ids.ts";
import type { RailTransfer } from "../../ledger/transfers/transfer.ts";
import { parseFacts, type TransferFacts } from "../../operations/stored-facts.ts";
import { decideTransfer, type TransferDecision } from "../../rails/resolve-transfer.ts";
import { findAccountsById } from "../../store/reads/accounts-by-id.ts";
import { type FoundTransfer, findTransferOf, listOpenTransfers } from "../../store/reads/found-transfers.ts";
import { listPostings } from "../../store/reads/postings.ts";
import { CliError, type ExitCode, exitCodes, usageError } from "../cli-error.ts";
import { confirm } from "../confirm.ts";
import { readDuration } from "../duration.ts";
import { note, print } from "../output.ts";
import { limitHelp, pageSizeDefault, pageSizeOf } from "../page-size.ts";
import { formatPostings, formatTransfer, formatTransfers } from "../transfers/transfer-tables.ts";
import { findTransferOfPartner, formatRejections } from "../transfers/transfers-of-partner.ts";
import { confirmationOf, whyImpossible } from "../transfers/transfer-decision.ts";
import { withCore } from "../with-core.ts";

interface ListFlags {
  readonly overdue?: true;
  readonly olderThan?: string;
  readonly limit: string;
  readonly after?: string;
}

interface ShowFlags {
  readonly partner?: string;
}

interface ResolveFlags {
  readonly yes?: true;
}

type End = (code: ExitCode) => void;

const examples = `
Examples:
  titian transfer list --older-than 15m
  titian transfer show 01JD7K3M9QZ8V2X4B6N8P0R2T4
  titian transfer show TRF-2026-000002 --partner SHOP01
  titian transfer resolve 01JD7K3M9QZ8V2X4B6N8P0R2T4 settled`;

const resolveHelp = `
For a transfer whose result the rail does not report: ask the rail's operator first. A resolution is final: it cannot be
reversed, and a later report of the rail changes nothing, except a return.

  settled   the rail settled it: the sent amount is credited to the rail's clearing account, the fee to the bank
  rejected   the rail rejected it: amount and fee are credited back to the payer. While an instruction may still be in
            transit to the rail, this waits, usually 10 s at most
  returned  it was returned after settlement: the sent amount is credited to the payer, the fee is kept

Exit codes: 0 recorded, now or before · 1 not possible, or not confirmed · 2 invalid command line.`;

const decisions: readonly TransferDecision[] = ["settled", "rejected", "returned"];

export function addTransfer(program: Command, end: End): void {
  const transfer = program
    .command("transfer")
    .description("list pending transfers over a rail, show a transfer, resolve one")
    .addHelpText("after", examples);
  transfer
    .command("list")
    .description("list pending transfers, oldest first")
    .option("--overdue", "only those pending for more than an hour")
    .addOption(
      new Option("--older-than <duration>", "only those pending for longer: 90s, 45m, 12h, 7d").conflicts("overdue"),
    )
    .option("--limit <n>", limitHelp, pageSizeDefault)
    .option("--after <number>", "start after this transfer")
    .addHelpText("after", examples)
    .action(async (flags: ListFlags) => {
      await withCore((core) => list(core, flags));
      end(exitCodes.done);
    });
  transfer
    .command("show")
    .description("show a transfer: state, amounts and postings")
    .argument("<number>", "its referenceNo, or that of its resolution or return")
    .option("--partner <id>", "find it by this partner's partnerReferenceNo or X-EXTERNAL-ID")
    .addHelpText("after", examples)
    .action(async (number: string, { partner }: ShowFlags) => {
      await withCore(async (core) =>
        partner === undefined ? show(core, await find(core, number)) : showOfPartner(core, partner, number),
      );
      end(exitCodes.done);
    });
  transfer
    .command("resolve")
    .description("resolve a transfer whose result the rail does not report")
    .argument("<number>", "its referenceNo")
    .addArgument(new Argument("<result>", "its outcome").choices(decisions))
    .option("--yes", "skip confirmation")
    .addHelpText("after", resolveHelp)
    .action(async (number: string, decision: TransferDecision, flags: ResolveFlags) =>
      end(await withCore((core) => resolve(core, number, decision, flags))),
    );
}

async function list({ pool, clock }: Core, flags: ListFlags): Promise<void> {
  const limit = pageSizeOf(flags.limit);
  const age = minimumAge(flags);
  const page = await listOpenTransfers(pool, {
    after: flags.after === undefined ? undefined : readAfter(flags.after),
    acceptedUntil: age && Math.max(0, clock.now() - age.ms),
    limit,
  });
  print(formatTransfers(page));
  const last = page.at(-1);
  if (!last || page.length < limit) return;
  note(`\nMore: titian transfer list${age?.option ?? ""} --after ${toReferenceNo(last.transfer.id)}`);
}

/** Undefined: any age. */
function minimumAge({ overdue, olderThan }: ListFlags): { readonly ms: number; readonly option: string } | undefined {
  if (overdue) return { ms: overdueMs, option: " --overdue" };
  if (olderThan === undefined) return undefined;
  return { ms: readDuration("--older-than", olderThan) * 1_000, option: ` --older-than ${olderThan}` };
}

async function find({ pool }: Core, number: string): Promise<FoundTransfer> {
  const id = fromReferenceNo(number);
  const found = id === undefined ? undefined : await findTransferOf(pool, id);
  if (found) return found;
  throw new CliError(
    `No transfer over a rail has the number ${number}. An intrabank transfer (17) is final at once: see the entries of its accounts. A rejected transfer has no referenceNo.`,
  );
}

async function show({ pool, reference }: Core, found: FoundTransfer): Promise<void> {
  const { transfer } = found;
  const [accounts, postings] = await Promise.all([
    findAccountsById(pool, [transfer.source]),
    listPostings(pool, journalsOf(transfer)),
  ]);
  const { partners, rails } = reference.current();
  const partnerId = partners.get(transfer.partner)?.partnerId;
  print(formatTransfer({ found, postings, partnerId, payer: accounts.get(transfer.source), rails }));
}

async function showOfPartner(core: Core, partner: string, number: string): Promise<void> {
  const found = await findTransferOfPartner(core, partner, number);
  if (found.kind === "rejected") return print(formatRejections(number, found.rejections));
  const { id, facts, at } = found.write;
  const transfer = await findTransferOf(core.pool, id);
  if (transfer) return show(core, transfer);
  const { request } = parseFacts<TransferFacts>(facts);
  print(`Transfer ${toReferenceNo(id)}, intrabank: settled ${formatTimestamp(at)}, within the call.\n`);
  print(formatPostings(await listPostings(core.pool, [id]), request.amount.currency));
}

function journalsOf({ id, resolutionJournalId, returnJournalId }: RailTransfer): readonly string[] {
  return [id, resolutionJournalId, returnJournalId].filter((journal) => journal !== undefined);
}

async function resolve(
  core: Core,
  number: string,
  decision: TransferDecision,
  { yes }: ResolveFlags,
): Promise<ExitCode> {
  const { engine, clock, clockCheck, pool } = core;
  const before = await find(core, number);
  const referenceNo = toReferenceNo(before.transfer.id);
  await show(core, before);
  print();
  if (before.transfer.state === decision) {
    print(`It is ${decision} already: nothing was recorded.`);
    return exitCodes.done;
  }
  const reason = whyImpossible(before.transfer, decision);
  if (reason !== undefined) throw new CliError(reason);
  if (!yes && !(await confirm(confirmationOf(before.transfer, before.payerAccountNo, decision)))) {
    throw new CliError("Nothing was recorded. Answer yes, or give --yes, to record it.");
  }
  if (!(await clockCheck.agrees())) {
    throw new CliError("The clocks of this machine and the database differ by more than 5 s: correct them first.");
  }
  const transfer = await decideTransfer({ engine, clock, reads: pool }, referenceNo, decision);
  if (transfer?.state !== decision) {
    throw new CliError(`It was resolved otherwise in the meantime: titian transfer show ${referenceNo}`);
  }
  print(`Recorded: it is ${decision}. Postings:\n`);
  const journal = decision === "returned" ? transfer.returnJournalId : transfer.resolutionJournalId;
  print(formatPostings(await listPostings(pool, journal === undefined ? [] : [journal]), transfer.currency));
  return exitCodes.done;
}

function readAfter(text: string): string {
  const id = fromReferenceNo(text);
  if (id !== undefined) return id;
  throw usageError(`--after ${text} is not the number of a transfer.`);
}

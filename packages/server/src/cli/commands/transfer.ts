/** `titian transfer`: transfers over a rail: those that await their result, where the money of one is, an operator's decision. */
import { formatTimestamp } from "@titian/contract";
import { Argument, type Command } from "commander";
import type { Core } from "../../compose/core.ts";
import { longOpenMs } from "../../compose/watch-pending-transfers.ts";
import { fromReferenceNo, toReferenceNo } from "../../ids.ts";
import type { RailTransfer } from "../../ledger/rail-transfer.ts";
import { parseFacts, type TransferFacts } from "../../operations/facts.ts";
import { decideTransfer, type TransferDecision } from "../../rails/decide-transfer.ts";
import { findAccountsById } from "../../store/reads/accounts-by-id.ts";
import { type FoundTransfer, findTransferOf, listOpenTransfers } from "../../store/reads/found-transfers.ts";
import { listMovements } from "../../store/reads/movements.ts";
import { CliError, type ExitCode, exitCodes, usageError } from "../cli-error.ts";
import { confirm } from "../confirm.ts";
import { note, print } from "../output.ts";
import { pageSizeDefault, pageSizeOf } from "../page-size.ts";
import { formatMovements, formatTransfer, formatTransfers } from "../transfer-tables.ts";
import { findOfPartner, formatRefusals } from "../transfers-of-partner.ts";
import { foresee, refuseDecision } from "../transfer-decision.ts";
import { withCore } from "../with-core.ts";

interface ListFlags {
  readonly long?: true;
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
  titian transfer list --long
  titian transfer show 01JD7K3M9QZ8V2X4B6N8P0R2T4
  titian transfer show TRF-2026-000002 --partner SHOP01
  titian transfer resolve 01JD7K3M9QZ8V2X4B6N8P0R2T4 settled`;

const resolveHelp = `
For a transfer whose end the rail itself does not tell: ask the rail's operator first. The first word stands: what is
recorded cannot be taken back, and what the rail says afterwards changes nothing, but for a return.

  settled   the rail carried it: the money goes to the rail's clearing account, the fee to ours
  refused   the rail did not: amount and fee go back to the payer. Where an instruction may still be on its way
            to the rail, this waits until it cannot be any more: mostly 10 s at most
  returned  it had settled and came back: what travelled goes to the payer, the fee stays

Exit codes: 0 recorded, or recorded before · 1 not possible, or not confirmed · 2 wrong command line.`;

const decisions: readonly TransferDecision[] = ["settled", "refused", "returned"];

export function addTransfer(program: Command, end: End): void {
  const transfer = program
    .command("transfer")
    .description("list transfers over a rail that await their result, show one, decide on one")
    .addHelpText("after", examples);
  transfer
    .command("list")
    .description("list the transfers that await their result, oldest first")
    .option("--long", "only those open for over an hour")
    .option("--limit <n>", "at most so many, up to 1000", pageSizeDefault)
    .option("--after <number>", "those accepted after this one")
    .addHelpText("after", examples)
    .action(async (flags: ListFlags) => {
      await withCore((core) => list(core, flags));
      end(exitCodes.done);
    });
  transfer
    .command("show")
    .description("show a transfer: where its money is, and what became of it")
    .argument("<number>", "its referenceNo, or the number under which it ended or came back")
    .option("--partner <id>", "the number is this partner's: its partnerReferenceNo, or the X-EXTERNAL-ID of its call")
    .addHelpText("after", examples)
    .action(async (number: string, { partner }: ShowFlags) => {
      await withCore(async (core) =>
        partner === undefined ? show(core, await find(core, number)) : showOfPartner(core, partner, number),
      );
      end(exitCodes.done);
    });
  transfer
    .command("resolve")
    .description("record your decision on a transfer whose end the rail does not tell")
    .argument("<number>", "its referenceNo")
    .addArgument(new Argument("<result>", "what became of it").choices(decisions))
    .option("--yes", "ask nothing")
    .addHelpText("after", resolveHelp)
    .action(async (number: string, decision: TransferDecision, flags: ResolveFlags) =>
      end(await withCore((core) => resolve(core, number, decision, flags))),
    );
}

async function list({ pool, clock }: Core, { long, limit, after }: ListFlags): Promise<void> {
  const most = pageSizeOf(limit);
  const page = await listOpenTransfers(pool, {
    after: after === undefined ? undefined : readAfter(after),
    acceptedUntil: long ? clock.now() - longOpenMs : undefined,
    limit: most,
  });
  print(formatTransfers(page));
  const last = page.at(-1);
  if (!last || page.length < most) return;
  note(`\nMore: titian transfer list${long ? " --long" : ""} --after ${toReferenceNo(last.transfer.id)}`);
}

async function find({ pool }: Core, number: string): Promise<FoundTransfer> {
  const id = fromReferenceNo(number);
  const found = id === undefined ? undefined : await findTransferOf(pool, id);
  if (found) return found;
  throw new CliError(
    `No transfer over a rail has the number ${number}. One within the bank (17) is final at once and stands in the entries of its accounts; one that was refused before it was accepted has no number.`,
  );
}

async function show({ pool, reference }: Core, found: FoundTransfer): Promise<void> {
  const { transfer } = found;
  const [accounts, movements] = await Promise.all([
    findAccountsById(pool, [transfer.source]),
    listMovements(pool, journalsOf(transfer)),
  ]);
  const { partners, rails } = reference.current();
  const partnerId = partners.get(transfer.partner)?.partnerId;
  print(formatTransfer({ found, movements, partnerId, payer: accounts.get(transfer.source), rails }));
}

async function showOfPartner(core: Core, partner: string, number: string): Promise<void> {
  const found = await findOfPartner(core, partner, number);
  if (found.kind === "refused") return print(formatRefusals(number, found.refusals));
  const { id, facts, at } = found.write;
  const transfer = await findTransferOf(core.pool, id);
  if (transfer) return show(core, transfer);
  const { request } = parseFacts<TransferFacts>(facts);
  print(`Transfer ${toReferenceNo(id)}, within the bank: done ${formatTimestamp(at)}, in its call.\n`);
  print(formatMovements(await listMovements(core.pool, [id]), request.amount.currency));
}

function journalsOf({ id, endJournal, returnJournal }: RailTransfer): readonly string[] {
  return [id, endJournal, returnJournal].filter((journal) => journal !== undefined);
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
    print(`It is ${decision} already: nothing was recorded, and nothing moved.`);
    return exitCodes.done;
  }
  const refusal = refuseDecision(before.transfer, decision);
  if (refusal !== undefined) throw new CliError(refusal);
  if (!yes && !(await confirm(foresee(before.transfer, before.payerAccountNo, decision)))) {
    throw new CliError("Nothing was recorded. Say yes, or give --yes, to record it.");
  }
  if (!(await clockCheck.agrees())) {
    throw new CliError("This machine's clock and the database's differ by more than 5 s: set it right first.");
  }
  const transfer = await decideTransfer({ engine, clock, reads: pool }, referenceNo, decision);
  if (transfer?.state !== decision) {
    throw new CliError(`Meanwhile something else became of it, and that stands: titian transfer show ${referenceNo}`);
  }
  print(`Recorded: it is ${decision}. This moved:\n`);
  const journal = decision === "returned" ? transfer.returnJournal : transfer.endJournal;
  print(formatMovements(await listMovements(pool, journal === undefined ? [] : [journal]), transfer.currency));
  return exitCodes.done;
}

function readAfter(text: string): string {
  const id = fromReferenceNo(text);
  if (id !== undefined) return id;
  throw usageError(`--after ${text} is no number of a transfer.`);
}

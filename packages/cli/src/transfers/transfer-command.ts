/** `titian transfer`: lists pending transfers over a rail, shows a transfer, records an operator's resolution. */
import { Argument, type Command, Option } from "commander";
import type { End } from "../cli-error.ts";
import { withActOptions } from "../options/act-options.ts";
import { limitHelp, pageSizeDefault } from "../options/page-size.ts";
import type { ResolveFlags } from "./resolve-action.ts";
import type { ListFlags, ShowFlags } from "./transfer-actions.ts";
import type { Decision } from "./transfer-decision.ts";

/** Loaded when one runs: help needs only the options. */
const actions = () => import("./transfer-actions.ts");

const examples = `
Examples:
  titian transfer list --older-than 15m
  titian transfer list --partner SHOP01 --from 2026-11-01 --to 2026-11-26 --state rejected
  titian transfer show 01JD7K3M9QZ8V2X4B6N8P0R2T4
  titian transfer show TRF-2026-000002 --partner SHOP01
  titian transfer resolve 01JD7K3M9QZ8V2X4B6N8P0R2T4 settled`;

const resolveHelp = `
For a transfer whose result the rail does not report: ask the rail's operator first. A resolution is final: it cannot be
reversed, and a later report of the rail changes nothing, except a return.

  settled   the rail settled it: the sent amount is credited to the rail's clearing account, the fee to the bank
  rejected  the rail rejected it: amount and fee are credited back to the payer. While an instruction may still be in
            transit to the rail, this waits, usually 10 s at most; a queued item of a bulk (20) is rejected once its
            rail says that it has neither its number nor its key. Not while the directory of its rail is ahead
            (titian rails reconcile)
  returned  it was returned after settlement: the sent amount is credited to the payer, the fee is kept

Exit codes: 0 recorded, now or before · 1 not possible, or not confirmed · 2 invalid command line · 5 waits for the
approval of another operator (titian act).`;

const decisions: readonly Decision[] = ["settled", "rejected", "returned"];

const states = ["queued", "submitted", "pending", "settled", "rejected", "returned"];
const ofAccepted = (flags: string, does: string) =>
  new Option(flags, does).conflicts(["overdue", "olderThan", "items"]);

export function addTransfer(program: Command, end: End): void {
  const transfer = program
    .command("transfer")
    .description("list pending transfers over a rail, or all by partner, day and state; show a transfer, resolve one")
    .addHelpText("after", examples);
  transfer
    .command("list")
    .description("list pending transfers, oldest first")
    .option("--overdue", "only those pending for more than an hour")
    .addOption(
      new Option("--older-than <duration>", "only those pending for longer: 90s, 45m, 12h, 7d").conflicts("overdue"),
    )
    .option("--items", "also items of bulk transfers (20) that have not been pending for long")
    .addOption(ofAccepted("--partner <id>", "instead all transfers of this partner, newest first; with the next three"))
    .addOption(ofAccepted("--from <day>", "those accepted from this business day on, such as 2026-11-26"))
    .addOption(ofAccepted("--to <day>", "those accepted up to this business day"))
    .addOption(ofAccepted("--state <state>", "those in this state").choices(states))
    .option("--limit <n>", limitHelp, pageSizeDefault)
    .option("--after <number>", "start after this transfer")
    .option("--json", "as JSON, with totals")
    .addHelpText("after", examples)
    .action(async (flags: ListFlags) => (await actions()).list(flags));
  transfer
    .command("show")
    .description(
      "show a transfer over a rail: state, amounts and postings; with --partner also an intrabank transfer (17)",
    )
    .argument(
      "<number>",
      "its referenceNo, or that of its approval, resolution or return; with --partner a number of the partner",
    )
    .option("--partner <id>", "find it by a partnerReferenceNo or X-EXTERNAL-ID of this partner")
    .addHelpText("after", examples)
    .action(async (number: string, flags: ShowFlags) => (await actions()).show(number, flags));
  withActOptions(
    transfer
      .command("resolve")
      .description("resolve a transfer whose result the rail does not report")
      .argument("<number>", "its referenceNo")
      .addArgument(new Argument("<result>", "its outcome").choices(decisions))
      .option("--yes", "skip confirmation"),
  )
    .option("--without-inquiry", "reject a queued item of a bulk (20) without inquiring of its rail")
    .addHelpText("after", resolveHelp)
    .action(async (number: string, decision: Decision, flags: ResolveFlags) => {
      const { resolve } = await import("./resolve-action.ts");
      end(await resolve(number, decision, flags));
    });
}

/** `titian notification`: lists and shows notifications (21, 75, 76) with their attempts, sends them again. */
import { type Command, Option } from "commander";
import type { End } from "../cli-error.ts";
import type { ListFlags } from "./notification-actions.ts";
import type { ReplayFlags } from "./replay-action.ts";
import { limitHelpOf, notificationPageMax, pageSizeDefault } from "../options/page-size.ts";

/** Loaded when one runs: help needs only the options. */
const queries = () => import("./notification-actions.ts");

const examples = `
Examples:
  titian notification list --state dead --partner SHOP01
  titian notification show 01JD7K3M9QZ8V2X4B6N8P0R2T4
  titian notification replay --dead --partner SHOP01
  titian notification replay --reference 01JD7K3M9QZ8V2X4B6N8P0R2T4 --url https://test.shop.example/snap
  titian notification replay --from 2026-11-21T00:00:00+07:00 --to 2026-11-22T00:00:00+07:00`;

const replayHelp = `
Options narrow each other; one of --reference, --from, --to and --dead is required. A replay has the X-EXTERNAL-ID
and the body of the first attempt, a new signature, and up to ten attempts of its own; with --url it is one attempt. A
running node begins within a second. It takes the place of a replay that waits. Left out are notifications on their first
way to the partner, and results whose return the partner has accepted.

Exit codes: 0 replayed, or there are none · 1 not confirmed, or no such partner · 2 invalid command line.`;

export function addNotification(program: Command, end: End): void {
  const notification = program
    .command("notification")
    .description("list and show notifications to partners (21, 75, 76), send them again")
    .addHelpText("after", examples);
  notification
    .command("list")
    .description("list notifications, newest first")
    .option("--partner <id>", "only this partner's")
    .option("--reference <number>", "only those of this transfer (its referenceNo) or bulk (its bulkId)")
    .addOption(
      new Option("--state <state>", "dead: given up after the last attempt; kept: the partner had no address").choices([
        "waiting",
        "delivered",
        "dead",
        "kept",
      ]),
    )
    .option("--limit <n>", limitHelpOf(notificationPageMax), pageSizeDefault)
    .option("--after <number>", "start after this notification")
    .option("--json", "as JSON, with attempts")
    .addHelpText("after", examples)
    .action(async (flags: ListFlags) => (await queries()).list(flags));
  notification
    .command("show")
    .description("show the notifications of a transfer or bulk with their attempts")
    .argument("<number>", "referenceNo of the transfer, or bulkId")
    .addHelpText("after", examples)
    .action(async (number: string) => (await queries()).show(number));
  notification
    .command("replay")
    .description("send notifications again")
    .option("--reference <number>", "those of this transfer (its referenceNo) or bulk (its bulkId)")
    .option("--from <time>", "of results from this time on, such as 2026-11-21T00:00:00+07:00")
    .option("--to <time>", "of results before this time")
    .option("--dead", "those that were given up after their last attempt")
    .option("--partner <id>", "this partner's")
    .option("--url <url>", "base URL instead of the partner's address; with --partner or --reference")
    .option("--yes", "skip confirmation")
    .addHelpText("after", replayHelp)
    .addHelpText("after", examples)
    .action(async (flags: ReplayFlags) => {
      const { replay } = await import("./replay-action.ts");
      end(await replay(flags));
    });
}

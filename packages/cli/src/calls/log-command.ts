/** `titian log`: the calls of the running sandbox. */
import { type Command, Option } from "commander";
import type { LogFlags } from "./log-action.ts";
import { callPageMax, limitHelpOf, shortPageDefault } from "../options/page-size.ts";

const examples = `
Shown are the newest 1,000 calls of a node, and the newest 1,000 refused ones, which the checks of headers, token,
signature, JSON and fields did not let through. A line ends with the call's X-CORRELATION-ID: titian find <id>. Under load some calls are counted and not shown.

Examples:
  titian log
  titian log --follow --refused
  titian log --follow --partner alpha --json | jq .responseCode`;

export function addLog(program: Command): void {
  program
    .command("log")
    .description("show the calls of the running sandbox, and why some were refused")
    .option("-f, --follow", "go on with each call as it is answered")
    .option("--partner <id>", "only this partner's")
    .option("--refused", "only those that a check refused")
    .addOption(new Option("--limit <n>", limitHelpOf(callPageMax)).default(shortPageDefault))
    .option("--json", "one JSON object a line")
    .option("--sandbox-file <path>", "default: sandbox.json in TITIAN_DATA_DIR (.titian)")
    .addHelpText("after", examples)
    .action(async (flags: LogFlags) => {
      const { showLog } = await import("./log-action.ts");
      await showLog(flags);
    });
}

/** `titian call`: signs and sends a call as a partner of the sandbox. */
import type { Command } from "commander";
import type { CallFlags } from "./run-call.ts";
import type { End } from "../cli-error.ts";
import { collect } from "../options/collect.ts";

export async function addCall(program: Command, end: End): Promise<void> {
  // Commander asks for help synchronously: its list of operations is loaded before, and only for this command.
  const help = process.argv.includes("call") ? await import("./help.ts") : undefined;
  program
    .command("call")
    .summary("sign and send a call, show request and response")
    .description(
      "Signs and sends a call as a partner of sandbox.json.\n" +
        "Missing mandatory reference numbers (partnerReferenceNo …) and transactionDate are generated; nothing else is.",
    )
    .argument("<operation>", "name, service code or path; with --help, shows the fields")
    .option("-f, --field <name=value>", "a field; amount=250000, list[0].name=…, name:=json; repeatable", collect)
    .option("--json <file>", "the request as a JSON file, - for standard input; --field overrides it")
    .option("--external-id <id>", "X-EXTERNAL-ID; the same id and body again is an idempotent repeat")
    .option("--partner <id>", "the calling partner (default: the first one of the file)")
    .option("--sandbox-file <path>", "default: sandbox.json in TITIAN_DATA_DIR (.titian)")
    .option("--no-fill", "do not generate missing values")
    .option("--dry-run", "send nothing; show the request and its string to sign")
    .option("--customer-token <token>", "accessToken of service 74, sent as Authorization-Customer")
    .option("--access-token <token>", "access token to sign with in a dry run")
    .option("--show-secrets", "show token and signature in full")
    .addHelpText("after", ({ command }) => help?.helpOf(command.args) ?? "")
    .action(async (operation: string, flags: CallFlags) => {
      const { call } = await import("./run-call.ts");
      end(await call(operation, flags));
    });
}

/** `titian explain`: why a saved call is refused, or what a response code means; offline. */
import { type Command, Option } from "commander";
import type { End } from "../cli-error.ts";
import type { ExplainFlags } from "./run-explain.ts";

const examples = `
Reads a request as raw HTTP, the output of curl --verbose, a curl command line, a HAR, or JSON of method, url, headers
and body, and says which check refuses it and what to change. It sends nothing and prints no secret.

The credentials are those of DATABASE_URL, else of the running sandbox (sandbox.json), or of the files given.
Whether a token was issued here, from where and how often the partner called is not in a saved call.

A response code is explained by its operation and case: what happened, and what to do.

Examples:
  titian explain 4031714
  titian explain refused.http
  titian explain refused.har --json
  pbpaste | titian explain -
  titian explain refused.http --secret-file secret.txt --at 2026-11-21T10:00:00+07:00

Exit codes: 0 nothing is wrong with it, or the code is known, 1 it is refused, 2 invalid command line or file, or
no such code.`;

export function addExplain(program: Command, end: End): void {
  program
    .command("explain")
    .summary("say why a saved call is refused, or what a response code means")
    .description("say why a saved call is refused, or what a response code means, and what to change")
    .argument("<call>", "a file with the saved request, - for standard input; or a response code")
    .option("--body <file>", "its body, where the saved request does not have it")
    .option("--at <time>", "when it was sent, to judge its clock and its token's age")
    .option("--partner <id>", "whose credentials (default: X-PARTNER-ID or X-CLIENT-KEY of the request)")
    .option("--secret-file <file>", "a file with the partner's client secret")
    .option("--public-key <file>", "a file with the partner's RSA public key in PEM")
    .option("--sandbox-file <path>", "default: sandbox.json in TITIAN_DATA_DIR (.titian)")
    .option("--json", "the report as JSON")
    .addOption(new Option("--language <code>", "of the sentences").choices(["en", "id"]).default("en"))
    .addHelpText("after", examples)
    .action(async (given: string, flags: ExplainFlags) => {
      const { explainCode, isCode } = await import("./explain-code.ts");
      if (isCode(given)) return explainCode(given, flags);
      const { explain } = await import("./run-explain.ts");
      end(await explain(given, flags));
    });
}

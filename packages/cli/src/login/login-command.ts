/** `titian login`, `titian break-glass`, `titian logout` and `titian session`: sessions of an operator at the service that `TITIAN_URL` names. */
import type { Command } from "commander";
import type { End } from "../cli-error.ts";
import { limitHelp, pageSizeDefault } from "../options/page-size.ts";
import type { BreakGlassFlags } from "./break-glass-action.ts";
import type { ListFlags } from "./session-actions.ts";

/** Loaded when one runs: help needs only the options. */
const actions = () => import("./login-actions.ts");
const sessions = () => import("./session-actions.ts");

const examples = `
Examples:
  export TITIAN_URL=https://titian.bank.example:9090/control
  titian login
  titian act list --open
  titian logout

It prints an address and a code: open the address in any browser and log in at the identity provider. The session then stands in
~/.config/titian/sessions.json, for its owner alone, and the commands that make operators' calls are in it.`;

const breakGlassHelp = `
DATABASE_URL is that of the role of break-glass (titian migrate --emergency-role), whose password is sealed; TITIAN_URL names the service. The
session closes rails and services, blocks, suspends and proposes; it approves and refuses nothing. It is an act, which an approver
decides on within the day: refusing it ends the session. Each act of it names that one. Seal a new password afterwards.

Example:
  DATABASE_URL=postgres://titian_emergency:…@db.example/titian titian break-glass --as b.santoso \\
    --reason "the identity provider is down; decided by the duty manager" --ticket INC-42
  titian switch close rail:interbank --reason "wrong settlements"`;

export function addLogin(program: Command, end: End): void {
  program
    .command("login")
    .description("log in as an operator, by a code that you enter in a browser")
    .addHelpText("after", examples)
    .action(async () => (await actions()).login());
  program
    .command("break-glass")
    .description(
      "open an operator's session for 30 minutes while nobody can log in, by the sealed role in DATABASE_URL",
    )
    .requiredOption("--as <operator>", "id or subject of the operator in whose name it is")
    .requiredOption("--reason <text>", "why nobody can log in, and who decided this")
    .requiredOption("--ticket <id>", "the incident's ticket")
    .addHelpText("after", breakGlassHelp)
    .action(async (flags: BreakGlassFlags) => (await import("./break-glass-action.ts")).breakGlass(flags));
  program
    .command("logout")
    .description("end the session and forget it")
    .action(async () => (await actions()).logout());
  const session = program.command("session").description("list open sessions of operators, end one");
  session
    .command("list")
    .description("list your open sessions; with the role security those of all operators")
    .option("--limit <n>", limitHelp, pageSizeDefault)
    .option("--json", "as JSON, with totals")
    .action(async (flags: ListFlags) => (await sessions()).list(flags));
  session
    .command("end")
    .description("end a session of yours; with the role security anybody's")
    .argument("<id>", "its id")
    .action(async (id: string) => end(await (await sessions()).end(id)));
}

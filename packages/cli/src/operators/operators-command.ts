/** `titian operators`: the first operators of a database that nobody is in charge of, and the list of them. */
import type { Command } from "commander";

/** Loaded when one runs: help needs only the options. */
const actions = () => import("./operators-actions.ts");

const examples = `
Examples:
  DATABASE_URL=postgres://owner:…@db.example/titian titian operators bootstrap \\
    --security https://login.bank.example,s.rahayu,"Sri Rahayu",sri --approver https://login.bank.example,a.nugroho,"Adi Nugroho",adi
  titian operators list

An operator is one issuer and subject. The last part is the PostgreSQL role by which he or she connects; it needs the rights of
administration: \`grant titian_admin to sri\`. From then on each act that moves money needs two operators: one proposes it, another approves it.`;

export interface BootstrapFlags {
  readonly security: string;
  readonly approver: string;
}

export function addOperators(program: Command): void {
  const operators = program
    .command("operators")
    .description("name the first operators, and list all")
    .addHelpText("afterAll", examples);
  operators
    .command("bootstrap")
    .description("name the first two operators, once, as the database's owner")
    .requiredOption("--security <issuer,subject,name,role>", "who proposes operators and keys")
    .requiredOption("--approver <issuer,subject,name,role>", "who approves acts")
    .action(async (flags: BootstrapFlags) => (await actions()).bootstrap(flags));
  operators
    .command("list")
    .description("list operators with their roles")
    .option("--json", "as JSON, with totals")
    .action(async (flags: { readonly json?: true }) => (await actions()).list(flags));
}

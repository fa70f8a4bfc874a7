/** `titian operators`: names the first operators of a database, lists all, adds and ends them, gives and takes roles. */
import type { Command } from "commander";
import { collect } from "../options/collect.ts";
import { type ActFlags, withActOptions } from "../options/act-options.ts";

/** Loaded when one runs: help needs only the options. */
const actions = () => import("./operators-actions.ts");

const examples = `
Examples:
  DATABASE_URL=postgres://owner:…@db.example/titian titian operators bootstrap \\
    --security https://login.bank.example,s.rahayu,"Sri Rahayu",sri --approver https://login.bank.example,a.nugroho,"Adi Nugroho",adi
  titian operators add --issuer https://login.bank.example --subject b.santoso --name "Budi Santoso" \\
    --database-role budi --role operator --reason "starts on Monday"
  titian operators grant b.santoso support --reason "takes calls, too"
  titian operators end b.santoso --reason "has left"
  titian operators list

An operator is one issuer and subject, at whatever door. The last part of the first two, and --database-role, is the PostgreSQL role by which he or
she connects; it needs the rights of operators: \`grant titian_operator to sri\`. Without it the operator comes in by the console and titian login alone.
Adding one and giving a role take effect once another operator has approved that; taking a role and ending an operator take effect at once.
Nobody proposes or approves what is about him- or herself.`;

export interface BootstrapFlags {
  readonly security: string;
  readonly approver: string;
}

export interface ChangeFlags extends ActFlags {
  readonly json?: true;
}

export interface AddFlags extends ChangeFlags {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  readonly databaseRole?: string;
  readonly role?: readonly string[];
}

const who = "id or subject, as titian operators list shows it";

export function addOperators(program: Command): void {
  const operators = program
    .command("operators")
    .description("name the first operators, list all, add and end them, give and take roles")
    .addHelpText("afterAll", examples);
  operators
    .command("bootstrap")
    .description("name the first two operators, once, as the database's owner")
    .requiredOption("--security <issuer,subject,name[,role]>", "who proposes operators and keys")
    .requiredOption("--approver <issuer,subject,name[,role]>", "who approves acts")
    .action(async (flags: BootstrapFlags) => (await actions()).bootstrap(flags));
  operators
    .command("list")
    .description("list operators with their roles")
    .option("--json", "as JSON, with totals")
    .action(async (flags: { readonly json?: true }) => (await actions()).list(flags));
  withActOptions(operators.command("add"))
    .description("add an operator, once another one has approved that")
    .requiredOption("--issuer <address>", "the identity provider, such as https://login.bank.example")
    .requiredOption("--subject <text>", "his or her name there")
    .requiredOption("--name <text>", "for people")
    .option("--database-role <role>", "PostgreSQL role that he or she connects by; without it by the console alone")
    .option("--role <role>", "viewer, support, operator, approver, security or auditor; repeatable", collect)
    .option("--json", "as JSON")
    .action(async (flags: AddFlags) => (await actions()).add(flags));
  withActOptions(operators.command("grant"))
    .description("give an operator a role, once another one has approved that")
    .argument("<operator>", who)
    .argument("<role>")
    .option("--json", "as JSON")
    .action(async (id: string, role: string, flags: ChangeFlags) => (await actions()).grant(id, role, flags));
  withActOptions(operators.command("take"))
    .description("take a role from an operator at once")
    .argument("<operator>", who)
    .argument("<role>")
    .option("--json", "as JSON")
    .action(async (id: string, role: string, flags: ChangeFlags) => (await actions()).take(id, role, flags));
  withActOptions(operators.command("end"))
    .description("end an operator at once, at every door")
    .argument("<operator>", who)
    .option("--json", "as JSON")
    .action(async (id: string, flags: ChangeFlags) => (await actions()).end(id, flags));
}

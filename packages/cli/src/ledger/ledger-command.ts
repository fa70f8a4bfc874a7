/** `titian ledger`: shows our own accounts, and moves money between them. */
import { Argument, type Command, Option } from "commander";
import type { MovePair, RailName } from "@titian/server/admin";
import { withReference } from "../options/act-options.ts";
import type { MoveFlags } from "./ledger-actions.ts";

/** Loaded when one runs: help needs only the options. */
const actions = () => import("./ledger-actions.ts");

const pairs: readonly MovePair[] = ["unapplied", "clearing", "clearing-back", "fee", "restored", "restored-back"];
const rails: readonly RailName[] = ["interbank", "rtgs", "skn"];

const moveHelp = `
Once the money has moved outside of Titian:

  unapplied      from unclaimed:IDR to funding:IDR: paid out to whoever it belongs to
  clearing       from clearing:interbank:IDR to funding:IDR: paid to the rail's settlement
  clearing-back  from funding:IDR to clearing:interbank:IDR: the rail's settlement has paid what came back
  fee            from fee:interbank:IDR to funding:IDR: booked as income elsewhere
  restored       from funding:IDR to restored:IDR: what payers owe is paid in, or the bank bears it
  restored-back  from restored:IDR to funding:IDR: what came back behind that

No more is moved than is on the account, or is missing there. To the account of a customer: titian account correct.

Example:
  titian ledger move clearing --rail interbank --amount 12500000.00 --reason "settlement of 26 November"

Exit codes: 0 moved, now or before · 1 rejected · 2 invalid command line · 5 waits for the approval of another
operator (titian act).`;

export function addLedger(program: Command): void {
  const ledger = program.command("ledger").description("show our own accounts, move money between them");
  ledger
    .command("show")
    .description("show our own accounts with their balances")
    .option("--json", "as JSON")
    .action(async (flags: { readonly json?: true }) => (await actions()).showLedger(flags));
  withReference(
    ledger
      .command("move")
      .description("move money from one of our own accounts to another")
      .addArgument(new Argument("<pair>").choices(pairs)),
  )
    .requiredOption("--amount <amount>", "such as 1000.00")
    .addOption(new Option("--rail <rail>", "the rail of clearing and fees").choices(rails))
    .option("--currency <code>", "ISO 4217", "IDR")
    .option("--json", "as JSON")
    .addHelpText("after", moveHelp)
    .action(async (pair: MovePair, flags: MoveFlags) => (await actions()).move(pair, flags));
}

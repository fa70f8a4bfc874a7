/** `titian consent`: customers' consents to partners (service 74). */
import type { Command } from "commander";
import { type ActFlags, withActOptions } from "../options/act-options.ts";
import { limitHelp, pageSizeDefault } from "../options/page-size.ts";
import type { GrantFlags, ListFlags } from "./grant-actions.ts";

const actions = () => import("./grant-actions.ts");

const examples = `
Examples:
  titian consent list --account 812345678901
  titian consent revoke --partner SHOP01 --account 812345678901

A consent is for one account and one partner. Revoking it ends the partner's codes, refresh tokens and access tokens for the account, on every
node within 2 s. Of an account the list has who revoked what, too.`;

export function addConsent(program: Command): void {
  const consent = program
    .command("consent")
    .alias("grant")
    .description("list and revoke customers' consents to partners")
    .addHelpText("afterAll", examples);
  consent
    .command("list")
    .description("list consents, newest first: all, of an account, or to a partner")
    .option("--partner <id>", "the partner")
    .option("--account <number>", "the customer's account")
    .option("--limit <n>", limitHelp, pageSizeDefault)
    .option("--before <consent>", "start before this one")
    .option("--json", "as JSON, with totals")
    .action(async (flags: ListFlags) => (await actions()).list(flags));
  withActOptions(
    consent
      .command("revoke")
      .description(
        "revoke all consents to a partner for an account, with their tokens, at once; approved within the day",
      ),
  )
    .requiredOption("--partner <id>", "the partner")
    .requiredOption("--account <number>", "the customer's account")
    .action(async (flags: GrantFlags & ActFlags) => (await actions()).revoke(flags));
}

/** `titian grant`: customers' grants to partners (service 74). */
import type { Command } from "commander";
import { type ReasonFlags, withReason } from "../options/reason.ts";
import type { GrantFlags } from "./grant-actions.ts";

const examples = `
Example:
  titian grant revoke --partner SHOP01 --account 812345678901

Revokes the partner's codes, refresh tokens and access tokens for the account, on every node within 2 s.`;

export function addGrant(program: Command): void {
  const grant = program.command("grant").description("revoke customers' grants to partners");
  withReason(
    grant
      .command("revoke")
      .description(
        "revoke all grants of a partner for an account, with their tokens, at once; approved within the day",
      ),
  )
    .requiredOption("--partner <id>", "the partner")
    .requiredOption("--account <number>", "the customer's account")
    .addHelpText("after", examples)
    .action(async (flags: GrantFlags & ReasonFlags) => {
      const { revoke } = await import("./grant-actions.ts");
      await revoke(flags);
    });
}

/** `titian grant`: customers' grants to partners (service 74). */
import type { Command } from "commander";
import { revokeGrants } from "../../admin/customer-grants.ts";
import { type ExitCode, exitCodes } from "../cli-error.ts";
import { print } from "../output.ts";
import { valueOf, withCore } from "../with-core.ts";

interface RevokeFlags {
  readonly partner: string;
  readonly account: string;
}

const examples = `
Example:
  titian grant revoke --partner SHOP01 --account 812345678901

Revokes the partner's codes, refresh tokens and access tokens for the account, on every node within 2 s.`;

export function addGrant(program: Command, end: (code: ExitCode) => void): void {
  program
    .command("grant")
    .description("revoke customers' grants to partners")
    .command("revoke")
    .description("revoke all grants of a partner for an account, with their tokens")
    .requiredOption("--partner <id>", "the partner")
    .requiredOption("--account <number>", "the customer's account")
    .addHelpText("after", examples)
    .action(async ({ partner, account }: RevokeFlags) => {
      const input = { partnerId: partner, accountNo: account };
      const count = await withCore(async ({ adminPool, secrets, clock }) =>
        valueOf(await revokeGrants({ database: adminPool, secrets, clock }, input)),
      );
      print(`${count} ${count === 1 ? "grant" : "grants"} of ${partner} for ${account} revoked.`);
      end(exitCodes.done);
    });
}

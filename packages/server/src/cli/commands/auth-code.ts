/** `titian auth-code`: authorization codes for customer tokens (service 74). */
import { formatTimestamp } from "@titian/contract";
import type { Command } from "commander";
import { createAuthCode, type NewAuthCode } from "../../admin/customer-grants.ts";
import type { Core } from "../../compose/core.ts";
import { type ExitCode, exitCodes } from "../cli-error.ts";
import { note, print } from "../output.ts";
import { valueOf, withCore } from "../with-core.ts";

interface NewFlags {
  readonly partner: string;
  readonly account: string;
}

const examples = `
Examples:
  titian auth-code new --partner SHOP01 --account 812345678901
  titian call 74 --field authCode=$(titian auth-code new --partner alpha --account 1001000001)

Create one only with the consent of the account holder: the partner exchanges it for tokens for the account (service 74).`;

export function addAuthCode(program: Command, end: (code: ExitCode) => void): void {
  const authCode = program.command("auth-code").description("create authorization codes for customer tokens");
  authCode
    .command("new")
    .description("create a single-use code, valid for 10 minutes; only its hash is stored")
    .requiredOption("--partner <id>", "the partner that may exchange it")
    .requiredOption("--account <number>", "the customer's account")
    .addHelpText("after", examples)
    .action(async (flags: NewFlags) => {
      const { authCode: code, expiresAt } = await withCore((core) => make(core, flags));
      print(code);
      note(`Single-use, valid until ${formatTimestamp(expiresAt)}.`);
      end(exitCodes.done);
    });
}

async function make({ adminPool, clock, reference }: Core, { partner, account }: NewFlags): Promise<NewAuthCode> {
  const deps = { database: adminPool, clock, byPartnerId: reference.byPartnerId };
  return valueOf(await createAuthCode(deps, { partnerId: partner, accountNo: account }));
}

/** `titian auth-code`: what a partner exchanges for a customer's token (service 74). */
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

Make one only when the account's holder has agreed: with it the partner gets tokens for the account (service 74).`;

export function addAuthCode(program: Command, end: (code: ExitCode) => void): void {
  const authCode = program.command("auth-code").description("make codes with which a partner gets a customer's token");
  authCode
    .command("new")
    .description("make a code, good once and for 10 minutes; only its hash is kept")
    .requiredOption("--partner <id>", "who may exchange it")
    .requiredOption("--account <number>", "the customer's account")
    .addHelpText("after", examples)
    .action(async (flags: NewFlags) => {
      const { authCode: code, expiresAt } = await withCore((core) => make(core, flags));
      print(code);
      note(`Good once, until ${formatTimestamp(expiresAt)}.`);
      end(exitCodes.done);
    });
}

async function make({ adminPool, clock, reference }: Core, { partner, account }: NewFlags): Promise<NewAuthCode> {
  const deps = { database: adminPool, clock, byPartnerId: reference.byPartnerId };
  return valueOf(await createAuthCode(deps, { partnerId: partner, accountNo: account }));
}

/** `titian auth-code`: authorization codes for customer tokens (service 74). */
import type { Command } from "commander";
import type { GrantFlags } from "./grant-actions.ts";

const examples = `
Examples:
  titian auth-code new --partner SHOP01 --account 812345678901
  titian call 74 --field authCode=$(titian auth-code new --partner alpha --account 1001000001)

Create one only with the consent of the account holder: the partner exchanges it for tokens for the account (service 74).`;

export function addAuthCode(program: Command): void {
  const authCode = program.command("auth-code").description("create authorization codes for customer tokens");
  authCode
    .command("new")
    .description("create a single-use code, valid for 10 minutes; only its hash is stored")
    .requiredOption("--partner <id>", "the partner that may exchange it")
    .requiredOption("--account <number>", "the customer's account")
    .addHelpText("after", examples)
    .action(async (flags: GrantFlags) => {
      const { newAuthCode } = await import("./grant-actions.ts");
      await newAuthCode(flags);
    });
}

/** `titian merchant add`: gives a partner a merchant. */
import type { Command } from "commander";
import { registerMerchant } from "../../admin/merchants.ts";
import type { Core } from "../../compose/core.ts";
import { readAmount } from "../amounts.ts";
import { CliError, type ExitCode, exitCodes } from "../cli-error.ts";
import { print } from "../output.ts";
import { valueOf, withCore } from "../with-core.ts";

interface AddFlags {
  readonly partner: string;
  readonly name: string;
  readonly settlementAccount: string;
  readonly payerAccount?: string;
  readonly defaultHold?: string;
}

const examples = `
Example:
  titian merchant add FUEL-7 --partner SHOP01 --name "SPBU 7" --settlement-account 812345678901 --default-hold 300000.00`;

export function addMerchant(program: Command, end: (code: ExitCode) => void): void {
  const merchant = program.command("merchant").description("register merchants");
  merchant
    .command("add")
    .description("register a merchant of a partner")
    .argument("<merchant id>", "merchantId in its calls")
    .requiredOption("--partner <id>", "its partner")
    .requiredOption("--name <name>", "who it is")
    .requiredOption("--settlement-account <number>", "where captured money goes")
    .option("--payer-account <number>", "who pays when a call does not say")
    .option("--default-hold <amount>", "what is held when a call names no amount")
    .addHelpText("after", examples)
    .action(async (merchantId: string, flags: AddFlags) => {
      await withCore((core) => add(core, merchantId, flags));
      print(`${merchantId} is a merchant of ${flags.partner}.`);
      end(exitCodes.done);
    });
}

async function add({ adminPool, secrets, clock, reads }: Core, merchantId: string, flags: AddFlags): Promise<void> {
  const { partner, name, settlementAccount, payerAccount, defaultHold } = flags;
  const account = await reads.findAccountByNumber(settlementAccount);
  if (account === undefined) throw new CliError(`There is no account ${settlementAccount}: titian account list`);
  valueOf(
    await registerMerchant(
      { database: adminPool, secrets, clock },
      {
        partnerId: partner,
        merchantId,
        name,
        settlementAccountNo: settlementAccount,
        ...(payerAccount !== undefined && { payerAccountNo: payerAccount }),
        ...(defaultHold !== undefined && {
          defaultHoldAmount: readAmount("--default-hold", defaultHold, account.currency),
        }),
      },
    ),
  );
}

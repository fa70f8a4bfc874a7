/** The program and its commands. */
import { readFileSync } from "node:fs";
import { Command } from "commander";
import { type ExitCode, exitCodes } from "./cli-error.ts";
import { addAccount } from "./commands/account.ts";
import { addAudit } from "./commands/audit.ts";
import { addAuthCode } from "./commands/auth-code.ts";
import { addBulk } from "./commands/bulk.ts";
import { addCall } from "./commands/call.ts";
import { addDatabase } from "./commands/database.ts";
import { addExplain } from "./commands/explain.ts";
import { addGrant } from "./commands/grant.ts";
import { addHold } from "./commands/hold.ts";
import { addKeys } from "./commands/keys.ts";
import { addListen } from "./commands/listen.ts";
import { addLog } from "./commands/log.ts";
import { addMerchant } from "./commands/merchant.ts";
import { addMigrate } from "./commands/migrate.ts";
import { addNotification } from "./commands/notification.ts";
import { addPartner } from "./commands/partner.ts";
import { addPaymentRequest } from "./commands/payment-request.ts";
import { addRails } from "./commands/rails.ts";
import { addSandbox } from "./commands/sandbox.ts";
import { addServe } from "./commands/serve.ts";
import { addTransfer } from "./commands/transfer.ts";
import { addTrigger } from "./commands/trigger.ts";

const examples = `
A first run:
  titian serve                      the sandbox, with embedded PostgreSQL
  titian sandbox credentials        its partners and accounts
  titian call internalAccountInquiry --field beneficiaryAccountNo=…

In a checkout use \`npm run titian --\` for \`titian\`. \`titian help <command>\` describes a command.`;

/** `end` takes the exit code of the command that ran. */
export async function createProgram(end: (code: ExitCode) => void): Promise<Command> {
  const program = new Command("titian")
    .description("Payments and transfers over Indonesia's SNAP BI interface: the service and its tools")
    .version(readVersion(), "--version", "show the version")
    .showHelpAfterError("(--help lists the options)")
    .configureHelp({ showGlobalOptions: true })
    .addHelpText("after", examples)
    // An invalid command line has its own exit code.
    .exitOverride((error) => {
      end(error.exitCode === 0 ? exitCodes.done : exitCodes.usage);
      throw error;
    });
  addServe(program, end);
  addMigrate(program, end);
  addAudit(program, end);
  await addCall(program, end);
  addExplain(program, end);
  addSandbox(program, end);
  addListen(program, end);
  addTrigger(program, end);
  addLog(program, end);
  addKeys(program, end);
  addPartner(program, end);
  addAccount(program, end);
  addMerchant(program, end);
  addHold(program, end);
  addGrant(program, end);
  addTransfer(program, end);
  addPaymentRequest(program, end);
  addBulk(program, end);
  addNotification(program, end);
  addAuthCode(program, end);
  addRails(program, end);
  addDatabase(program, end);
  return program;
}

function readVersion(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return /"version": "([^"]+)"/.exec(text)?.[1] ?? "unknown";
}

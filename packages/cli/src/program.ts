/** The program and its commands. */
import { readFileSync } from "node:fs";
import { Command } from "commander";
import { type End, exitCodes } from "./cli-error.ts";
import { addAccount } from "./accounts/account-command.ts";
import { addAct } from "./acts/act-command.ts";
import { addAudit } from "./audit/audit-command.ts";
import { addAuthCode } from "./grants/auth-code-command.ts";
import { addBulk } from "./bulks/bulk-command.ts";
import { addCall } from "./call/call-command.ts";
import { addCompletion } from "./completion/completion-command.ts";
import { addDatabase } from "./database/database-command.ts";
import { addExplain } from "./explain/explain-command.ts";
import { addFind } from "./find/find-command.ts";
import { addConsent } from "./grants/consent-command.ts";
import { addHold } from "./holds/hold-command.ts";
import { addKeys } from "./keys/keys-command.ts";
import { addLedger } from "./ledger/ledger-command.ts";
import { addListen } from "./listen/listen-command.ts";
import { addCells } from "./cells/cells-command.ts";
import { addLogin } from "./login/login-command.ts";
import { addLog } from "./calls/log-command.ts";
import { addMerchant } from "./merchants/merchant-command.ts";
import { addMigrate } from "./database/migrate-command.ts";
import { addOperators } from "./operators/operators-command.ts";
import { addNotification } from "./notifications/notification-command.ts";
import { addPartner } from "./partners/partner-command.ts";
import { addPaymentRequest } from "./payment-requests/payment-request-command.ts";
import { addProviderKey } from "./keys/provider-key-command.ts";
import { addRails } from "./rails/rails-command.ts";
import { addSandbox } from "./sandbox-command.ts";
import { addSecrets } from "./secrets/secrets-command.ts";
import { addSecurityLog } from "./security-log/security-log-command.ts";
import { addServe } from "./serve/serve-command.ts";
import { addSwitch } from "./switches/switch-command.ts";
import { chooseCell } from "./chosen-cell.ts";
import { paintNothing } from "./tables/colours.ts";
import { addTransfer } from "./transfers/transfer-command.ts";
import { addTrigger } from "./trigger/trigger-command.ts";

const examples = `
A first run:
  titian serve                      the sandbox, with embedded PostgreSQL
  titian sandbox credentials        its partners and accounts
  titian call internalAccountInquiry --field beneficiaryAccountNo=…

In a checkout use \`npm run titian --\` for \`titian\`. \`titian help <command>\` describes a command.`;

export async function createProgram(end: End): Promise<Command> {
  const program = new Command("titian")
    .description("Payments and transfers over Indonesia's SNAP BI interface: the service and its tools")
    .version(readVersion(), "--version", "show the version")
    .option("--no-color", "no colours in a terminal; NO_COLOR does the same")
    .option(
      "--cell <number>",
      "work on this cell instead of home: on its database (TITIAN_ADMIN_CELLS), or at the service that is asked",
    )
    .showHelpAfterError("(--help lists the options)")
    .configureHelp({ showGlobalOptions: true })
    .addHelpText("after", examples)
    // An invalid command line has its own exit code.
    .exitOverride((error) => {
      end(error.exitCode === 0 ? exitCodes.done : exitCodes.usage);
      throw error;
    });
  program.hook("preAction", (_program, action) => {
    paintNothing(program.opts()["color"] === false);
    chooseCell(program.opts()["cell"], nameOf(action));
  });
  addServe(program, end);
  addMigrate(program);
  addAudit(program, end);
  addSecurityLog(program, end);
  addSecrets(program, end);
  await addCall(program, end);
  addExplain(program, end);
  addSandbox(program);
  addListen(program, end);
  addTrigger(program, end);
  addLog(program);
  addFind(program, end);
  addKeys(program);
  addProviderKey(program);
  await addPartner(program, end);
  addAccount(program);
  addLedger(program);
  addMerchant(program);
  addHold(program);
  addConsent(program);
  addTransfer(program, end);
  addAct(program, end);
  addOperators(program);
  addLogin(program, end);
  addPaymentRequest(program, end);
  addBulk(program, end);
  addNotification(program, end);
  addAuthCode(program);
  addSwitch(program);
  addRails(program, end);
  addDatabase(program, end);
  addCells(program);
  addCompletion(program);
  return program;
}

/** Name of the command, without that of its sub-command. */
function nameOf(action: Command): string {
  return action.parent?.parent ? nameOf(action.parent) : action.name();
}

function readVersion(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return /"version": "([^"]+)"/.exec(text)?.[1] ?? "unknown";
}

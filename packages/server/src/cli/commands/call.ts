/** `titian call`: signs and sends a call as a partner of the sandbox. */
import type { CallName } from "@titian/client";
import type { Command } from "commander";
import { createClock } from "../../clock.ts";
import { statusAdvice } from "../call/advise.ts";
import { buildBody } from "../call/build-body.ts";
import { createCapture, showDryRun } from "../call/dry-run.ts";
import { describeOperation } from "../call/describe-operation.ts";
import { findOperation, listOperations } from "../call/find-operation.ts";
import { createPartnerClient } from "../call/partner-client.ts";
import { reportFailure } from "../call/report-failure.ts";
import { watchCalls } from "../call/watch-calls.ts";
import { type ExitCode, exitCodes, usageError } from "../cli-error.ts";
import { formatJson, note, print } from "../output.ts";
import { choosePartner, readSandboxFile, sandboxFilePath } from "../sandbox-file.ts";

interface CallFlags {
  readonly field?: readonly string[];
  readonly json?: string;
  readonly externalId?: string;
  readonly partner?: string;
  readonly sandboxFile?: string;
  readonly fill: boolean;
  readonly dryRun?: true;
  readonly accessToken?: string;
  readonly customerToken?: string;
  readonly showSecrets?: true;
}

const examples = `
Operations:
${listOperations().replaceAll(/^/gm, "  ")}

Examples:
  titian call internalAccountInquiry --field beneficiaryAccountNo=1001000001
  titian call 17 --field sourceAccountNo=1001000001 --field beneficiaryAccountNo=1009000001 \\
      --field amount.value=250000.00 --field amount.currency=IDR
  titian call 18 --field sourceAccountNo=1001000001 --field beneficiaryBankCode=014 \\
      --field beneficiaryAccountNo=8800000001 --field beneficiaryAccountName="Ratna Kusuma" \\
      --field amount.value=250000.00 --field amount.currency=IDR
  titian call transfer/status --field serviceCode=17 --field originalReferenceNo=… | jq -r .latestTransactionStatus
  titian call intrabankTransfer --json transfer.json --external-id 2026112100000001
  titian call intrabankTransfer --json transfer.json --dry-run
  titian call intrabankTransfer --help

The response goes to standard output, everything else to standard error.
Exit codes: 0 success, 1 rejected or failed, 2 invalid command line, 3 outcome unknown (repeat with the same id).`;

export function addCall(program: Command, end: (code: ExitCode) => void): void {
  program
    .command("call")
    .summary("sign and send a call, show request and response")
    .description(
      "Signs and sends a call as a partner of sandbox.json.\n" +
        "Missing mandatory reference numbers (partnerReferenceNo …) and transactionDate are generated; nothing else is.",
    )
    .argument("<operation>", "name, service code or path; with --help, shows the fields")
    .option("-f, --field <name=value>", "a field; amount.value=…, list[0].name=…, name:=json; repeatable", collect)
    .option("--json <file>", "the request as a JSON file, - for standard input; --field overrides it")
    .option("--external-id <id>", "X-EXTERNAL-ID; the same id and body again is an idempotent repeat")
    .option("--partner <id>", "the calling partner (default: the first one of the file)")
    .option("--sandbox-file <path>", "default: sandbox.json in TITIAN_DATA_DIR (.titian)")
    .option("--no-fill", "do not generate missing values")
    .option("--dry-run", "send nothing; show the request and its string to sign")
    .option("--customer-token <token>", "accessToken of service 74, sent as Authorization-Customer")
    .option("--access-token <token>", "access token to sign with in a dry run")
    .option("--show-secrets", "show token and signature in full")
    .addHelpText("after", ({ command }) => helpOf(command.args))
    .action(async (operation: string, flags: CallFlags) => end(await call(operation, flags)));
}

/** The fields of the operation given with --help, else the list of operations. */
function helpOf(args: readonly string[]): string {
  const operation = args.find((argument) => !argument.startsWith("-"));
  return operation === undefined ? examples : `\n${describeOperation(findOperation(operation))}`;
}

async function call(operation: string, flags: CallFlags): Promise<ExitCode> {
  const row = findOperation(operation);
  const clock = createClock();
  const { body, filled, warnings } = buildBody(
    row,
    { fields: flags.field ?? [], json: flags.json, fills: flags.fill },
    clock,
  );
  if (flags.accessToken !== undefined && flags.dryRun !== true) {
    throw usageError("--access-token needs --dry-run: a real call gets its token from service 73.");
  }
  if (flags.customerToken !== undefined && row.kind === "token") {
    throw usageError("73 and 74 take no --customer-token.");
  }
  const sandbox = readSandboxFile(sandboxFilePath(flags.sandboxFile));
  const partner = choosePartner(sandbox, flags.partner);
  const showSecrets = flags.showSecrets === true;
  const isDry = flags.dryRun === true;
  const { fetch, onExchange, last } = watchCalls({
    row,
    showSecrets,
    send: isDry ? createCapture(flags.accessToken).send : globalThis.fetch,
  });
  const client = createPartnerClient({ sandbox, partner, clock, fetch, ...(isDry ? {} : { onExchange }) });

  note(`Partner:    ${partner.partnerId} (${partner.signing} signing)`);
  if (filled.length > 0) note(`Generated:  ${filled.join(", ")}`);
  for (const warning of warnings) note(`Note:       ${warning}`);
  const { externalId, customerToken } = flags;
  const options = row.kind === "token" ? {} : { externalId, customerToken };
  const send = () => client.call<CallName>(row.name, body, options);
  if (isDry) {
    await showDryRun(send, last, { accessToken: flags.accessToken, showSecrets });
    return exitCodes.done;
  }
  try {
    const response = await send();
    print(formatJson(JSON.parse(response.raw)));
    const isFinal =
      response.case === "success" && !("transactionStatus" in response && response.transactionStatus === "03");
    const advice = isFinal ? undefined : statusAdvice(response);
    if (advice !== undefined) note(`\n${advice}`);
    return exitCodes.done;
  } catch (error) {
    return reportFailure(error, { baseUrl: sandbox.baseUrl, partner, showSecrets, sent: last() });
  }
}

function collect(assignment: string, before: readonly string[] = []): readonly string[] {
  return [...before, assignment];
}

/** Action of `titian call`. */
import type { CallName } from "@titian/client";
import { createClock } from "@titian/server/admin";
import { type ExitCode, exitCodes, usageError } from "../cli-error.ts";
import { formatJson, note, print } from "../output.ts";
import { choosePartner, readSandboxFile, sandboxFilePath } from "../sandbox/sandbox-file.ts";
import { statusAdvice } from "./advise.ts";
import { buildBody } from "./build-body.ts";
import { createCapture, showDryRun } from "./dry-run.ts";
import { findOperation } from "./find-operation.ts";
import { createPartnerClient } from "./partner-client.ts";
import { reportFailure } from "./report-failure.ts";
import { watchCalls } from "./watch-calls.ts";

export interface CallFlags {
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

export async function call(operation: string, flags: CallFlags): Promise<ExitCode> {
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
      response.case === "success" &&
      row.about.noun !== "paymentRequest" &&
      !("transactionStatus" in response && response.transactionStatus === "03");
    const advice = isFinal ? undefined : statusAdvice(response);
    if (advice !== undefined) note(`\n${advice}`);
    return exitCodes.done;
  } catch (error) {
    return reportFailure(error, { baseUrl: sandbox.baseUrl, partner, showSecrets, sent: last() });
  }
}

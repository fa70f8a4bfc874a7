/** Actions of `titian bulk send`. */
import { type Bulk, type BulkReport, type CallError, type Client, payInBulk, prepareBulks } from "@titian/client";
import { createClock } from "@titian/server/admin";
import { createPartnerClient } from "../call/partner-client.ts";
import { requireAccountsCell } from "../chosen-cell.ts";
import { CliError, type ExitCode, exitCodes, usageError } from "../cli-error.ts";
import { confirm } from "../confirm.ts";
import { readDuration } from "../options/duration.ts";
import { note, print } from "../output.ts";
import { choosePartner, readSandboxFile, type SandboxPartner, sandboxFilePath } from "../sandbox/sandbox-file.ts";
import { stopOnSignal } from "../stop-on-signal.ts";
import { amountColumn, formatTable } from "../tables/table.ts";
import { type ListFlags, type PaymentList, readList } from "./payment-list.ts";
import { checkOutputs, writeResults, writeRetry } from "./results-file.ts";
import { reportSendFailure, whyFailed } from "./send-failure.ts";
import { startSendProgress } from "./send-progress.ts";
import { showReport, toJson } from "./send-report.ts";
import { formatTotal } from "./totals.ts";

export interface SendFlags extends ListFlags {
  readonly partner?: string;
  readonly sandboxFile?: string;
  readonly bulkSize: string;
  readonly results?: string;
  readonly retry?: string;
  readonly retryFor: string;
  readonly wait: boolean;
  readonly dryRun?: true;
  readonly json?: true;
  readonly yes?: true;
}

/** Time limit for a bulk of 10,000 payments on a slow line. */
const callTimeoutMs = 60_000;

export async function send(file: string, flags: SendFlags): Promise<ExitCode> {
  requireAccountsCell();
  const sandbox = readSandboxFile(sandboxFilePath(flags.sandboxFile));
  const partner = choosePartner(sandbox, flags.partner);
  checkOutputs(flags, file);
  const retryForMs = readDuration("--retry-for", flags.retryFor) * 1_000;
  const list = readList(file, flags);
  const maxItems = readBulkSize(flags.bulkSize);
  const clock = createClock();
  const bulks = prepareBulks(list.order, { maxItems }, clock);
  if (list.ignored.length > 0) note(`Ignored columns: ${list.ignored.join(", ")}`);
  if (flags.dryRun) {
    print(formatBulks(bulks));
    note(`\nNothing was sent. ${describe(list, bulks, partner)}`);
    return exitCodes.done;
  }
  if (!flags.yes && !(await confirm(`${describe(list, bulks, partner)} Pay them?`))) {
    throw new CliError("Nothing was sent. Answer yes, or give --yes, to send it.");
  }
  const client = createPartnerClient({ sandbox, partner, clock, fetch: globalThis.fetch });
  const startedAt = clock.real();
  const outcome = await pay(client, list, { maxItems, retryForMs, wait: flags.wait, partner });
  if (typeof outcome === "number") return outcome;
  const seconds = (clock.real() - startedAt) / 1_000;
  if (flags.results !== undefined) writeResults(flags.results, list, outcome.results);
  if (flags.retry !== undefined) writeRetry(flags.retry, list, outcome.results);
  if (flags.json) print(toJson(outcome, seconds));
  else showReport(outcome, { list, seconds, flags });
  return exitCodeOf(outcome, flags.wait);
}

interface PayOptions {
  readonly maxItems: number;
  readonly retryForMs: number;
  readonly wait: boolean;
  readonly partner: SandboxPartner;
}

/** The report, or the exit code where there is none. */
async function pay(client: Client, list: PaymentList, options: PayOptions): Promise<BulkReport | ExitCode> {
  const { partner, ...rest } = options;
  const stop = stopOnSignal();
  const progress = startSendProgress();
  let mayBeAccepted = false;
  const onRetry = (error: CallError, pauseMs: number) => {
    mayBeAccepted ||= error.code !== "ERR_NOT_SENT";
    note(`${whyFailed(error)}: again in ${pauseMs / 1_000} s`);
  };
  try {
    const { signal } = stop;
    const { update: onProgress } = progress;
    return await payInBulk(client, list.order, { ...rest, timeoutMs: callTimeoutMs, signal, onProgress, onRetry });
  } catch (error) {
    progress.stop();
    const isStopped = stop.signal.aborted;
    return reportSendFailure(error, { list, partner, isStopped, mayBeAccepted, last: progress.last() });
  } finally {
    progress.stop();
    stop.release();
  }
}

function describe({ order }: PaymentList, bulks: readonly Bulk[], partner: SandboxPartner): string {
  const { name, payments, sourceAccountNo } = order;
  const size = bulks.length === 1 ? "1 bulk" : `${bulks.length} bulks`;
  return `${name}: ${payments.length} payments in ${size}, ${formatTotal(payments)} without fees, from ${sourceAccountNo} as ${partner.partnerId}.`;
}

function formatBulks(bulks: readonly Bulk[]): string {
  const rows = bulks.map(({ partnerBulkId, payments, attempt }) => {
    const [first, last] = [payments[0]?.partnerReferenceNo, payments.at(-1)?.partnerReferenceNo];
    const { externalId } = attempt;
    return { partnerBulkId, payments: payments.length, total: formatTotal(payments), first, last, externalId };
  });
  const columns = {
    partnerBulkId: "bulk",
    payments: "payments",
    total: amountColumn("total"),
    first: "first",
    last: "last",
  };
  return formatTable({ ...columns, externalId: "X-EXTERNAL-ID" }, rows);
}

function readBulkSize(text: string): number {
  const size = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (size >= 1 && size <= 10_000) return size;
  throw usageError(`--bulk-size ${text} is not a number from 1 to 10000.`);
}

function exitCodeOf({ counts }: BulkReport, waited: boolean): ExitCode {
  if (!waited) return exitCodes.done;
  if (counts.open > 0) return exitCodes.unknown;
  return counts.rejected + counts.returned > 0 ? exitCodes.partial : exitCodes.done;
}

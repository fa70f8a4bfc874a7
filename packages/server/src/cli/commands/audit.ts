/** `titian audit`: recomputes the ledger from its entries, while it is in use. */
import { formatTimestamp } from "@titian/contract";
import type { Command } from "commander";
import { type AuditReport, runAudit } from "../../admin/audit.ts";
import { estimateRows } from "../../store/postgres/row-estimates.ts";
import { type ExitCode, exitCodes } from "../cli-error.ts";
import { findDatabaseUrl } from "../database-url.ts";
import { formatJson, note, print } from "../output.ts";
import { type Progress, startProgress } from "../progress.ts";
import { formatTable } from "../tables/table.ts";

interface AuditFlags {
  readonly full?: true;
  readonly json?: true;
  readonly sandboxFile?: string;
}

const examples = `
Audits the database of DATABASE_URL, or that of the running sandbox. It reads in slices of at most 2 s and may run while
calls are served. A clean audit stores its position; the next one reads what was committed since, with the accounts,
holds and transfers it changed. Only --full finds manual changes of older rows.

Examples:
  titian audit
  titian audit --full
  DATABASE_URL=postgres://… titian audit --json

Exit codes: 0 clean, 1 findings.`;

export function addAudit(program: Command, end: (code: ExitCode) => void): void {
  program
    .command("audit")
    .description("recompute balances, journals and records, and list the differences")
    .option("--full", "from the first entry, not from the position of the last clean audit")
    .option("--json", "the report as JSON")
    .option("--sandbox-file <path>", "default: sandbox.json in TITIAN_DATA_DIR (.titian)")
    .addHelpText("after", examples)
    .action(async (flags: AuditFlags) => end(await audit(flags)));
}

async function audit({ full, json, sandboxFile }: AuditFlags): Promise<ExitCode> {
  const { url, source } = findDatabaseUrl(sandboxFile);
  note(`Auditing the database of ${source}`);
  const report = await auditWithProgress(url, full === true ? "renew" : "use");
  if (json === true) print(formatJson(report));
  else showReport(report);
  return report.ok ? exitCodes.done : exitCodes.failed;
}

async function auditWithProgress(url: string, watermark: "use" | "renew"): Promise<AuditReport> {
  const { accounts, entries, holds } = await estimateRows(url);
  const totals = {
    accounts: { what: "accounts", rows: accounts },
    journals: { what: "entries", rows: entries },
    holds: { what: "holds", rows: holds },
  };
  let pass: keyof typeof totals | undefined;
  let progress: Progress | undefined;
  try {
    return await runAudit(url, {
      watermark,
      onStart: (sinceMs) => {
        if (sinceMs !== undefined)
          note(`Auditing what was committed since ${formatTimestamp(sinceMs)}; everything with --full`);
      },
      onProgress: (done) => {
        if (pass !== done.pass) {
          progress?.stop();
          progress = startProgress(totals[done.pass].what);
          pass = done.pass;
        }
        progress?.update(done.rows, totals[done.pass].rows);
      },
    });
  } finally {
    progress?.stop();
  }
}

function showReport({ ok, findings }: AuditReport): void {
  if (ok) {
    print("Clean: no differences.");
    return;
  }
  print(formatTable({ check: "check", subject: "subject", expected: "expected", found: "found" }, findings));
  note(
    `\n${findings.length} findings. Balances may be wrong: stop writes, keep this report, and check the subjects listed.`,
  );
}

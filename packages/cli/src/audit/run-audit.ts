/** Action of `titian audit`. */
import { formatTimestamp } from "@titian/contract";
import { type AuditOptions, type AuditReport, estimateRows, runAudit } from "@titian/server/admin";
import { type ExitCode, exitCodes, usageError } from "../cli-error.ts";
import { findDatabaseUrl } from "../database-url.ts";
import { formatJson, note, print } from "../output.ts";
import { formatTable } from "../tables/table.ts";
import { type Progress, startProgress } from "../progress.ts";
import { readPublicKey } from "../options/public-key.ts";

export interface AuditFlags {
  readonly full?: true;
  readonly sessions: string;
  readonly publicKey?: readonly string[];
  readonly json?: true;
  readonly sandboxFile?: string;
}

export async function audit({ full, sessions, publicKey = [], json, sandboxFile }: AuditFlags): Promise<ExitCode> {
  if (!/^[1-8]$/.test(sessions)) throw usageError(`--sessions is ${sessions}: give a number from 1 to 8`);
  const publicKeys = publicKey.map(readPublicKey);
  const { url, source, providerKey } = findDatabaseUrl(sandboxFile);
  note(`Auditing the database of ${source}`);
  const report = await auditWithProgress(url, {
    watermark: full === true ? "renew" : "use",
    sessions: Number(sessions),
    providerKeys: providerKey === undefined ? publicKeys : [providerKey, ...publicKeys],
  });
  if (json === true) print(formatJson(report));
  else showReport(report);
  return report.ok ? exitCodes.done : exitCodes.failed;
}

async function auditWithProgress(
  url: string,
  options: Pick<AuditOptions, "watermark" | "sessions" | "providerKeys">,
): Promise<AuditReport> {
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
      ...options,
      onStart: (sinceMs) => {
        if (sinceMs !== undefined)
          note(`Auditing what was committed since ${formatTimestamp(sinceMs)}; everything with --full`);
      },
      onDetached: (untilMs) =>
        note(`Not checked: entries and requests of detached partitions, up to ${formatTimestamp(untilMs)}`),
      onHeldBack: (sinceMs) =>
        note(
          sinceMs === undefined
            ? "The position will not be stored: a transaction of another role stays open"
            : `A transaction has been open since ${formatTimestamp(sinceMs)}: the next audit reads from there again`,
        ),
      onProgress: (done) => {
        if (pass !== done.pass) {
          progress?.stop();
          progress = startProgress({ what: totals[done.pass].what, done: "checked", isAbout: true });
          pass = done.pass;
        }
        progress?.update(done.rows, totals[done.pass].rows);
      },
    });
  } finally {
    progress?.stop();
  }
}

function showReport({ ok, findings, unchecked = [] }: AuditReport): void {
  if (ok) print(unchecked.length === 0 ? "Clean: no differences." : "No differences in what was checked.");
  else print(formatTable({ check: "check", subject: "subject", expected: "expected", found: "found" }, findings));
  for (const what of unchecked) print(`Not checked: ${what}.`);
  if (ok) return;
  note(
    `\n${findings.length} findings. Balances may be wrong: stop writes, keep this report, and check the subjects listed.`,
  );
  for (const advice of new Set(findings.flatMap((finding) => finding.advice ?? []))) note(advice);
}

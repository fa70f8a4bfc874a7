/** The audit that operators run, over everything a subject has written. */
import { runAudit } from "../../packages/server/src/admin/audit.ts";

/** Throws, with the first findings, unless the ledger is in order. */
export async function auditDatabase(name: string, url: string): Promise<void> {
  const { ok, findings } = await runAudit(url);
  if (!ok) throw new Error(`The audit after ${name} found:\n${JSON.stringify(findings.slice(0, 5), null, 1)}`);
}

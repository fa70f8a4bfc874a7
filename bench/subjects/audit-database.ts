/** The audit that operators run, over everything a subject has written. */
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";

const tellEveryMs = 10_000;

/** Tells how far it is, and what it found. Throws, with the first findings, unless the ledger is in order. */
export async function auditDatabase(name: string, url: string, onProgress: (text: string) => void): Promise<void> {
  onProgress(`auditing ${name}`);
  const startedAt = performance.now();
  let toldAt = startedAt;
  let entries = 0;
  const { ok, findings } = await runAudit(url, {
    // Nothing else runs meanwhile.
    sessions: 2,
    onProgress: ({ pass, rows }) => {
      if (pass === "journals") entries = rows;
      if (performance.now() - toldAt < tellEveryMs) return;
      toldAt = performance.now();
      onProgress(`auditing ${name}: ${rows.toLocaleString("en")} ${pass === "journals" ? "entries" : pass} so far`);
    },
  });
  if (!ok) throw new Error(`The audit after ${name} found:\n${JSON.stringify(findings.slice(0, 5), null, 1)}`);
  const seconds = (performance.now() - startedAt) / 1_000;
  onProgress(`${name} is in order: ${entries.toLocaleString("en")} entries audited in ${seconds.toFixed(1)} s`);
}

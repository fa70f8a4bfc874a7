/** Recomputes everything the ledger holds from its entries and says what does not fit; usable while calls are served. */
import { type AuditSession, firstId, type Finding, isOverdue, lastId, openAuditSession } from "../store/audit.ts";
import type { AuditPass } from "../store/audit/check.ts";
import { newId } from "../ids.ts";
import { AdminError } from "./result.ts";

export interface AuditReport {
  readonly ok: boolean;
  /** At most `findingsMax`; the audit ends when they are reached. */
  readonly findings: readonly Finding[];
}

export interface AuditProgress {
  readonly pass: AuditPass;
  /** Accounts, entries or holds, about so many looked at so far. */
  readonly rows: number;
}

export interface AuditOptions {
  readonly onProgress?: (progress: AuditProgress) => void;
  /** Rows a slice; halved when one takes too long, and grown back. */
  readonly sliceRows?: number;
  readonly findingsMax?: number;
}

const passes: readonly AuditPass[] = ["accounts", "journals", "holds"];
const defaultSliceRows = 20_000;
const defaultFindingsMax = 100;
/** A slice this small that is still cut off means the database is in trouble, not that the slice is large. */
const sliceRowsMin = 100;

export async function runAudit(databaseUrl: string, options: AuditOptions = {}): Promise<AuditReport> {
  await using session = await openAuditSession(databaseUrl);
  const findings: Finding[] = [];
  const most = options.findingsMax ?? defaultFindingsMax;
  // What is made from now on belongs to the next audit: it would never catch up with a busy ledger.
  const now = newId();
  const ends = { accounts: lastId, journals: now, holds: now } as const satisfies Record<AuditPass, string>;
  for (const pass of passes) {
    const found = await runPass(session, pass, { most: most - findings.length, end: ends[pass] }, options);
    findings.push(...found);
    if (findings.length >= most) break;
  }
  return { ok: findings.length === 0, findings };
}

interface PassLimits {
  /** Findings. */
  readonly most: number;
  /** The pass is over when its watermark has reached this id. */
  readonly end: string;
}

/** Slices follow each other from a watermark; what is committed behind it meanwhile belongs to the next audit. */
async function runPass(
  session: AuditSession,
  pass: AuditPass,
  { most, end }: PassLimits,
  { onProgress, sliceRows = defaultSliceRows }: AuditOptions,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  let watermark = firstId;
  let size = sliceRows;
  for (let rows = 0; watermark < end && findings.length < most; ) {
    try {
      const next = await session.nextSlice(pass, watermark, size);
      findings.push(...(await session.check(next.slice, most - findings.length)));
      watermark = next.slice.to;
      rows += next.rows;
      size = Math.min(size * 2, sliceRows);
      onProgress?.({ pass, rows });
    } catch (error) {
      if (!isOverdue(error)) throw error;
      if (size <= sliceRowsMin) {
        throw new AdminError("The audit was cut off: not even a small slice was read within 2 s. Try again later.", {
          cause: error,
        });
      }
      size = Math.max(sliceRowsMin, size >> 1);
    }
  }
  return findings.slice(0, most);
}

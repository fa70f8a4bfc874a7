/** Recomputes the ledger from its entries and reports differences; usable while calls are served. */
import { highestId, idAt, lowestId, timeOf } from "../../basics/ids.ts";
import type { Period } from "../../store/audit/detached.ts";
import type { Finding } from "../../store/audit/finding.ts";
import { type AuditSession, openAuditSession } from "../../store/audit/session.ts";
import { type AuditProgress, type Pass, readInTime, runPass } from "./audit-pass.ts";
import { recordCheckOf } from "../record-keys.ts";
import { AdminError } from "../result.ts";

export interface AuditReport {
  readonly ok: boolean;
  /** At most `findingsMax`; the audit ends when they are reached. */
  readonly findings: readonly Finding[];
  /** Checks that could not be made, with the reason, as sentences; absent: none. */
  readonly unchecked?: readonly string[];
}

export interface AuditOptions {
  /**
   * `use`: only what came since an audit last found everything in order; all of it, if none did. `renew`: all of it.
   * Either keeps how far it came, if it finds nothing. Absent: all of it, and nothing is kept.
   */
  readonly watermark?: "use" | "renew";
  /** In PEM, public or private: those that records of detached partitions may be signed with. None: no signature is verified. */
  readonly providerKeys?: readonly string[];
  /** Told before it begins what it starts from (epoch ms); undefined: the first entry. */
  readonly onStart?: (sinceMs: number | undefined) => void;
  /** Told that partitions are detached and not checked, of times up to this one (epoch ms). */
  readonly onDetached?: (untilMs: number) => void;
  /** Told since when (epoch ms) an open transaction writes: the next audit reads from there. Undefined: nothing is kept. */
  readonly onHeldBack?: (sinceMs: number | undefined) => void;
  readonly onProgress?: (progress: AuditProgress) => void;
  /** Sessions that read at once, each a core of the database's machine; one by default, which leaves the others to calls. */
  readonly sessions?: number;
  /** Rows a slice; halved when one takes too long, and grown back slowly. By default as many as a pass reads in half a second. */
  readonly sliceRows?: number;
  readonly findingsMax?: number;
  /** Time after its id was made in which a command may commit, whichever node made it. */
  readonly lateCommitMs?: number;
}

const defaultFindingsMax = 100;
/** A node serves calls while its clock is up to five minutes wrong; a command ends within half a minute. */
const defaultLateCommitMs = 360_000;
/** @throws AdminError where the role may not keep the position; also where partitions were detached or attached meanwhile: nothing is kept then. */
export async function runAudit(databaseUrl: string, options: AuditOptions = {}): Promise<AuditReport> {
  await using stack = new AsyncDisposableStack();
  const session = stack.use(await openAuditSession(databaseUrl));
  if (options.watermark) await checkRole(session);
  const sessions = [session];
  while (sessions.length < (options.sessions ?? 1)) sessions.push(stack.use(await openAuditSession(databaseUrl)));
  // The database's time: with a wrong clock of this machine the watermark could lie in the future.
  const now = Math.floor(await session.readClock());
  const { lateCommitMs = defaultLateCommitMs, onHeldBack } = options;
  // Before anything is read: what is committed and not seen yet is not seen by a slice either.
  const writesSince = options.watermark ? await session.readOldestWriter(now) : now;
  if (writesSince === undefined || writesSince < now - lateCommitMs) onHeldBack?.(writesSince);
  const kept = options.watermark && (await session.readWatermark());
  // A watermark in the future was written with a wrong clock: it is ignored.
  const isUsed = options.watermark === "use" && kept !== undefined && kept <= idAt(now - lateCommitMs);
  const since = isUsed ? kept : undefined;
  options.onStart?.(since === undefined ? undefined : timeOf(since));
  const detached = await session.readDetached();
  const last = detached.at(-1);
  if (last) options.onDetached?.(timeOf(last.to));
  await session.summarize();
  // Rows made from now on belong to the next audit: it would never catch up with a busy ledger.
  const end = idAt(now + 1);
  const passes: readonly Pass[] =
    since === undefined
      ? [
          { pass: "accounts", from: lowestId, to: highestId, touched: false },
          ...journalPasses(lowestId, end, detached, false),
          { pass: "holds", from: lowestId, to: end, touched: false },
        ]
      : journalPasses(since, end, detached, true);
  const { providerKeys = [] } = options;
  const found = await runPasses(sessions, passes, options);
  const checking = session.checkDetached(providerKeys.length > 0 ? recordCheckOf(providerKeys) : undefined);
  const ofDetached = await readInTime(checking, "records of detached partitions");
  const limit = options.findingsMax ?? defaultFindingsMax;
  const reading = session.checkActs({ limit, isEverything: since === undefined });
  const ofActs = await readInTime(reading, "steps of acts");
  const findings = [...ofDetached.findings, ...ofActs, ...found];
  // Slices before it and behind it read different ledgers: differences between them say nothing.
  if (JSON.stringify(await session.readDetached()) !== JSON.stringify(detached))
    throw new Error("partitions were detached or attached meanwhile: run it again");
  // After a finding the next audit starts from the same point.
  if (options.watermark && findings.length === 0 && writesSince !== undefined)
    await session.keepWatermark(idAt(writesSince - lateCommitMs), kept);
  const { unchecked } = ofDetached;
  return { ok: findings.length === 0, findings, ...(unchecked.length > 0 && { unchecked }) };
}

/** Before it reads for minutes. */
async function checkRole(session: AuditSession): Promise<void> {
  const role = await session.findRoleWithoutPosition();
  if (role === undefined) return;
  throw new AdminError(
    `DATABASE_URL logs in as ${role}, which may not keep how far an audit came: set it to the URL of the role of audits; the ` +
      "database's owner gives a role its rights by `titian migrate --audit-role <role>`.",
  );
}

/** Passes between the detached periods, and behind them: a period that came back may lie before one that did not. */
function journalPasses(from: string, end: string, detached: readonly Period[], touched: boolean): readonly Pass[] {
  const passes: Pass[] = [];
  let start = from;
  for (const period of detached) {
    if (period.from > start)
      passes.push({ pass: "journals", from: start, to: period.from, limit: period.from, touched });
    if (period.to > start) start = period.to;
  }
  return [...passes, { pass: "journals", from: start, to: end, touched }];
}

async function runPasses(sessions: readonly AuditSession[], passes: readonly Pass[], options: AuditOptions) {
  const limit = options.findingsMax ?? defaultFindingsMax;
  // A row that two slices touch is looked at twice.
  const findings = new Map<string, Finding>();
  for (const pass of passes) {
    await runPass(sessions, pass, {
      limit,
      sliceRows: options.sliceRows,
      onChecked: (progress, found) => {
        for (const finding of found) findings.set(JSON.stringify(finding), finding);
        options.onProgress?.(progress);
        return findings.size < limit;
      },
    });
    if (findings.size >= limit) break;
  }
  return [...findings.values()].slice(0, limit);
}

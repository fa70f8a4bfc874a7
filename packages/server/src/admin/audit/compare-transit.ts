/**
 * Compares what one cell sent with what another mirrored of it, by one entry of each stream: balances are chains, so a stream that
 * agrees at its last mirrored entry agrees at all before it. With the audit of each cell, which checks the chains, that is all.
 */
import { currencyCodes } from "@titian/contract";
import { lowestId } from "../../basics/ids.ts";
import { internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import type { Finding } from "../../store/audit/finding.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import {
  lowestBehind,
  readTransitBalance,
  readTransitEntries,
  readTransitPositions,
  type TransitPosition,
} from "../../store/reads/transit.ts";

/** Findings between cell `a`, which pays, and cell `b`, whose accounts are paid. Usable while payments are shipped. */
export async function compareTransit(
  poolA: StatementPool,
  poolB: StatementPool,
  a: number,
  b: number,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { outNo, inNo, mirror, source } of await readPairs(poolA, poolB, a, b)) {
    const found = mirror && (await compare(poolA, mirror, source));
    if (found) findings.push({ subject: `${outNo} of cell ${a}, ${inNo} of cell ${b}`, ...found });
  }
  return findings;
}

export interface Unmirrored {
  /** Id below which every entry is mirrored: no partition that has it, or is above it, may be detached. */
  readonly from: string;
  readonly entries: number;
}

/** Entries of cell `a` that cell `b` has not mirrored yet. Undefined: there are none. */
export async function findUnmirrored(
  poolA: StatementPool,
  poolB: StatementPool,
  a: number,
  b: number,
): Promise<Unmirrored | undefined> {
  const found: Unmirrored[] = [];
  for (const { mirror, source } of await readPairs(poolA, poolB, a, b)) {
    const after = mirror?.version ?? 0;
    if (!source || source.version <= after) continue;
    const [first] = await readTransitEntries(poolA, { account: source.id, after, afterJournal: undefined });
    found.push({ from: first ? lowestBehind(first.journalId) : lowestId, entries: source.version - after });
  }
  const [from] = found.map((one) => one.from).toSorted();
  return from === undefined ? undefined : { from, entries: found.reduce((sum, one) => sum + one.entries, 0) };
}

/** The accounts of each currency that has any. */
async function readPairs(poolA: StatementPool, poolB: StatementPool, a: number, b: number) {
  const pairs = currencyCodes.map((currency) => ({
    outNo: internalAccountNo("transit", currency, "out", b),
    inNo: internalAccountNo("transit", currency, "in", a),
  }));
  // The mirror first: what is sent meanwhile can only put it further behind.
  const mirrors = await readTransitPositions(
    poolB,
    pairs.map(({ inNo }) => inNo),
  );
  const sources = await readTransitPositions(
    poolA,
    pairs.map(({ outNo }) => outNo),
  );
  return pairs.map((pair) => ({ ...pair, mirror: mirrors.get(pair.inNo), source: sources.get(pair.outNo) }));
}

async function compare(
  pool: StatementPool,
  mirror: TransitPosition,
  source: TransitPosition | undefined,
): Promise<Omit<Finding, "subject"> | undefined> {
  const { name, version, balance } = mirror;
  if (name !== source?.id) {
    return {
      check: "transitMirrorsItsAccount",
      expected: `account ${source?.id ?? "of none"}`,
      found: `account ${name}`,
    };
  }
  if (version > source.version) {
    const expected = `version ${source.version} at most`;
    return { check: "transitNotAhead", expected, found: `version ${version}` };
  }
  const sent = await readTransitBalance(pool, source.id, version);
  if (sent !== undefined && balance === -sent) return undefined;
  const expected = sent === undefined ? `an entry of version ${version}` : `balance ${-sent} at version ${version}`;
  return { check: "transitMirrored", expected, found: `balance ${balance}` };
}

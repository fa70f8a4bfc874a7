/**
 * Compares what one cell sent with what another mirrored of it, by one entry of each stream: balances are chains, so a stream that
 * agrees at its last mirrored entry agrees at all before it. With the audit of each cell, which checks the chains, that is all.
 */
import { currencyCodes } from "@titian/contract";
import { internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import type { Finding } from "../../store/audit/finding.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { readTransitBalance, readTransitPositions, type TransitPosition } from "../../store/reads/transit.ts";

/** Findings between cell `a`, which pays, and cell `b`, whose accounts are paid. Usable while payments are shipped. */
export async function compareTransit(
  poolA: StatementPool,
  poolB: StatementPool,
  a: number,
  b: number,
): Promise<readonly Finding[]> {
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
  const findings: Finding[] = [];
  for (const { outNo, inNo } of pairs) {
    const mirror = mirrors.get(inNo);
    if (!mirror) continue;
    const found = await compare(poolA, mirror, sources.get(outNo));
    if (found) findings.push({ subject: `${outNo} of cell ${a}, ${inNo} of cell ${b}`, ...found });
  }
  return findings;
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

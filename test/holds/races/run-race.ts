/** Rounds of a race, each checked against the database; a thousand rounds share one database. */
import { runAudit } from "../../../packages/server/src/admin/audit/audit.ts";
import { randomNumbers } from "../../torture/random-numbers.ts";
import type { TortureResult } from "../../torture/result.ts";
import { readBalances, readHold } from "../hold-record.ts";
import { checkRecord, compare } from "./check-record.ts";
import { type Deployment, openRaceFixture, type Race, type RaceFixture, type RaceResult } from "./race-fixture.ts";

export interface RaceOptions {
  readonly deployment: Deployment;
  readonly rounds: number;
  readonly seed: number;
  readonly onProgress?: (text: string) => void;
}

const roundsOfDatabase = 1_000;
const faultsMax = 20;

export async function runRace(
  race: Race,
  { deployment, rounds, seed, onProgress }: RaceOptions,
): Promise<TortureResult> {
  const random = randomNumbers(seed);
  const faults: string[] = [];
  const outcomes = new Map<string, number>();
  const failures = new Map<string, number>();
  const startedAt = performance.now();
  let [done, calls] = [0, 0];
  while (done < rounds && faults.length < faultsMax) {
    await using fixture = await openRaceFixture(deployment);
    const last = Math.min(done + roundsOfDatabase, rounds);
    while (done < last && faults.length < faultsMax) {
      const results = await race.run(fixture, random, Math.min(race.atOnce, last - done));
      for (const one of results) {
        done += 1;
        faults.push(...(await checkRound(one, fixture)).map((fault) => `round ${done}: ${fault}`));
        count(outcomes, one.outcome);
        calls += one.answered.length;
      }
      faults.push(...(await checkBalances(fixture)));
    }
    faults.push(...(await endFaults(fixture)));
    for (const node of fixture.nodes) for (const [failure, times] of node.failures) count(failures, failure, times);
    onProgress?.(`${done} rounds`);
  }
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  const summary = `${done} rounds with ${calls} calls in ${seconds} s over ${deployment}: ${list(outcomes)}`;
  return { faults, summary: failures.size === 0 ? summary : `${summary}; batches retried after: ${list(failures)}` };
}

async function checkRound(result: RaceResult, { client, expected }: RaceFixture): Promise<readonly string[]> {
  const record = await readHold(client, result.original.originalReferenceNo);
  return [...result.check(record), ...checkRecord(record, result.answered, expected)];
}

async function checkBalances({ client, merchant, expected }: RaceFixture): Promise<readonly string[]> {
  const [payerNo, settlementNo] = [merchant.payer.accountNo, merchant.settlement.accountNo];
  const found = await readBalances(client, [payerNo, settlementNo]);
  const { balance: payer, held } = found.get(payerNo) ?? {};
  return compare("balances", { payer, held, settlement: found.get(settlementNo)?.balance }, expected);
}

/** Faults of the whole database. Batches may conflict and wait in a race; no command may fail by itself. */
async function endFaults({ url, nodes }: RaceFixture): Promise<readonly string[]> {
  const { findings } = await runAudit(url);
  const failures = nodes.flatMap((node) => [...node.failures.keys()]);
  return [
    ...findings.map(({ check, subject, expected, found }) => `audit: ${check} ${subject}: ${expected}, found ${found}`),
    ...failures.filter((failure) => /^(alone|unknown|poison)/.test(failure)),
  ];
}

function count(counts: Map<string, number>, what: string, times = 1): void {
  counts.set(what, (counts.get(what) ?? 0) + times);
}

const list = (counts: ReadonlyMap<string, number>) =>
  [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([what, times]) => `${what} ${times}`)
    .join(", ");

/** Rounds of a race, each checked against the database when it is over; a database is used for a thousand of them. */
import { runAudit } from "../../../packages/server/src/admin/audit.ts";
import { randomNumbers } from "../../torture/random-numbers.ts";
import type { TortureResult } from "../../torture/result.ts";
import { checkBooks, checkRecord } from "./check-record.ts";
import { readAccounts, readRecord } from "./hold-record.ts";
import { openRaceScene, type RaceScene, type Where } from "./race-fixture.ts";
import type { Race, Raced } from "./races.ts";

export interface RaceOptions {
  readonly where: Where;
  readonly rounds: number;
  readonly seed: number;
  readonly onProgress?: (text: string) => void;
}

const roundsOfDatabase = 1_000;
/** What is wrong in so many ways need not be looked at further. */
const faultsMax = 20;

export async function runRace(race: Race, { where, rounds, seed, onProgress }: RaceOptions): Promise<TortureResult> {
  const random = randomNumbers(seed);
  const faults: string[] = [];
  const outcomes = new Map<string, number>();
  const failures = new Map<string, number>();
  const startedAt = performance.now();
  let [done, calls] = [0, 0];
  while (done < rounds && faults.length < faultsMax) {
    await using scene = await openRaceScene(where);
    const last = Math.min(done + roundsOfDatabase, rounds);
    while (done < last && faults.length < faultsMax) {
      const raced = await race.run(scene, random, Math.min(race.atOnce, last - done));
      for (const one of raced) {
        done += 1;
        faults.push(...(await judge(one, scene)).map((fault) => `round ${done}: ${fault}`));
        count(outcomes, one.outcome);
        calls += one.answered.length;
      }
      faults.push(...checkBooks(await readAccounts(scene.client, scene.shop), scene.books));
    }
    faults.push(...(await endFaults(scene)));
    for (const node of scene.nodes) for (const [failure, times] of node.failures) count(failures, failure, times);
    onProgress?.(`${done} rounds`);
  }
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  const told = `${done} rounds with ${calls} calls in ${seconds} s over ${where}: ${list(outcomes)}`;
  return { faults, summary: failures.size === 0 ? told : `${told}; batches retried after: ${list(failures)}` };
}

async function judge(raced: Raced, { client, books }: RaceScene): Promise<readonly string[]> {
  const record = await readRecord(client, raced.original.originalReferenceNo);
  return [...raced.judge(record), ...checkRecord(record, raced.answered, books)];
}

/** Of the whole database; conflicts and waits of batches are part of racing, what failed alone would be a bug. */
async function endFaults({ url, nodes }: RaceScene): Promise<readonly string[]> {
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

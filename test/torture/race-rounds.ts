/** Many rounds of races over two nodes, some at a time. */
import { startRailFixture } from "../support/black-box/rails/rail-fixture.ts";
import { createAnswerRaces } from "../e2e/payment-requests/answer-races.ts";
import type { TortureResult } from "./result.ts";

export interface RaceOptions {
  readonly rounds: number;
  onProgress(text: string): void;
}

const atOnce = 20;

/** Every race about the responses to payment requests (19). */
export async function racePaymentRequests({ rounds, onProgress }: RaceOptions): Promise<TortureResult> {
  await using fixture = await startRailFixture();
  await fixture.moveTo(fixture.at(0, "10:00:01"));
  await using second = await fixture.sandbox.startNode();
  const races = await createAnswerRaces(fixture, second.baseUrl);
  const faults: string[] = [];
  for (const [name, race] of Object.entries(races)) {
    for (let from = 0; from < rounds; from += atOnce) {
      const numbers = Array.from({ length: Math.min(atOnce, rounds - from) }, (_, round) => from + round);
      const found = await Promise.allSettled(numbers.map(race));
      for (const result of found) if (result.status === "rejected") faults.push(`${name}: ${String(result.reason)}`);
      const done = from + numbers.length;
      if (done % 200 === 0 || done === rounds) onProgress(`${name}: ${done} of ${rounds} rounds`);
    }
  }
  const { ok, findings } = await fixture.control.audit();
  if (!ok) faults.push(`the audit found ${JSON.stringify(findings)}`);
  return { faults, summary: `${Object.keys(races).length} races, ${rounds} rounds of each, over two nodes` };
}

/** Connections cut around commits, hundreds of times under load: no doubled effect, no wrong answer. */
import { Client } from "pg";
import { type ForkedNode, forkNode } from "../engine/fork-node.ts";
import { accounts, seedAccounts } from "../engine/seed-accounts.ts";
import { countAnswers, findLies, startCallers, untilMoreAnswers } from "./callers.ts";
import { cuts, startCommitProxy } from "./commit-proxy.ts";
import { randomNumbers } from "./random-numbers.ts";
import type { TortureResult } from "./result.ts";

export interface CutOptions {
  /** Address of a migrated, empty database. */
  readonly url: string;
  readonly cuts: number;
  readonly seed: number;
  readonly silenceMs: number;
  onProgress?(text: string): void;
}

const accountCount = 12;

export async function cutCommits(options: CutOptions): Promise<TortureResult> {
  const random = randomNumbers(options.seed);
  const client = new Client({ connectionString: options.url });
  await client.connect();
  await seedAccounts(client, accounts(accountCount, 1_000_000n));
  let asked = 0;
  let planned = 0;
  const next = () => {
    asked += 1;
    // Not all of them, so that batches follow each other chained between two cuts.
    if (planned >= options.cuts || random() > 0.5) return undefined;
    planned += 1;
    // Silence is slow; one in twenty shows what it has to show.
    const which = random() < 0.05 ? 3 : Math.floor(random() * 3);
    return cuts[which];
  };
  const proxy = await startCommitProxy(options.url, { next, silenceMs: options.silenceMs });
  const nodes = await Promise.all([forkNode(proxy.url), forkNode(proxy.url)]);
  const pick = (): ForkedNode | undefined => nodes[Math.floor(random() * 2)];
  const callers = startCallers({ count: 24, accounts: accountCount, pick, random });
  try {
    while (planned < options.cuts) {
      await untilMoreAnswers(callers, 200, random);
      options.onProgress?.(`${planned} of ${options.cuts} commits cut, ${callers.attempts.length} answers`);
    }
    await callers.stop();
  } catch (error) {
    callers.abandon();
    await Promise.all(nodes.map((node) => node.kill()));
    throw error;
  }
  const codes = await Promise.all(nodes.map((node) => node.close()));
  const lies = await findLies(client, callers.attempts);
  await proxy.close();
  await client.end();
  const kinds = [...proxy.made].map(([cut, times]) => `${times} ${cut}`).join(", ");
  return {
    faults: [...lies, ...codes.filter((code) => code !== 0).map((code) => `a node ended with code ${code}`)],
    summary: `${planned} of ${asked} commits cut (${kinds}); answers: ${countAnswers(callers.attempts)}`,
  };
}

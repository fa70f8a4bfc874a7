/** Nodes and PostgreSQL killed outright (SIGKILL) under load: nothing answered is lost, nothing happens twice. */
import { Client } from "pg";
import { type ForkedNode, forkNode } from "../engine/fork-node.ts";
import { accounts, seedAccounts } from "../engine/seed-accounts.ts";
import type { OwnCluster } from "../support/database/database.ts";
import { countAnswers, findLies, startCallers, untilMoreAnswers } from "./callers.ts";
import { randomNumbers } from "./random-numbers.ts";
import type { TortureResult } from "./result.ts";

export interface KillOptions {
  readonly cluster: OwnCluster;
  readonly rounds: number;
  readonly seed: number;
  onProgress?(text: string): void;
}

const accountCount = 12;
/** Answers between one kill and the next, so that each round has work under way and work done. */
const answersPerRound = 300;

export async function killRounds({ cluster, rounds, seed, onProgress }: KillOptions): Promise<TortureResult> {
  const random = randomNumbers(seed);
  await withClient(cluster.url, (client) => seedAccounts(client, accounts(accountCount, 1_000_000n)));
  const nodes = new Map<number, ForkedNode>();
  const startNode = async (which: number) => void nodes.set(which, await forkNode(cluster.url));
  await Promise.all([0, 1].map(startNode));
  const pick = () => [...nodes.values()][Math.floor(random() * nodes.size)];
  const killNode = async (which: number) => {
    const node = nodes.get(which);
    nodes.delete(which);
    await node?.kill();
    await startNode(which);
  };
  const callers = startCallers({ count: 24, accounts: accountCount, pick, random });
  const killed = { node: 0, PostgreSQL: 0, both: 0 };
  try {
    for (let round = 1; round <= rounds; round += 1) {
      await untilMoreAnswers(callers, answersPerRound, random);
      const what = (["node", "PostgreSQL", "both"] as const)[round % 3] ?? "node";
      await Promise.all([
        what === "PostgreSQL" ? undefined : killNode(round % 2),
        what === "node" ? undefined : cluster.crash(),
      ]);
      killed[what] += 1;
      onProgress?.(`round ${round} of ${rounds}: killed ${what}, ${callers.attempts.length} answers`);
    }
    await callers.stop();
  } catch (error) {
    callers.abandon();
    await Promise.all([...nodes.values()].map((node) => node.kill()));
    throw error;
  }
  const codes = await Promise.all([...nodes.values()].map((node) => node.close()));
  const lies = await withClient(cluster.url, (client) => findLies(client, callers.attempts));
  return {
    faults: [...lies, ...codes.filter((code) => code !== 0).map((code) => `a node ended with code ${code}`)],
    summary: `killed ${killed.node} times a node, ${killed.PostgreSQL} times PostgreSQL, ${killed.both} times both; answers: ${countAnswers(callers.attempts)}`,
  };
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Payments between two clusters, of which both and two nodes are killed outright under load: each arrives once. */
import { setTimeout as sleep } from "node:timers/promises";
import { runAudit } from "../../../packages/server/src/admin/audit/audit.ts";
import { compareTransit } from "../../../packages/server/src/admin/audit/compare-transit.ts";
import { createReadPool } from "../../../packages/server/src/store/postgres/connect.ts";
import { accounts, seedAccounts } from "../../engine/seed-accounts.ts";
import { type ChildNode, forkChild } from "../../support/child-node.ts";
import type { OwnCluster } from "../../support/database/database.ts";
import { endPools } from "../../support/database/end-pool.ts";
import { startLoad } from "../../support/load.ts";
import { asOwner, findUnmirrored, inNo, outNo } from "../../transit/transit-fixture.ts";
import { randomNumbers } from "../random-numbers.ts";
import type { TortureResult } from "../result.ts";
import type { CellAnswer, CellPayment, CellUrls } from "./cell-node.ts";

export interface CellOptions {
  readonly payer: OwnCluster;
  readonly payee: OwnCluster;
  readonly transfers: number;
  readonly kills: number;
  readonly seed: number;
  /** Longest time between the last payment and its arrival (ms). Absent: 2 s. */
  readonly agreeMs?: number;
  onProgress?(text: string): void;
}

const accountCount = 200;
const callerCount = 64;
const targets = ["payer's PostgreSQL", "payee's PostgreSQL", "first node", "second node"] as const;

type Node = ChildNode<CellPayment, CellAnswer>;

export async function cellRounds(options: CellOptions): Promise<TortureResult> {
  const { payer, payee, transfers, kills, seed, agreeMs = 2_000, onProgress } = options;
  const random = randomNumbers(seed);
  for (const { ownerUrl } of [payer, payee])
    await asOwner(ownerUrl, (client) => seedAccounts(client, accounts(accountCount, 1_000_000_000n)));
  const nodes = await startNodes({ payer: payer.url, payee: payee.url });
  const answered = new Map<string, string>();
  let begun = 0;
  const load = startLoad(callerCount, async (isAbandoned) => {
    if (begun === transfers) {
      await sleep(5);
      return;
    }
    begun += 1;
    const payment = paymentOf(begun, random);
    answered.set(payment.externalId, await carryOut(payment, nodes.pick, isAbandoned));
  });
  const startedAt = Date.now();
  const order = Array.from({ length: kills }, (_, index) => targets[index % targets.length] ?? "first node");
  const killed: Promise<void>[] = [];
  for (const [index, target] of shuffle(order, random).entries()) {
    while (answered.size < (transfers * (index + 1)) / (kills + 1)) await sleep(5);
    await sleep(random() * 50);
    onProgress?.(`kill ${index + 1} of ${kills}: ${target}, ${answered.size} payments`);
    // The next one may come while this one is being started again.
    killed.push(
      target.endsWith("node") ? nodes.kill(target === "first node" ? 0 : 1) : clusterOf(options, target).crash(),
    );
  }
  while (answered.size < transfers) await sleep(1);
  const seconds = (Date.now() - startedAt) / 1_000;
  await Promise.all(killed);
  const agreedAfter = await untilLevel(payer, payee);
  await load.stop();
  const ended = await nodes.close();
  const faults = [
    ...(agreedAfter <= agreeMs ? [] : [`the cells agreed ${agreedAfter} ms after the last payment`]),
    ...ended,
    ...(await findFaults(payer, payee, answered)),
  ];
  const rate = Math.round(transfers / seconds);
  return {
    faults,
    summary: `${transfers} payments at ${rate}/s, ${kills} kills, two shippers; agreed ${agreedAfter} ms after the last`,
  };
}

const clusterOf = ({ payer, payee }: CellOptions, target: string) => (target.startsWith("payer") ? payer : payee);

function paymentOf(index: number, random: () => number): CellPayment {
  const from = Math.floor(random() * accountCount);
  const other = (from + 1 + Math.floor(random() * (accountCount - 1))) % accountCount;
  // Some are to an account that was closed for good since it was looked at.
  const to = random() < 0.01 ? `gone-${index}` : String(1 + other);
  return {
    externalId: `payment-${index}`,
    from: String(1 + from),
    to,
    amount: BigInt(1 + Math.floor(random() * 1_000)),
  };
}

/** Asks until it is answered; the id of the request that took effect. */
async function carryOut(
  payment: CellPayment,
  pick: () => Node | undefined,
  isAbandoned: () => boolean,
): Promise<string> {
  while (!isAbandoned()) {
    const answer = await pick()?.request(payment);
    if (answer?.kind === "effect") return answer.id ?? "";
    if (answer?.kind === "rejection") return "rejected";
    await sleep(20);
  }
  return "abandoned";
}

async function startNodes(urls: CellUrls) {
  const script = new URL("cell-node.ts", import.meta.url);
  const start = () => forkChild<CellUrls, CellPayment, CellAnswer>(script, urls);
  const living: (Node | undefined)[] = await Promise.all([start(), start()]);
  const reports: string[] = [];
  let turn = 0;
  return {
    pick: () => {
      turn += 1;
      return living[turn % 2] ?? living[(turn + 1) % 2];
    },
    kill: async (which: 0 | 1) => {
      const node = living[which];
      living[which] = undefined;
      reports.push(...(node?.failures.keys() ?? []));
      await node?.kill();
      living[which] = await start();
    },
    /** Their reports, and how they ended. */
    close: async (): Promise<readonly string[]> => {
      for (const node of living) {
        const code = await node?.close();
        if (code !== 0) reports.push(`a node ended with code ${String(code)}`);
        reports.push(...(node?.failures.keys() ?? []));
      }
      return reports;
    },
  };
}

/** Time until the mirror has what was sent (ms); at most a minute. */
async function untilLevel(payer: OwnCluster, payee: OwnCluster): Promise<number> {
  const read = (ownerUrl: string, accountNo: string) =>
    asOwner(ownerUrl, async (client) => {
      const text = "select version, balance from accounts where account_no = $1";
      const { rows } = await client.query<{ version: string; balance: string }>(text, [accountNo]);
      return rows[0];
    });
  const startedAt = Date.now();
  for (;;) {
    const [sent, arrived] = [await read(payer.ownerUrl, outNo), await read(payee.ownerUrl, inNo)];
    const took = Date.now() - startedAt;
    if ((sent?.version === arrived?.version && Number(sent?.balance) === -Number(arrived?.balance)) || took > 60_000)
      return took;
    await sleep(5);
  }
}

/** Lost, doubled and wrong ones, by the tests' own look and by the audits. */
async function findFaults(payer: OwnCluster, payee: OwnCluster, answered: ReadonlyMap<string, string>) {
  const { rows: recorded } = await asOwner(payer.ownerUrl, (client) =>
    client.query<{ external_id: string; id: string }>("select external_id, id from accepted_requests"),
  );
  const faults: string[] = [];
  if (recorded.length !== answered.size) faults.push(`${answered.size} were answered, ${recorded.length} are recorded`);
  for (const { external_id: externalId, id } of recorded) {
    if (answered.get(externalId) !== id)
      faults.push(`${externalId} was answered ${answered.get(externalId)}, recorded is ${id}`);
  }
  for (const { version, sent, arrived } of await findUnmirrored(payer.ownerUrl, payee.ownerUrl)) {
    const isDiverted = sent?.replace(/ to gone-\d+$/, " to unclaimed:IDR") === arrived;
    if (!isDiverted) faults.push(`entry ${version}: ${sent ?? "nothing"} was sent, ${arrived ?? "nothing"} arrived`);
  }
  for (const { ownerUrl } of [payer, payee]) {
    const { findings } = await runAudit(ownerUrl, { findingsMax: 10_000 });
    for (const { check, found } of findings) if (!found.startsWith("opening: ")) faults.push(`${check}: ${found}`);
  }
  const pools = [createReadPool(payer.ownerUrl, 1), createReadPool(payee.ownerUrl, 1)] as const;
  for (const { check, found } of await compareTransit(...pools, 1, 2)) faults.push(`${check}: ${found}`);
  await endPools(...pools);
  return faults.slice(0, 50);
}

function shuffle<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

/**
 * Failovers and splits while partners inquire about a transfer (36): a response that names its status, "not found" among
 * them, must be true of what the failover leaves.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import { eventually } from "../support/black-box/answers.ts";
import { newNumber } from "../support/black-box/caller.ts";
import { statusPath, transferBody, transferPath } from "../support/black-box/transfers.ts";
import { queryRows } from "../support/database/with-client.ts";
import type { TortureResult } from "../torture/result.ts";
import { type FailoverCluster, type Node, startFailoverCluster } from "./failover-cluster.ts";

/**
 * lost: a transfer whose commit waited for the standby is there after the primary was restarted, and gone with the
 * failover · split: a node stays with the old primary, while another one accepts a transfer on the new one · moved: the
 * same, and new connections of that node lead to the new primary.
 */
const blows = ["lost", "split", "moved"] as const;
type Blow = (typeof blows)[number];

export interface FailoverOptions {
  readonly rounds: number;
  /** Time after each blow when inquiries are sent. */
  readonly askMs: number;
  onProgress?(text: string): void;
}

interface Asked {
  readonly atMs: number;
  readonly answer: "found" | "notFound" | "unknown" | "none";
  readonly code: string;
}

const askEveryMs = 100;

export async function runFailovers({ rounds, askMs, onProgress }: FailoverOptions): Promise<TortureResult> {
  await using cluster = await startFailoverCluster();
  const faults: string[] = [];
  const codes = new Map<string, number>();
  let notReady = 0;
  for (let round = 0; round < rounds; round += 1) {
    const blow = blows[round % blows.length] as Blow;
    const number = newNumber();
    const { asker, asked, isReady } =
      blow === "lost" ? await lose(cluster, number, askMs) : await split(cluster, number, askMs, blow);
    const { servers } = cluster;
    const isThere = await exists(servers.standby.url, number);
    for (const { answer, code, atMs } of asked) {
      codes.set(code, (codes.get(code) ?? 0) + 1);
      const isWrong = (answer === "found" && !isThere) || (answer === "notFound" && isThere);
      if (isWrong)
        faults.push(`${blow}: ${code} after ${Math.round(atMs)} ms, and the transfer is ${isThere ? "there" : "gone"}`);
      if (answer === "none") faults.push(`${blow}: ${code} after ${Math.round(atMs)} ms`);
    }
    if (!isReady) notReady += 1;
    const backMs = await untilAnswered(cluster, asker, number, isThere ? "found" : "notFound");
    await servers.replaceOld();
    if (blow === "lost") await besides(cluster, asker).restart();
    // A node hears within a second of a standby that is set.
    await Promise.all(cluster.nodes.map((node) => eventually(async () => (await readinessOf(node)).isSynchronous)));
    onProgress?.(
      `round ${round + 1} of ${rounds} (${blow}): ${asked.length} inquiries, ${faults.length} wrong so far, answered again after ${backMs} ms`,
    );
  }
  const list = [...codes]
    .toSorted(([one], [two]) => one.localeCompare(two))
    .map(([code, count]) => `${count} × ${code}`);
  return {
    faults,
    summary: `${rounds} failovers, answers: ${list.join(", ")}; not ready while split in ${notReady} of them`,
  };
}

const besides = ({ nodes }: FailoverCluster, node: Node): Node => nodes[node === nodes[0] ? 1 : 0];

/** Loses a transfer that only the old primary has. */
async function lose(cluster: FailoverCluster, number: string, askMs: number) {
  const {
    servers,
    nodes: [asker, doomed],
  } = cluster;
  await servers.standby.stop();
  pay(cluster, doomed, number).catch(() => undefined);
  const waits = "select from pg_stat_activity where wait_event = 'SyncRep' and application_name = 'titian engine'";
  const seen = "select from accepted_requests";
  await eventually(async () => (await queryRows(servers.primary.url, waits)).length > 0, 20);
  doomed.kill();
  await servers.primary.stop();
  await servers.primary.start();
  await queryRows(servers.primary.url, `${seen} limit 1`);
  const asked = await ask(cluster, asker, number, askMs);
  const { isReady } = await readinessOf(asker);
  await servers.primary.stop();
  await servers.promote();
  for (const { address } of cluster.nodes) address.leadTo(servers.standby.port);
  return { asker, asked, isReady };
}

/** Makes a transfer that only the new primary has. */
async function split(cluster: FailoverCluster, number: string, askMs: number, blow: Blow) {
  const {
    servers,
    nodes: [left, other],
  } = cluster;
  await servers.promote();
  other.address.leadTo(servers.standby.port);
  other.address.cut();
  await eventually(async () => ["200", "404", "409"].includes((await pay(cluster, other, number)).code.slice(0, 3)));
  if (blow === "moved") left.address.leadTo(servers.standby.port);
  const asked = await ask(cluster, left, number, askMs);
  const { isReady } = await readinessOf(left);
  await servers.primary.stop();
  left.address.leadTo(servers.standby.port);
  return { asker: left, asked, isReady };
}

async function pay({ caller }: FailoverCluster, { service }: Node, number: string) {
  const [from = "", to = ""] = caller.partner.sourceAccounts;
  const call = await caller.sign(transferPath, transferBody({ from, to, value: "1.00", partnerReferenceNo: number }), {
    externalId: number,
  });
  return caller.send(call, service.baseUrl);
}

async function ask(cluster: FailoverCluster, node: Node, number: string, askMs: number): Promise<readonly Asked[]> {
  const startedAt = performance.now();
  const asked: Promise<Asked>[] = [];
  await sleep(askEveryMs);
  while (performance.now() - startedAt <= askMs) {
    asked.push(inquire(cluster, node, number, performance.now() - startedAt));
    await sleep(askEveryMs);
  }
  return Promise.all(asked);
}

async function inquire({ caller }: FailoverCluster, { service }: Node, number: string, atMs: number): Promise<Asked> {
  const call = await caller.sign(statusPath, { originalPartnerReferenceNo: number, serviceCode: "17" });
  try {
    const { code, status } = await caller.send(call, service.baseUrl);
    return {
      atMs,
      code,
      answer: status === 200 ? "found" : status === 404 ? "notFound" : status >= 500 ? "unknown" : "none",
    };
  } catch (error) {
    return { atMs, code: String(error), answer: "none" };
  }
}

async function untilAnswered(
  cluster: FailoverCluster,
  node: Node,
  number: string,
  expected: Asked["answer"],
): Promise<number> {
  const startedAt = performance.now();
  await eventually(async () => (await inquire(cluster, node, number, 0)).answer === expected);
  return Math.round(performance.now() - startedAt);
}

async function readinessOf({ managementUrl }: Node) {
  const { statusCode, body } = await request(`${managementUrl}/health/ready`);
  const { checks } = (await body.json()) as { checks: { replication?: ReplicationCheck } };
  const { synchronous, confirmed, standbys } = checks.replication ?? {};
  // The page is up to a second old: one from before the failover says that no commit was confirmed, or names no standby.
  const isSynchronous = synchronous === true && confirmed === true && (standbys ?? 0) > 0;
  return { isReady: statusCode === 200, isSynchronous };
}

interface ReplicationCheck {
  readonly synchronous: boolean | null;
  readonly confirmed: boolean;
  readonly standbys: number | null;
}

async function exists(url: string, number: string): Promise<boolean> {
  const text = `select from accepted_requests where payload::text like '%"${number}"%'`;
  return (await queryRows(url, text)).length > 0;
}

/** CPU that PostgreSQL spends on claiming a notification and on recording its attempt, by how many a statement has. */
import { createClock, momentOf } from "../../packages/server/src/basics/clock.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { createDeliveryPool } from "../../packages/server/src/store/postgres/connect.ts";
import {
  claimDeliveries,
  type ClaimedNotification,
  recordAttempts,
} from "../../packages/server/src/store/tables/notifications/deliveries.ts";
import { clusterCpuUs } from "../cpu.ts";
import type { Cluster } from "../database/cluster.ts";
import { openEvents } from "./events.ts";

export interface RecordCosts {
  readonly size: number;
  /** Microseconds of PostgreSQL for each notification; undefined where the cluster's processes are not known. */
  readonly claimUs: number | undefined;
  readonly recordUs: number | undefined;
}

const sizes = [1, 4, 25, 256] as const;
const statements = { least: 8, notifications: 1_024 };
const leaseMs = 60_000;

/** The notifications are of a partner that no node knows, so that none delivers them meanwhile. */
export async function measureRecords({ postmaster }: Cluster, url: string): Promise<readonly RecordCosts[]> {
  const partner = newId();
  await using stack = new AsyncDisposableStack();
  const events = stack.use(await openEvents(url, [partner]));
  const pool = createDeliveryPool(url, 1);
  stack.defer(() => pool.end());
  const clock = createClock();
  const claim = async (capacity: number): Promise<readonly ClaimedNotification[]> => {
    const capacities = [{ partner, isReplay: false, capacity, hasAddress: true }];
    const at = momentOf(clock);
    return (await claimDeliveries(pool, { capacities, now: clock.now(), at, leaseMs, besides: [] })).rows;
  };
  const record = (claimed: readonly ClaimedNotification[]) =>
    recordAttempts(
      pool,
      claimed.map(({ id, attempt }) => ({ ...accepted, id, attempt, at: clock.now(), nextAt: undefined })),
    );
  const costs = async (size: number): Promise<RecordCosts> => {
    const count = size * Math.max(statements.least, Math.ceil(statements.notifications / size));
    await events.prepare(count);
    await events.add(count);
    const claims: (readonly ClaimedNotification[])[] = [];
    const spent = async (work: () => Promise<void>) => {
      const before = cpuOf(postmaster);
      await work();
      const after = cpuOf(postmaster);
      return before === undefined || after === undefined ? undefined : (after - before) / count;
    };
    const claimUs = await spent(async () => {
      for (let claimed = 0; claimed < count; claimed += size) claims.push(await claim(size));
    });
    const recordUs = await spent(async () => {
      for (const claimed of claims) await record(claimed);
    });
    return { size, claimUs, recordUs };
  };
  await costs(1);
  const measured: RecordCosts[] = [];
  for (const size of sizes) measured.push(await costs(size));
  return measured;
}

function cpuOf(postmaster: number | undefined): number | undefined {
  return postmaster === undefined ? undefined : clusterCpuUs(postmaster);
}

const accepted = {
  url: "http://127.0.0.1:8080/p1/v1.0/transfer-rtgs/notify",
  httpStatus: 200,
  responseCode: "2007600",
  reply: '{"responseCode":"2007600","responseMessage":"Successful"}',
  durationMs: 10,
};

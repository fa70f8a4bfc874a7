/** Sends bulks (20), each on a connection of its own, and finds out when they are settled. */
import { setTimeout as sleep } from "node:timers/promises";
import { operations, responseCode } from "@titian/contract";
import { Client } from "pg";
import { openHttpConnection } from "../load/http-connection.ts";
import type { BenchPartner } from "../load/partner.ts";

const successStart = `{"responseCode":"${responseCode("success", operations.interbankBulkTransfer.code)}"`;
const retryAfterMs = 1_000;
const lookEveryMs = 20;
const settledWithinMs = 300_000;

/**
 * Milliseconds from the first byte sent to the whole answer that accepts it, of each request. One that is answered 503 is
 * sent again after a second, as the response says: unfinished bodies of one partner may be 16 MiB.
 */
export function sendBulks(caller: BenchPartner, requests: readonly Buffer[]): Promise<readonly number[]> {
  const sendOne = async (request: Buffer) => {
    const sentAt = performance.now();
    while (!(await isAccepted(caller, request))) await sleep(retryAfterMs);
    return performance.now() - sentAt;
  };
  return Promise.all(requests.map(sendOne));
}

/** False: the service is too busy. */
async function isAccepted({ host, port }: BenchPartner, request: Buffer): Promise<boolean> {
  const answer = Promise.withResolvers<boolean>();
  const connection = await openHttpConnection({
    host,
    port,
    successStart,
    onAnswer: () => answer.resolve(true),
    onBusy: () => answer.resolve(false),
    onFailure: answer.reject,
  });
  connection.send(request);
  return answer.promise.finally(() => connection.close());
}

/** Waits until all items of all accepted bulks have their results. */
export async function waitUntilSettled(url: string): Promise<void> {
  const client = new Client({ connectionString: url, application_name: "bench" });
  await client.connect();
  try {
    const startedAt = performance.now();
    while ((await client.query("select from bulks where is_open limit 1")).rowCount !== 0) {
      if (performance.now() - startedAt > settledWithinMs) throw new Error("The bulks were not settled in time.");
      await sleep(lookEveryMs);
    }
  } finally {
    await client.end();
  }
}

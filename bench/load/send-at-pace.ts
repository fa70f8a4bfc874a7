/**
 * Sends requests in an open loop: they arrive at random (a Poisson process), however long the service takes, and wait for
 * a free connection where all are busy. The latency of each counts from when it arrived.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createLatencies } from "../latencies.ts";
import type { Seen } from "../subject.ts";
import { type HttpConnection, openHttpConnection } from "./http-connection.ts";
import { type Load, portOf } from "./send-all.ts";

export interface PacedLoad extends Load {
  readonly perSecond: number;
}

/** Timers are no finer; what arrives meanwhile is sent together, and its latency still counts from its own time. */
const tickMs = 1;

/** Connects outside the measured time; the returned function runs the window, waits for all answers and closes. */
export async function connectPacedLoad(load: PacedLoad): Promise<() => Promise<Seen>> {
  const { window, host, ports, successStart, nextRequest, perSecond } = load;
  const latencies = createLatencies();
  const { free, fail, failed, all } = await openConnections();
  const waiting: { readonly request: Buffer; readonly arrivedAt: number }[] = [];
  let [sent, firstWaiting] = [0, 0];

  async function openConnections() {
    const idle: { readonly connection: HttpConnection; arrivedAt: number }[] = [];
    const failure = Promise.withResolvers<never>();
    // Awaited beside the window.
    failure.promise.catch(() => undefined);
    const opened: HttpConnection[] = [];
    while (opened.length < window.callers) {
      const connection = await openHttpConnection({
        host,
        port: portOf(ports, opened.length),
        successStart,
        onAnswer: () => {
          latencies.add(performance.now() - slot.arrivedAt);
          idle.push(slot);
          sendWaiting();
        },
        onFailure: failure.reject,
      });
      const slot = { connection, arrivedAt: 0 };
      idle.push(slot);
      opened.push(connection);
    }
    return { free: idle, fail: failure.reject, failed: failure.promise, all: opened };
  }

  function sendWaiting(): void {
    while (free.length > 0) {
      const next = waiting[firstWaiting];
      if (next === undefined) return;
      // The one that has waited longest: the service closes a connection on which no request comes for a while.
      const slot = free.shift();
      if (slot === undefined) return;
      firstWaiting += 1;
      slot.arrivedAt = next.arrivedAt;
      slot.connection.send(next.request);
    }
  }

  async function arrive(startedAt: number): Promise<void> {
    const endsAt = startedAt + window.seconds * 1_000;
    for (let arrivedAt = startedAt; arrivedAt < endsAt; await sleep(tickMs)) {
      for (const now = performance.now(); arrivedAt <= now && arrivedAt < endsAt; ) {
        const request = nextRequest();
        if (request === undefined) return fail(new Error("There were too few requests for the pace."));
        waiting.push({ request, arrivedAt });
        sent += 1;
        arrivedAt += (-Math.log(1 - Math.random()) * 1_000) / perSecond;
      }
      sendWaiting();
    }
  }

  const run = async (): Promise<Seen> => {
    const startedAt = performance.now();
    await Promise.race([arrive(startedAt), failed]);
    while (latencies.count < sent) await Promise.race([sleep(tickMs), failed]);
    return latencies.seen(performance.now() - startedAt);
  };
  return () => run().finally(() => all.forEach((connection) => connection.close()));
}

/** Sends prepared requests over a number of connections in a closed loop, until the window ends or they run out. */
import { createLatencies } from "../latencies.ts";
import type { Seen, Window } from "../subject.ts";
import { type HttpConnection, openHttpConnection } from "./http-connection.ts";

export interface Load {
  readonly window: Window;
  readonly host: string;
  readonly port: number;
  /** How the body of every answer must start. */
  readonly successStart: string;
  readonly requests: readonly Buffer[];
}

interface Caller {
  start(now: number): void;
  close(): void;
}

/** Connects outside the measured time; the returned function runs the window and closes. */
export async function connectLoad(load: Load): Promise<() => Promise<Seen>> {
  const { window, host, port, successStart, requests } = load;
  const latencies = createLatencies();
  let next = 0;
  let idle = 0;
  let endsAt = 0;
  let settle: { done: () => void; fail: (error: Error) => void } = { done: () => {}, fail: () => {} };

  const openCaller = async (): Promise<Caller> => {
    let sentAt = 0;
    const connection: HttpConnection = await openHttpConnection({
      host,
      port,
      successStart,
      onAnswer: () => {
        const now = performance.now();
        latencies.add(now - sentAt);
        sendNext(now);
      },
      onFailure: (error) => settle.fail(error),
    });
    const sendNext = (now: number): void => {
      const request = requests[next];
      if (request === undefined || now >= endsAt) {
        idle += 1;
        if (idle === window.callers) settle.done();
        return;
      }
      next += 1;
      sentAt = now;
      connection.send(request);
    };
    return { start: sendNext, close: () => connection.close() };
  };

  const callers: Caller[] = [];
  // One after the other: a burst of a thousand would overflow the listening socket's backlog.
  while (callers.length < window.callers) callers.push(await openCaller());

  return async () => {
    const startedAt = performance.now();
    endsAt = startedAt + window.seconds * 1_000;
    await new Promise<void>((done, fail) => {
      settle = { done, fail };
      for (const caller of callers) caller.start(startedAt);
    });
    const elapsedMs = performance.now() - startedAt;
    for (const caller of callers) caller.close();
    return {
      done: latencies.count,
      elapsedMs,
      p50Ms: latencies.percentile(0.5),
      p99Ms: latencies.percentile(0.99),
    };
  };
}

/** Sends requests over a number of connections in a closed loop, until the window ends or they run out. */
import { createLatencies } from "../latencies.ts";
import type { Seen, Window } from "../subject.ts";
import { type HttpConnection, openHttpConnection } from "./http-connection.ts";

export interface Load {
  readonly window: Window;
  readonly host: string;
  /** Connections are shared out to them in turn. */
  readonly ports: readonly number[];
  /** Start that the body of every response must have. */
  readonly successStart: string;
  /** Undefined once there are no more. */
  readonly nextRequest: () => Buffer | undefined;
}

interface Caller {
  start(now: number): void;
  close(): void;
}

/** Connects outside the measured time; the returned function runs the window and closes. */
export async function connectLoad(load: Load): Promise<() => Promise<Seen>> {
  const { window, host, ports, successStart, nextRequest } = load;
  const latencies = createLatencies();
  let idle = 0;
  let endsAt = 0;
  let settle: { done: () => void; fail: (error: Error) => void } = { done: () => {}, fail: () => {} };

  const openCaller = async (port: number): Promise<Caller> => {
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
      const request = now < endsAt ? nextRequest() : undefined;
      if (request === undefined) {
        idle += 1;
        if (idle === window.callers) settle.done();
        return;
      }
      sentAt = now;
      connection.send(request);
    };
    return { start: sendNext, close: () => connection.close() };
  };

  const callers: Caller[] = [];
  // One after the other: a burst of a thousand would overflow the listening socket's backlog.
  while (callers.length < window.callers) callers.push(await openCaller(portOf(ports, callers.length)));

  return async () => {
    const startedAt = performance.now();
    endsAt = startedAt + window.seconds * 1_000;
    await new Promise<void>((done, fail) => {
      settle = { done, fail };
      for (const caller of callers) caller.start(startedAt);
    });
    const seen = latencies.seen(performance.now() - startedAt);
    for (const caller of callers) caller.close();
    return seen;
  };
}

/** Port of a caller by its position. @throws when there is no port. */
export function portOf(ports: readonly number[], position: number): number {
  const port = ports[position % ports.length];
  if (port === undefined) throw new Error("There is no port to call.");
  return port;
}

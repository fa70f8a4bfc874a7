/** A console as the service sees one: it follows the stream of calls, and asks for what its pages show. */
import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";

export interface OpenConsole extends AsyncDisposable {
  /** Bytes that the stream has brought so far. */
  received(): number;
}

interface ConsoleOptions {
  /** Of the service. */
  readonly origin: string;
  readonly controlToken: string;
}

const asked = ["calls/minutes", "calls?limit=50", "rails", "clock"];
/** As often as the pages ask. */
const askEveryMs = 5_000;

export async function openConsole({ origin, controlToken }: ConsoleOptions): Promise<OpenConsole> {
  const headers = { Authorization: `Bearer ${controlToken}` };
  const ended = new AbortController();
  const { signal } = ended;
  const stream = await request(`${origin}/sandbox/calls/stream`, { headers, signal });
  if (stream.statusCode !== 200) throw new Error(`The stream of calls was answered ${stream.statusCode}.`);
  let received = 0;
  const follow = async () => {
    for await (const chunk of stream.body as AsyncIterable<Buffer>) received += chunk.length;
  };
  const ask = async () => {
    for (;;) {
      for (const path of asked) await (await request(`${origin}/sandbox/${path}`, { headers, signal })).body.dump();
      await sleep(askEveryMs, undefined, { signal });
    }
  };
  const unlessEnded = (error: unknown) => {
    if (!signal.aborted) throw error;
  };
  const running = Promise.all([follow().catch(unlessEnded), ask().catch(unlessEnded)]);
  // Its failure is told when the console is closed.
  running.catch(() => undefined);
  return {
    received: () => received,
    [Symbol.asyncDispose]: async () => {
      ended.abort();
      await running;
    },
  };
}

/** Callers in a closed loop: each makes its next call when it has its response, until the window ends. */
import { createLatencies } from "./latencies.ts";
import type { Seen, Window } from "./subject.ts";

/** `call` rejects unless it was answered with success; the first such error ends the window. */
export async function runClosedLoop(
  { callers, seconds, calls = Number.POSITIVE_INFINITY }: Window,
  call: () => Promise<void>,
): Promise<Seen> {
  const latencies = createLatencies();
  const startedAt = performance.now();
  let made = 0;
  const endsAt = startedAt + seconds * 1_000;

  async function runCaller(): Promise<void> {
    for (let now = startedAt; now < endsAt && made < calls; ) {
      const calledAt = now;
      made += 1;
      await call();
      now = performance.now();
      latencies.add(now - calledAt);
    }
  }

  await Promise.all(Array.from({ length: callers }, runCaller));
  return latencies.seen(performance.now() - startedAt);
}

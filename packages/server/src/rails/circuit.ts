/**
 * Circuit breaker: after several calls in a row without a response the circuit is open, and further calls fail at once.
 * Every few seconds one call probes whether the rail responds again.
 */
import type { Clock } from "../basics/clock.ts";
import { RailTimeout } from "./bounded-calls.ts";

/** The call was not made: the rail did not respond to those before. */
export class CircuitOpen extends Error {}

export interface Circuit {
  /** The call's result. @throws CircuitOpen at once while the circuit is open, else what the call throws. */
  run<Value>(call: () => Promise<Value>): Promise<Value>;
  /** Closes it: the rail responds again. */
  close(): void;
}

export interface CircuitDeps {
  readonly clock: Pick<Clock, "monotonic">;
  readonly onChange: (isOpen: boolean) => void;
}

const timeoutsMax = 5;
const probeEveryMs = 3_000;

export function createCircuit({ clock, onChange }: CircuitDeps): Circuit {
  let timeouts = 0;
  let probedAt = 0;
  const isOpen = () => timeouts >= timeoutsMax;
  const close = () => {
    const wasOpen = isOpen();
    timeouts = 0;
    if (wasOpen) onChange(false);
  };
  const countTimeout = () => {
    timeouts += 1;
    if (timeouts === timeoutsMax) onChange(true);
    if (isOpen()) probedAt = clock.monotonic();
  };
  return {
    close,
    run: async (call) => {
      if (isOpen()) {
        const now = clock.monotonic();
        if (now - probedAt < probeEveryMs) throw new CircuitOpen();
        probedAt = now;
      }
      try {
        const value = await call();
        close();
        return value;
      } catch (error) {
        // Any other error is a response.
        if (error instanceof RailTimeout) countTimeout();
        else close();
        throw error;
      }
    },
  };
}

/** The most that waited in a service during a window, from looks at it every few milliseconds. */
import type { Service } from "../../packages/server/src/compose.ts";
import type { Peaks } from "../subject.ts";

export interface LoadWatch {
  /** The peaks since the last time, which start anew. */
  take(): Peaks;
}

const lookEveryMs = 2;
const none: Peaks = { callers: 0, jobs: 0, transfers: 0 };

/** Looks as long as the process lives. */
export function watchLoad(service: Service): LoadWatch {
  let peaks = none;
  setInterval(() => {
    const { requests, jobs, transfersInFlight } = service.load();
    peaks = {
      callers: Math.max(peaks.callers, requests),
      jobs: Math.max(peaks.jobs, jobs),
      transfers: Math.max(peaks.transfers, transfersInFlight),
    };
  }, lookEveryMs).unref();
  return {
    take: () => {
      const taken = peaks;
      peaks = none;
      return taken;
    },
  };
}

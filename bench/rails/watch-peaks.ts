/** The most that waited at once during a window. Looked at whenever something is added, so no peak is missed. */
import type { Engine } from "../../packages/server/src/engine/engine.ts";
import type { TransferSender } from "../../packages/server/src/interfaces/transfer-sender.ts";
import type { Peaks } from "../subject.ts";

export interface PeakWatch {
  watchEngine(engine: Engine): Engine;
  watchSender(sender: TransferSender): TransferSender;
  /** The peaks since the last time, which start anew. */
  take(): Peaks;
}

const none: Peaks = { callers: 0, jobs: 0, transfers: 0 };

export function createPeakWatch(): PeakWatch {
  let peaks = none;
  let transfers = 0;
  return {
    watchEngine: (engine) => ({
      ...engine,
      submit: (command) => {
        const outcome = engine.submit(command);
        const { requests, jobs } = engine.depth;
        peaks = { ...peaks, callers: Math.max(peaks.callers, requests), jobs: Math.max(peaks.jobs, jobs) };
        return outcome;
      },
    }),
    watchSender: (sender) => ({
      ...sender,
      sendWithin: (transfer) => {
        transfers += 1;
        peaks = { ...peaks, transfers: Math.max(peaks.transfers, transfers) };
        return sender.sendWithin(transfer).finally(() => {
          transfers -= 1;
        });
      },
    }),
    take: () => {
      const taken = peaks;
      peaks = none;
      return taken;
    },
  };
}

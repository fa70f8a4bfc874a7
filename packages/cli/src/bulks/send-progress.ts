/** Progress of a list on standard error: bulks accepted, then payments with results, then inquiries. */
import type { BulkProgress } from "@titian/client";
import { type Progress, type ProgressWords, startProgress } from "../progress.ts";

const words: Readonly<Record<BulkProgress["stage"], ProgressWords>> = {
  sending: { what: "bulks", done: "accepted" },
  following: { what: "payments", done: "have results" },
  lookingUp: { what: "inquiries", done: "made", isAbout: true },
};

export interface SendProgress {
  readonly update: (progress: BulkProgress) => void;
  /** The last one; undefined before the first send. */
  last(): BulkProgress | undefined;
  stop(): void;
}

export function startSendProgress(): SendProgress {
  let last: BulkProgress | undefined;
  let shown: Progress | undefined;
  return {
    update(progress) {
      if (progress.stage !== last?.stage) {
        shown?.stop();
        shown = startProgress(words[progress.stage]);
      }
      last = progress;
      shown?.update(...countsOf(progress));
    },
    last: () => last,
    stop() {
      shown?.stop();
      shown = undefined;
    },
  };
}

function countsOf({ stage, ...progress }: BulkProgress): readonly [done: number, total: number] {
  const { acceptedBulks, bulkCount, settled, rejected, returned, open, inquiries } = progress;
  const results = settled + rejected + returned;
  if (stage === "sending") return [acceptedBulks, bulkCount];
  return stage === "following" ? [results, results + open] : [inquiries, results + open];
}

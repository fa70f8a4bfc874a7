/** Log of a rail of files about its lease, its directory and its results. */
import { join } from "node:path";
import { type BadResultLine, type Clock, escapeControls, type Log, type RailName } from "@titian/server/rails";
import type { ExportEvents } from "./export/lease-work.ts";

export interface RailEvents extends ExportEvents {
  badLine(line: BadResultLine): void;
}

interface Observers {
  readonly name: RailName;
  /** Folder of results. */
  readonly folder: string;
  readonly log: Log;
  readonly clock: Pick<Clock, "real">;
}

/** A database that is away fails each try. */
const logEveryMs = 10_000;

export function logExport({ name: rail, folder, log, clock }: Observers): RailEvents {
  let failedAt = -Infinity;
  let told: string | undefined;
  return {
    taken: (fencingNumber) =>
      log.debug("rail.lease_taken", "This node exports the instructions of a rail.", { rail, fencingNumber }),
    reviewed: ({ counts, first }, stopsBecause) => {
      const place = first.unreadable ?? first.torn;
      if (place !== undefined && told === undefined) {
        const fields = { rail, count: counts.unreadable + counts.torn, reason: escapeControls(place) };
        log.warn("rail.lines_unreadable", "Lines of instructions cannot be read; the first is named.", fields);
      }
      if (stopsBecause !== undefined && stopsBecause !== told) {
        const message = "A rail is stopped: its directory and the database differ. Nothing is exported.";
        log.error("rail.export_stopped", message, { rail, reason: escapeControls(stopsBecause) });
      }
      if (stopsBecause === undefined && told !== undefined)
        log.warn("rail.export_resumed", "A rail goes on: its directory and the database agree.", { rail });
      told = stopsBecause;
    },
    failed: (error) => {
      const now = clock.real();
      if (now - failedAt < logEveryMs) return;
      failedAt = now;
      log.warn("rail.export_failed", "Instructions could not be exported; it is retried.", { rail, error });
    },
    badLine: ({ file, line, fault }) =>
      log.error("rail.result_rejected", "A line of a result file is invalid; it was set aside.", {
        rail,
        error: new Error(escapeControls(`${join(folder, file)} line ${line}: ${fault}`)),
      }),
  };
}

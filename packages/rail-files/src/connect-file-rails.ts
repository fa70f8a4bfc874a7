/**
 * Rails of files for those of an operator's service that the program does not connect itself (docs/reference/rails.md).
 */
import type { Extension } from "@titian/server";
import { railNames, type Rail, type RailName } from "@titian/server/rails";
import { createFileRail } from "./file-rail.ts";
import { beneficiariesFile, railFolder } from "./rail-folder.ts";

/** Each rail of a cell works in a folder of its own in `directory`, on all nodes. */
export function connectFileRails(directory: string): Extension {
  return {
    isSandbox: false,
    connectCellRails: async ({ cell, log, clock, railRecords, config, mode }, own) => {
      await using stack = new AsyncDisposableStack();
      const rails: Partial<Record<Rail["name"], Rail>> = {};
      const connect = async (name: RailName) => {
        const records = railRecords(name);
        const rail = await createFileRail({
          name,
          directory: railFolder(directory, cell, name),
          beneficiaries: beneficiariesFile(directory, name),
          log,
          clock,
          records,
          exports: !config.inquiriesOnly,
          readsOnly: mode.isInquiriesOnly,
        });
        stack.defer(() => rail.close());
        mode.awaitComparison(name, rail.uncomparedBecause);
        mode.watchReach(name, rail.silentBecause);
        rails[name] = rail;
      };
      // At once: each may wait for another node's comparison.
      const connected = await Promise.allSettled(railNames.filter((one) => own[one] === undefined).map(connect));
      for (const one of connected) if (one.status === "rejected") throw one.reason;
      const owned = stack.move();
      return { rails, [Symbol.asyncDispose]: () => owned.disposeAsync() };
    },
  };
}

/** Rails of files for those of an operator's service that the program does not connect itself (docs/rails.md). */
import { join } from "node:path";
import type { Extension } from "@titian/server";
import { railNames, type Rail } from "@titian/server/rails";
import { createFileRail } from "./file-rail.ts";

/** Each rail works in the folder of its name in `directory`, on all nodes. */
export function connectFileRails(directory: string): Extension {
  return {
    isSandbox: false,
    connectRails: async ({ log, clock, railRecords, config, mode }, own) => {
      await using stack = new AsyncDisposableStack();
      const rails: Partial<Record<Rail["name"], Rail>> = {};
      for (const name of railNames.filter((one) => own[one] === undefined)) {
        const records = railRecords(name);
        const rail = await createFileRail({
          name,
          directory: join(directory, name),
          log,
          clock,
          records,
          exports: !config.inquiriesOnly,
          readsOnly: mode.isInquiriesOnly,
        });
        stack.defer(() => rail.close());
        rails[name] = rail;
      }
      const owned = stack.move();
      return { rails, [Symbol.asyncDispose]: () => owned.disposeAsync() };
    },
  };
}

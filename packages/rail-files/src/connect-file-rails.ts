/** Rails of files for those of an operator's service that the program does not connect itself (docs/rails.md). */
import { join } from "node:path";
import type { Extension } from "@titian/server";
import { railNames, type Rail } from "@titian/server/rails";
import { createFileRail } from "./file-rail.ts";
import type { Processes } from "./directory-lock.ts";

/** Each rail works in the folder of its name in `directory`. */
export function connectFileRails(directory: string, processes: Processes): Extension {
  return {
    isSandbox: false,
    connectRails: async ({ log, clock, railRecords }, own) => {
      await using stack = new AsyncDisposableStack();
      const rails: Partial<Record<Rail["name"], Rail>> = {};
      for (const name of railNames.filter((one) => own[one] === undefined)) {
        const records = railRecords(name);
        const rail = await createFileRail({ name, directory: join(directory, name), processes, log, clock, records });
        stack.defer(() => rail.close());
        rails[name] = rail;
      }
      const owned = stack.move();
      return { rails, [Symbol.asyncDispose]: () => owned.disposeAsync() };
    },
  };
}

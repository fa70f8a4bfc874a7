// Cells beside home that keep a start waiting.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createLog } from "../../observability/log.ts";
import { openFurtherCells } from "./further-cells.ts";
import type { CellService } from "./serve-cell.ts";

test("a cell that does not open in time keeps no start waiting, and is served once it is open", async ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const lines: string[] = [];
  const log = createLog({ level: "warn", destination: { write: (line) => void lines.push(line) } });
  const slow = Promise.withResolvers<void>();
  let closed = 0;
  const open = async ({ number }: { readonly number: number }) => {
    if (number === 2) await slow.promise;
    return { core: { cell: number }, [Symbol.asyncDispose]: async () => void (closed += 1) } as unknown as CellService;
  };
  const cells = [1, 2].map((number) => ({ number, url: "", ranges: [], place: "" }));
  const opening = openFurtherCells({ cells, log, open });
  await Promise.resolve();
  mock.timers.tick(20_000);
  const further = await opening;
  assert.deepEqual([further.get(1)?.core.cell, further.get(2)], [1, undefined]);
  assert.match(lines.join(""), /"event":"cell\.unavailable"/);
  slow.resolve();
  await further[Symbol.asyncDispose]();
  assert.equal(further.get(2)?.core.cell, 2);
  assert.equal(closed, 2);
});

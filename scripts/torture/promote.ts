/**
 * `npm run torture -- promote`: at every statement of transfers (18, 22, 23), a bulk (20), an approval (19) and their
 * notifications the synchronous standby is lost, an operator cancels the waits for it, and it is promoted. Rails and
 * endpoints must have got nothing that the promoted ledger does not know, and everything ends there, each thing once.
 * `npm run torture -- promote --every=5 --only=interbankBulkTransfer`.
 */
import { parseArgs } from "node:util";
import { cells, runPromotions } from "../../test/failover/promotions.ts";
import { readCount, report } from "./command-line.ts";

const { values } = parseArgs({ options: { every: { type: "string", default: "1" }, only: { type: "string" } } });
const every = Math.max(1, readCount("every", values.every));
const chosen = cells.filter(({ name }) => values.only === undefined || values.only === name);
const onProgress = (text: string) => console.log(`  ${text}`);
report(
  "promote",
  await runPromotions({ cells: chosen, every, atOnce: 2, onProgress }),
  "nothing left that a failover took back",
);

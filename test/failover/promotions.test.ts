// The short form of `npm run torture -- promote`: notifications; bulks have a file of their own.
import assert from "node:assert/strict";
import { test } from "node:test";
import { runPromotions } from "./promotions.ts";

test("the standby is lost before notifications are claimed and promoted after: none was posted that it does not know", async () => {
  const cells = [{ name: "rtgsTransfer", conducts: ["success"] }] as const;
  const { faults, summary } = await runPromotions({ cells, statements: ["claim-deliveries"] });
  console.log(summary);
  assert.deepEqual(faults, []);
  assert.match(summary, /^[1-9]\d* points \(0 not met/);
});

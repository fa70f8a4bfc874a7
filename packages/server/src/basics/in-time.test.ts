import assert from "node:assert/strict";
import { test } from "node:test";
import { inTime } from "./in-time.ts";

test("work that is done in time has its result, and no timer is left", async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = timers();
  assert.equal(await inTime(Promise.resolve("done"), 60_000), "done");
  assert.equal(timers(), before);
});

test("work that fails, now or later, or takes longer has none", async () => {
  const { promise, reject } = Promise.withResolvers<string>();
  assert.equal(await inTime(Promise.reject(new Error("failed")), 60_000), undefined);
  assert.equal(await inTime(promise, 1), undefined);
  reject(new Error("failed later"));
});

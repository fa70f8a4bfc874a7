/** Choice of the connection that gives way when there are too many on which nobody has authenticated (spec D2). */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Connection } from "./connection.ts";
import { createUnauthenticated } from "./unauthenticated.ts";

function open(busy: readonly boolean[], ofAll: number): number[] {
  const cut: Connection[] = [];
  const unauthenticated = createUnauthenticated({ ofAddress: 100, ofAll }, (connection) => void cut.push(connection));
  const connections = busy.map((isBusy) => ({ underWay: isBusy ? 1 : 0 }) as Connection);
  for (const connection of connections) unauthenticated.add(connection, "a");
  return cut.map((connection) => connections.indexOf(connection));
}

test("the oldest with no request under way gives way", () => {
  assert.deepEqual(open([true, false, true, false, false], 3), [1, 3]);
});

test("where many requests are under way, the oldest gives way all the same", () => {
  assert.deepEqual(open([...Array<boolean>(20).fill(true), false], 20), [0]);
});

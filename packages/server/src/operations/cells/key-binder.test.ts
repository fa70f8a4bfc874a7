// Keys are bound in home by few statements, and a call waits for it no longer than two seconds.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createClock } from "../../basics/clock.ts";
import { type Binding, type BindingTable, createKeyBinder } from "./key-binder.ts";

const keyOf = (at: number) => `80000000-0000-0000-0000-${String(at).padStart(12, "0")}`;
const bindingOf = (at: number, cell = 1): Binding => ({ key: keyOf(at), cell, boundAt: 1 });

/** Table in memory; `wait`: awaited by each statement. */
function tableIn(rows: Map<string, Binding>, wait: () => Promise<unknown> = async () => undefined) {
  const statements: number[] = [];
  const reads: (readonly string[])[] = [];
  const table: BindingTable = {
    bind: async (wanted) => {
      statements.push(wanted.length);
      await wait();
      const free = wanted.filter(({ key }) => !rows.has(key));
      for (const one of free) rows.set(one.key, one);
      return free.length;
    },
    read: async (keys) => {
      reads.push(keys);
      await wait();
      return keys.flatMap((key) => rows.get(key) ?? []);
    },
    rebind: async (from, to) => {
      statements.push(from.length);
      await wait();
      const bound = from.filter(({ key, cell }) => rows.get(key)?.cell === cell);
      for (const { key } of bound) rows.set(key, { key, ...to });
      return bound.length;
    },
  };
  return { table, statements, reads };
}

function binderOf(table: BindingTable) {
  const failures: unknown[] = [];
  const events = { bound: () => undefined, unavailable: (error: unknown) => void failures.push(error) };
  return { binder: createKeyBinder(table, events, createClock()), failures };
}

test("calls of one turn share a statement, and of one key the first cell counts", async () => {
  const { table, statements } = tableIn(new Map([[keyOf(1), bindingOf(1, 5)]]));
  const { binder } = binderOf(table);
  const asked = Array.from({ length: 300 }, (_none, at) => binder.bind("a", [bindingOf(at), bindingOf(999, at)]));
  const found = await Promise.all(asked);
  assert.ok(statements.length <= 2, String(statements));
  assert.equal(found[1]?.get(keyOf(1))?.cell, 5);
  assert.deepEqual([...new Set(found.map((bound) => bound?.get(keyOf(999))?.cell))], [0]);
});

test("the keys of a bulk are bound slice by slice", async () => {
  const { table, statements } = tableIn(new Map());
  const { binder } = binderOf(table);
  const bound = await binder.bind(
    "a",
    Array.from({ length: 3_000 }, (_none, at) => bindingOf(at)),
  );
  assert.equal(bound?.size, 3_000);
  assert.deepEqual(statements, [1_024, 1_024, 952]);
  const all = [...(bound?.values() ?? [])];
  assert.equal(await binder.rebind("a", all, { cell: 2, boundAt: 2 }), true);
  assert.equal(await binder.rebind("a", all, { cell: 3, boundAt: 3 }), false);
  assert.deepEqual(statements.slice(3), [1_024, 1_024, 952, 1_024]);
});

test("while home is silent or fails a call gets nothing, and what is given up is not bound later", async () => {
  const { promise: silent, resolve: answer } = Promise.withResolvers<void>();
  const rows = new Map<string, Binding>();
  const { table, statements } = tableIn(rows, () => silent);
  const { binder, failures } = binderOf(table);
  const first = [binder.bind("a", [bindingOf(1)])];
  await new Promise((resolve) => setImmediate(resolve));
  first.push(binder.bind("a", [bindingOf(2)]));
  await new Promise((resolve) => setImmediate(resolve));
  const waiting = binder.bind("a", [bindingOf(3)]);
  assert.deepEqual(await Promise.all([...first, waiting, binder.read("a", [keyOf(1)])]), [
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  assert.equal(failures.length, 4);
  const next = binder.bind("a", [bindingOf(5)]);
  answer();
  assert.deepEqual([...((await next)?.keys() ?? [])], [keyOf(5)]);
  assert.deepEqual(statements, [1, 1, 1]);
  assert.equal(rows.has(keyOf(3)), false);
  const failing = binderOf({
    ...table,
    bind: async () => {
      throw new Error("home is away");
    },
  });
  assert.equal(await failing.binder.bind("a", [bindingOf(4)]), undefined);
});

test("a bulk's keys hold up no other call, and nobody binds those that are not waited for any more", async () => {
  const rows = new Map<string, Binding>();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  let isHeld = true;
  const { table, statements } = tableIn(rows, async () => (isHeld ? held : undefined));
  const many = Array.from({ length: 5_000 }, (_, at) => bindingOf(10_000 + at));
  const bulk = binderOf(table).binder;
  const first = bulk.bind("a", many);
  await new Promise((resolve) => setImmediate(resolve));
  isHeld = false;
  assert.ok((await bulk.bind("a", [bindingOf(1)]))?.has(keyOf(1)));
  assert.equal(await first, undefined);
  release();
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(statements, [1_024, 1]);
});

test("a bulk of another partner has its turn although many of one wait", async () => {
  const order: string[] = [];
  const { table } = tableIn(new Map());
  const bind: BindingTable["bind"] = (wanted) => {
    order.push(`${wanted[0]?.cell} ${wanted.length}`);
    return table.bind(wanted);
  };
  const { binder } = binderOf({ ...table, bind });
  const bulkOf = (partner: string, cell: number, from: number, length: number) =>
    binder.bind(
      partner,
      Array.from({ length }, (_, at) => bindingOf(from + at, cell)),
    );
  const many = Array.from({ length: 15 }, (_, at) => bulkOf("busy", 1, at * 10_000, 10_000));
  const other = await bulkOf("quiet", 2, 900_000, 99);
  assert.equal(other?.get(keyOf(900_000))?.cell, 2);
  assert.deepEqual(order.slice(0, 2), ["1 1024", "2 99"]);
  assert.equal((await Promise.all(many)).filter(Boolean).length, 15);
});

test("reads at once are one statement, and a partner with too many is refused alone", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { table, reads } = tableIn(new Map([[keyOf(7), bindingOf(7)]]), () => held);
  const { binder, failures } = binderOf(table);
  const first = binder.read("busy", [keyOf(1), keyOf(2)]);
  const second = binder.read("busy", [keyOf(2), keyOf(7)]);
  await new Promise((resolve) => setImmediate(resolve));
  const more = Array.from({ length: 4_097 }, () => binder.read("busy", [keyOf(3)]));
  assert.equal(await more.at(-1), undefined);
  assert.match(String(failures), /^Error: too many calls wait for home$/);
  const other = binder.read("quiet", [keyOf(7)]);
  release();
  assert.equal((await other)?.get(keyOf(7))?.cell, 1);
  assert.deepEqual([(await first)?.get(keyOf(1)), (await second)?.get(keyOf(7))?.cell], [undefined, 1]);
  assert.deepEqual(reads.slice(0, 2), [
    [keyOf(1), keyOf(2), keyOf(7)],
    [keyOf(3), keyOf(7)],
  ]);
  assert.equal((await Promise.all(more)).filter(Boolean).length, 4_096);
});

test("few keys are bound anew at once, and a partner with many such calls waits alone", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { table, statements } = tableIn(new Map(), () => held);
  const { binder } = binderOf(table);
  const rebind = (partner: string, at: number) => binder.rebind(partner, [bindingOf(at)], { cell: 2, boundAt: 2 });
  const many = Array.from({ length: 257 }, (_, at) => rebind("busy", at));
  assert.equal(await many.at(-1), undefined);
  const other = rebind("quiet", 1_000);
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(statements, [1, 1]);
  release();
  assert.equal(await other, false);
  assert.equal((await Promise.all(many)).filter((one) => one === false).length, 256);
});

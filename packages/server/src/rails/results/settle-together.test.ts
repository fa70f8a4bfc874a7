import assert from "node:assert/strict";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import type { Engine } from "../../engine/engine.ts";
import type { KnownTransfer } from "../commands/event-command.ts";
import { createSettleTogether, type Recorded } from "./settle-together.ts";

const nothing: Recorded = { kind: "nothing" };

/** An engine that answers a command when it is told to, and results that are recorded alone when they are told to. */
function fixture() {
  const commands: { ids: readonly string[]; answer: (kind: string, settled?: readonly string[]) => void }[] = [];
  const engine = {
    submit: (command) =>
      new Promise((resolve) => {
        const ids = command.locks.freeTransferIds ?? [];
        const answer = (kind: string, settled = ids) =>
          resolve({ kind, payload: settled.map((id) => ({ id, rail: "interbank" })), commit: "proof" } as never);
        commands.push({ ids, answer });
      }),
  } satisfies Pick<Engine, "submit">;
  const recorded: string[] = [];
  const clock = { at: 0, real: () => clock.at };
  const together = createSettleTogether({ engine, clock, events: { recorded: (_, event) => recorded.push(event) } });
  const alone = new Map<string, { forMs: number; end: () => void }>();
  const record = (id: string, more: Partial<KnownTransfer> = {}) => {
    const known: KnownTransfer = { id, rail: "interbank", currency: "IDR", source: "s", suspensePart: 0, ...more };
    return together.record({ known }, (forMs) => {
      const { promise, resolve } = Promise.withResolvers<Recorded>();
      alone.set(id, { forMs, end: () => resolve(nothing) });
      return promise;
    });
  };
  return { commands, alone, record, recorded, clock };
}
const idsOf = (commands: readonly { readonly ids: readonly string[] }[]) => commands.map(({ ids }) => ids);

test("a result that comes alone is recorded at once, and so is one of another part or of a bulk", async () => {
  const { commands, alone, record } = fixture();
  void record("a");
  void record("of another part", { suspensePart: 1 });
  void record("of another rail", { rail: "rtgs" });
  void record("of a bulk", { bulk: "bulk" });
  assert.deepEqual([...alone.keys()], ["a", "of another part", "of another rail", "of a bulk"]);
  await sleep(10);
  assert.deepEqual(commands, []);
});

test("those that come meanwhile are settled together once it is recorded, and each knows its own transfer", async () => {
  const { commands, alone, record, recorded } = fixture();
  void record("first");
  const others = ["a", "b", "c"].map((id) => record(id));
  alone.get("first")?.end();
  await setImmediate();
  assert.deepEqual(idsOf(commands), [["a", "b", "c"]]);
  commands[0]?.answer("effect", ["a", "c"]);
  await setImmediate();
  assert.deepEqual([...alone.keys()], ["first", "b"], "what was not settled with the others is recorded alone");
  alone.get("b")?.end();
  const transfers = (await Promise.all(others)).map((one) => (one.kind === "recorded" ? one.transfer.id : one.kind));
  assert.deepEqual(transfers, ["a", "nothing", "c"]);
  assert.deepEqual(recorded, ["settle", "settle"]);
});

test("they wait no longer than 5 ms, and 64 do not wait", async () => {
  const { commands, record } = fixture();
  for (let index = 0; index < 70; index += 1) void record(String(index));
  assert.deepEqual(
    commands.map(({ ids }) => ids.length),
    [64],
  );
  await sleep(20);
  assert.deepEqual(
    commands.map(({ ids }) => ids.length),
    [64, 5],
  );
});

test("a transfer that is reported twice is never twice in one command", async () => {
  const { commands, alone, record } = fixture();
  for (const id of ["first", "a", "a", "b"]) void record(id);
  await sleep(20);
  assert.deepEqual([...alone.keys()], ["first", "a"]);
  assert.deepEqual(idsOf(commands), [["a", "b"]]);
});

test("where the command fails, each is recorded alone in the time that is left", async () => {
  const { commands, alone, record, clock } = fixture();
  for (const id of ["first", "a", "b"]) void record(id);
  await sleep(20);
  clock.at = 4_000;
  commands[0]?.answer("unknown");
  await setImmediate();
  assert.deepEqual([...alone.keys()], ["first", "a", "b"]);
  assert.equal(alone.get("b")?.forMs, 6_000);
  const late = [record("c"), record("d")];
  await sleep(20);
  clock.at = 14_000;
  commands[1]?.answer("unknown");
  assert.deepEqual(await Promise.all(late), [{ kind: "failed" }, { kind: "failed" }]);
});

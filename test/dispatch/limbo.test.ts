// A rail that answers nothing for an hour (spec D11): no timer ends anything, a repeat is answered how it is,
// the rail is asked less and less often, and once it answers everything ends, each exactly once.
import assert from "node:assert/strict";
import { test } from "node:test";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { toReferenceNo } from "../../packages/server/src/basics/ids.ts";
import { RailDown, type RailState } from "../../packages/server/src/rails/rail.ts";
import { latestStatusOf } from "./check-bulks.ts";
import { railFee } from "./nodes/dispatch-node.ts";
import type { Rails } from "./nodes/fork-node.ts";
import { askedAmount, openingBalance } from "./dispatch-fixture.ts";
import { createCluster } from "./dispatch-cluster.ts";

const names = ["interbankTransfer", "rtgsTransfer", "sknTransfer"] as const;
const conducts = ["success", "rejected", "batch", "returned"] as const;
const minuteMs = 60_000;

/** arrives: the rail has it and does not say so · lost: it does not arrive · down: nobody is there · up: all is well. */
type Mode = "arrives" | "lost" | "down" | "up";

function switched(rails: Rails, mode: () => Mode, inquired: (referenceNo: string) => void): Rails {
  /** Until the caller gives up. */
  const silence = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const met = (name: keyof Rails) => ({
    ...rails[name],
    submit: async (...[instruction, signal, commit]: Parameters<Rails["skn"]["submit"]>): Promise<RailState> => {
      if (mode() === "down") throw new RailDown("nobody there");
      if (mode() === "lost") return silence(signal);
      const state = await rails[name].submit(instruction, signal, commit);
      return mode() === "up" ? state : silence(signal);
    },
    inquire: async (...[referenceNo, signal]: Parameters<Rails["skn"]["inquire"]>) => {
      inquired(referenceNo);
      if (mode() === "down") throw new RailDown("nobody there");
      return mode() === "up" ? rails[name].inquire(referenceNo, signal) : silence(signal);
    },
    results: async (most: number) => (mode() === "up" ? rails[name].results(most) : []),
  });
  return { interbank: met("interbank"), rtgs: met("rtgs"), skn: met("skn") };
}

async function startLimbo() {
  let mode: Mode = "up";
  const inquiries = new Map<string, number>();
  const count = (referenceNo: string) => void inquiries.set(referenceNo, (inquiries.get(referenceNo) ?? 0) + 1);
  const rails = (journal: Rails) => switched(journal, () => mode, count);
  const cluster = await createCluster({ nodes: 2, rails, interbankWaitMs: 20, railTimeoutMs: 40 });
  const askAll = async (now: Mode) => {
    mode = now;
    const cells = names.flatMap((name) => conducts.map((conduct) => ({ name, conduct })));
    return Promise.all(cells.map(({ name, conduct }) => cluster.ask(name, conduct)));
  };
  const setMode = (next: Mode) => {
    mode = next;
  };
  return { cluster, inquiries, askAll, setMode };
}

test("an hour of silence ends nothing; repeats are answered as it is; then all end once", async () => {
  const { cluster, inquiries, askAll, setMode } = await startLimbo();
  await using _ = cluster;
  const { fixture } = cluster;
  const asked = [...(await askAll("arrives")), ...(await askAll("lost"))];
  const answered = asked.map(({ call, replies }) => `${call.name} ${replies[0]?.case}`);
  assert.deepEqual(
    answered,
    asked.map(({ call: { name } }) => `${name} ${name === "interbankTransfer" ? "requestInProgress" : "success"}`),
  );

  for (let minute = 1; minute <= 60; minute += 1) {
    cluster.advance(minuteMs);
    await cluster.look();
    if (minute % 20 !== 0) continue;
    for (const one of asked) {
      const before = await fixture.look(one.payer);
      const reply = await cluster.askAgain(one);
      assert.equal(reply.case, "conflict");
      assert.equal(latestStatusOf(reply), "02");
      const after = await fixture.look(one.payer);
      assert.deepEqual(after, before);
      assert.deepEqual(
        after.transfers.map(({ state, notified: events }) => ({ state, events })),
        [{ state: "submitted", events: [] }],
      );
      assert.equal(after.balance, openingBalance - askedAmount - railFee);
    }
  }
  assert.equal(await fixture.inSuspense(), BigInt(asked.length) * (askedAmount + railFee));
  // After 10 s, then at doubling intervals of at most 5 minutes, on any node: 1, 2, 3, 5, 8, 13, 18 … 58 minutes.
  const ids = await Promise.all(asked.map(async ({ payer }) => (await fixture.look(payer)).transfers[0]?.id ?? ""));
  assert.deepEqual([...new Set(ids.map((id) => inquiries.get(toReferenceNo(id))))], [15]);

  setMode("up");
  await cluster.untilEnded();
  assert.deepEqual(await cluster.findFaults(asked), []);
  const arrivals = [...cluster.journal.entries.values()].map((entry) => entry.arrivals);
  assert.deepEqual([arrivals.length, ...new Set(arrivals)], [asked.length, 1]);
  assert.deepEqual(await runAudit(fixture.url), { ok: true, findings: [] });
});

test("a rail that cannot be reached rejects calls that wait; the other transfers wait for it, and go out once", async () => {
  const { cluster, askAll, setMode } = await startLimbo();
  await using _ = cluster;
  const { fixture, journal } = cluster;
  const asked = await askAll("down");
  for (const { call, payer, replies } of asked) {
    const isWaiting = call.name === "interbankTransfer";
    assert.equal(replies[0]?.case, isWaiting ? "featureNotAllowedAtThisTime" : "success");
    const { balance, transfers } = await fixture.look(payer);
    assert.equal(balance, isWaiting ? openingBalance : openingBalance - askedAmount - railFee);
    assert.equal(transfers[0]?.state, isWaiting ? "rejected" : "queued");
  }
  for (let minute = 1; minute <= 60; minute += 1) {
    cluster.advance(minuteMs);
    await cluster.look();
  }
  const waiting = asked.filter(({ call }) => call.name !== "interbankTransfer");
  assert.equal(await fixture.countOpen(), waiting.length);
  for (const one of waiting) assert.equal(latestStatusOf(await cluster.askAgain(one)), "01");
  assert.equal(journal.entries.size, 0);

  setMode("up");
  await cluster.look();
  assert.equal(await fixture.countOpen(), waiting.length);
  for (const rail of ["rtgs", "skn"] as const) await cluster.wake(rail);
  await cluster.look();
  assert.equal(journal.entries.size, waiting.length);
  await cluster.untilEnded();
  assert.deepEqual(await cluster.findFaults(asked), []);
  assert.equal(journal.entries.size, waiting.length);
  assert.deepEqual(await runAudit(fixture.url), { ok: true, findings: [] });
});

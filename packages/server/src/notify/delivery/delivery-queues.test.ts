import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ClaimedNotification } from "../../store/tables/notifications/deliveries.ts";
import type { ClaimedAttempt } from "./delivery-lane.ts";
import { createDeliveryQueues } from "./delivery-queues.ts";
import type { Sent } from "./partner-limits.ts";

const endpoint = (index: number) => ({
  partner: `partner-${index}`,
  partnerId: `P${index}`,
  channelId: "1",
  signing: "asymmetric" as const,
  signedPath: "whole" as const,
  address: "https://a.example",
});
const times = <Made>(count: number, make: (index: number) => Made) =>
  Array.from({ length: count }, (_, index) => make(index));
const endpoints = times(200, endpoint);
const accepted: Sent = { isAccepted: true, durationMs: 1 };
const slow: Sent = { isAccepted: true, durationMs: 2_000 };
const failed: Sent = { isAccepted: false, durationMs: 1 };

/** Queues whose sends end when the test says so. */
function useQueues(bodyBytes = 500, itemCount?: number) {
  const sending = new Map<string, (sent: Sent) => void>();
  const givenBack: string[] = [];
  let now = 0;
  let count = 0;
  const queues = createDeliveryQueues({
    send: ({ notification }, { onBody, onSent }) =>
      new Promise((resolve) => {
        onBody(bodyBytes);
        sending.set(notification.id, (sent) => {
          sending.delete(notification.id);
          onSent(sent);
          resolve();
        });
      }),
    giveBack: (notifications) => givenBack.push(...notifications.map(({ id }) => id)),
    monotonic: () => now,
    quickMs: 1_000,
    shareMs: 50,
  });
  const claim = (index: number, size: number, beginBefore = 100, replayUrl?: string): readonly string[] => {
    const claimed = Array.from({ length: size }, (): ClaimedAttempt => {
      count += 1;
      const { partner } = endpoint(index);
      const notification: ClaimedNotification = {
        id: `${index}:${count}`,
        partner,
        service: 76,
        subject: String(count),
        status: "00",
        attempt: 1,
        series: 0,
        attemptOfSeries: 1,
        createdAt: 0,
        isReplay: replayUrl !== undefined,
        replayUrl,
        bodyVersion: 2,
        itemCount,
      };
      return { notification, beginBefore, claimEndsAt: 1_000 };
    });
    queues.add(claimed);
    return claimed.map(({ notification }) => notification.id);
  };
  const sendingOf = (index: number) => [...sending.keys()].filter((id) => id.startsWith(`${index}:`));
  const end = async (id: string, sent: Sent) => {
    sending.get(id)?.(sent);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    queues,
    givenBack,
    claim,
    sendingOf,
    sendingCount: () => sending.size,
    end,
    capacityOf: (at: number) => queues.capacitiesOf([{ endpoint: endpoint(at), isReplay: false }])[0]?.capacity ?? 0,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

test("a newer replay is sent beside the attempt before it, and in the place of one that is queued", async () => {
  const sent: string[] = [];
  const ends: (() => void)[] = [];
  const queues = createDeliveryQueues({
    send: async ({ notification: { id, attempt } }, { onSent }) => {
      sent.push(`${id}:${attempt}`);
      if (id === "proof") return onSent(accepted);
      return new Promise((resolve) => ends.push(resolve));
    },
    giveBack: () => assert.fail("given back"),
    monotonic: () => 0,
    quickMs: 1_000,
    shareMs: 50,
  });
  const { partner } = endpoint(1);
  const add = (id: string, attempt: number, series: number) => {
    const unchanged = {
      attemptOfSeries: 1,
      service: 76,
      subject: id,
      status: "00",
      createdAt: 0,
      isReplay: true,
      replayUrl: undefined,
      bodyVersion: 2,
      itemCount: undefined,
    };
    const notification: ClaimedNotification = { id, partner, attempt, series, ...unchanged };
    queues.add([{ notification, beginBefore: 1, claimEndsAt: 1 }]);
  };
  add("proof", 1, 0);
  await new Promise((resolve) => setImmediate(resolve));
  for (const id of ["a", "b", "c"]) add(id, 1, 0);
  // The same replay is not sent twice at once; a newer one is.
  add("a", 2, 0);
  add("a", 2, 1);
  add("h", 1, 0);
  add("h", 2, 0);
  add("h", 3, 2);
  assert.deepEqual(sent, ["proof:1", "a:1", "b:1", "c:1", "a:2"]);
  assert.equal(queues.count(), 5);
  ends.shift()?.();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([sent.at(-1), sent.length], ["h:3", 6]);
});

/** Its partner has responded, and quickly. */
async function prove({ claim, end }: ReturnType<typeof useQueues>, index: number): Promise<void> {
  const [first = ""] = claim(index, 1);
  await end(first, accepted);
}

test("a partner may have one until it responds, eight then, 64 queued if quickly, and one while it fails; what is queued then is given back", async () => {
  const { capacityOf, claim, end, sendingOf, givenBack } = useQueues();
  assert.equal(capacityOf(0), 1);
  const [first = ""] = claim(0, 8);
  assert.deepEqual([capacityOf(0), capacityOf(1), sendingOf(0).length], [0, 1, 1]);
  await end(first, accepted);
  assert.deepEqual([capacityOf(0), sendingOf(0).length], [57, 7]);
  claim(0, 57);
  assert.deepEqual([capacityOf(0), sendingOf(0).length], [0, 8]);
  const [slowest = "", failing = ""] = sendingOf(0);
  await end(slowest, slow);
  assert.deepEqual([givenBack.length, sendingOf(0).length, capacityOf(0)], [0, 8, 0]);
  await end(failing, failed);
  assert.deepEqual([givenBack.length, sendingOf(0).length, capacityOf(0)], [55, 7, 0]);
  for (const id of sendingOf(0)) await end(id, failed);
  assert.deepEqual([sendingOf(0).length, capacityOf(0)], [0, 1]);
  claim(0, 1);
  await end(sendingOf(0)[0] ?? "", accepted);
  assert.equal(capacityOf(0), 64);
});

test("a long queue is filled again when it is half empty", async () => {
  const queues = useQueues();
  const { capacityOf, claim, end, sendingOf } = queues;
  await prove(queues, 0);
  claim(0, 64);
  while (capacityOf(0) === 0) await end(sendingOf(0)[0] ?? "", accepted);
  assert.equal(capacityOf(0), 32);
});

test("partners that are not proven to respond have 128 turns together, and the others the rest", async () => {
  const all = useQueues();
  const { queues, claim, sendingOf, sendingCount } = all;
  for (let index = 150; index < 160; index += 1) await prove(all, index);
  for (let index = 0; index < 150; index += 1) claim(index, 1);
  assert.deepEqual([sendingCount(), sendingOf(127).length, sendingOf(128).length], [128, 1, 0]);
  const due = endpoints.slice(120, 160).map((one) => ({ endpoint: one, isReplay: false }));
  const capacities = queues.capacitiesOf(due).map(({ partner, capacity }) => [Number(partner.slice(8)), capacity]);
  assert.deepEqual(
    capacities,
    times(10, (index) => [150 + index, 64]),
  );
  for (let index = 150; index < 160; index += 1) claim(index, 8);
  assert.equal(sendingCount(), 128 + 8 * 8 + 2);
});

test("an attempt that hangs gives up its turn, and leaves no other to its partner", async () => {
  const { claim, end, sendingOf, sendingCount, pass, queues, capacityOf } = useQueues();
  for (let index = 0; index < 150; index += 1) claim(index, 1);
  pass(49);
  queues.releaseHanging();
  assert.equal(sendingCount(), 128);
  pass(1);
  queues.releaseHanging();
  assert.deepEqual([sendingCount(), capacityOf(0), capacityOf(199)], [150, 0, 1]);
  for (let index = 0; index < 150; index += 1) await end(sendingOf(index)[0] ?? "", failed);
  assert.equal(queues.count(), 0);
});

test("bodies have a bound in bytes: others begin when they have ended or hang, and the largest fits by itself", async () => {
  const mebibyte = 1_048_576;
  const { claim, end, sendingOf, sendingCount, pass, queues } = useQueues(1.5 * mebibyte, 5_000);
  for (let index = 0; index < 20; index += 1) claim(index, 1);
  assert.equal(sendingCount(), 2);
  pass(50);
  queues.releaseHanging();
  assert.equal(sendingCount(), 3, "one hangs, and there is no memory for others that do");
  await end(sendingOf(0)[0] ?? "", failed);
  queues.releaseHanging();
  assert.equal(sendingCount(), 3);
  const largest = useQueues(32 * mebibyte, 100_000);
  for (let index = 0; index < 3; index += 1) largest.claim(index, 1);
  assert.equal(largest.sendingCount(), 1);
});

test("those whose claim has ended while they are here are not to be claimed again", () => {
  const { queues, claim } = useQueues();
  const ids = claim(0, 10);
  assert.deepEqual(queues.overdue(999), []);
  assert.deepEqual(new Set(queues.overdue(1_000)), new Set(ids));
});

test("256 are sent at once, partners take turns, and the last 64 turns are of those that have none", async () => {
  const all = useQueues();
  const { claim, end, sendingOf, sendingCount } = all;
  for (let index = 0; index < 200; index += 1) await prove(all, index);
  for (let index = 0; index < 40; index += 1) claim(index, 8);
  assert.deepEqual([sendingCount(), sendingOf(23).length, sendingOf(24).length], [208, 8, 1]);
  for (const id of sendingOf(0)) await end(id, accepted);
  assert.equal(sendingCount(), 200);
  for (let index = 100; index < 180; index += 1) claim(index, 8);
  assert.deepEqual([sendingCount(), sendingOf(155).length, sendingOf(156).length], [256, 1, 0]);
});

test("an attempt that would begin after its claim has ended is given back, and so are those queued when the node stops", async () => {
  const all = useQueues();
  const { queues, claim, end, sendingOf, givenBack, pass } = all;
  for (const index of [0, 1]) await prove(all, index);
  claim(0, 10);
  pass(100);
  await end(sendingOf(0)[0] ?? "", accepted);
  assert.equal(givenBack.length, 2);
  claim(1, 10, 200);
  const closed = queues.close();
  assert.deepEqual([givenBack.length, queues.count()], [4, 15]);
  for (const index of [0, 1]) for (const id of sendingOf(index)) await end(id, accepted);
  await closed;
});

test("whatever is claimed and however it ends: each is sent or given back, never more than allowed at once", async () => {
  const ends = [accepted, slow, failed];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ partner: fc.nat(5), ends: fc.array(fc.nat(2), { maxLength: 20 }) }), { maxLength: 30 }),
      async (steps) => {
        const { queues, claim, end, sendingOf, givenBack, capacityOf, sendingCount } = useQueues();
        const claimed = new Set<string>();
        const sent = new Set<string>();
        for (const { partner, ends: results } of steps) {
          for (const id of claim(partner, capacityOf(partner))) claimed.add(id);
          for (const result of results) {
            assert.ok(sendingOf(partner).length <= 8 && sendingCount() <= 256);
            const [id] = sendingOf(partner);
            if (id === undefined) break;
            sent.add(id);
            await end(id, ends[result] ?? accepted);
          }
        }
        const closed = queues.close();
        for (const index of [0, 1, 2, 3, 4, 5])
          for (const id of sendingOf(index)) {
            sent.add(id);
            await end(id, accepted);
          }
        await closed;
        assert.deepEqual(new Set([...sent, ...givenBack]), claimed);
        assert.equal(sent.size + givenBack.length, claimed.size);
      },
    ),
    { numRuns: 50 },
  );
});

test("replays have turns of their own, whatever becomes of them: four of a partner, 64 of all", async () => {
  const all = useQueues();
  const { claim, end, capacityOf, sendingOf, sendingCount, givenBack } = all;
  await prove(all, 1);
  const elsewhere = claim(1, 6, 100, "https://test.example");
  assert.deepEqual(sendingOf(1), elsewhere.slice(0, 1));
  await end(elsewhere[0] ?? "", accepted);
  assert.deepEqual(sendingOf(1), elsewhere.slice(1, 5));
  const own = claim(1, 20);
  assert.deepEqual(sendingOf(1), [...elsewhere.slice(1, 5), ...own.slice(0, 8)]);
  await end(elsewhere[1] ?? "", failed);
  assert.deepEqual([givenBack, capacityOf(1)], [elsewhere.slice(5), 64 - own.length]);
  for (let index = 2; index < 150; index += 1) claim(index, 2, 100, "https://test.example");
  assert.equal(sendingCount(), 3 + 8 + 32);
  for (const id of own.slice(0, 8)) await end(id, failed);
  await end(elsewhere[2] ?? "", accepted);
  assert.equal(capacityOf(1), 1);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Delivery } from "../store/tables/deliveries.ts";
import { type ClaimedDelivery, createDeliveryQueues } from "./delivery-queues.ts";
import type { Sent } from "./partner-limits.ts";

const endpoint = (index: number) => ({
  partner: `partner-${index}`,
  partnerId: `P${index}`,
  channelId: "1",
  signing: "asymmetric" as const,
  signedPath: "whole" as const,
  address: "https://a.example",
});
const endpoints = Array.from({ length: 100 }, (_, index) => endpoint(index));
const accepted: Sent = { isAccepted: true, durationMs: 1 };
const slow: Sent = { isAccepted: true, durationMs: 2_000 };
const failed: Sent = { isAccepted: false, durationMs: 1 };

/** Queues whose sends end when the test says so. */
function useQueues() {
  const sending = new Map<string, (sent: Sent) => void>();
  const givenBack: string[] = [];
  let now = 0;
  let count = 0;
  const queues = createDeliveryQueues({
    send: ({ delivery }, onSent) =>
      new Promise((resolve) =>
        sending.set(delivery.id, (sent) => {
          sending.delete(delivery.id);
          onSent(sent);
          resolve();
        }),
      ),
    giveBack: (deliveries) => givenBack.push(...deliveries.map(({ id }) => id)),
    monotonic: () => now,
    quickMs: 1_000,
  });
  const claim = (index: number, size: number, beginBefore = 100, replayUrl?: string): readonly string[] => {
    const claimed = Array.from({ length: size }, (): ClaimedDelivery => {
      count += 1;
      const { partner } = endpoint(index);
      const delivery: Delivery = {
        id: `${index}:${count}`,
        partner,
        service: 76,
        resource: String(count),
        status: "00",
        attempt: 1,
        series: 0,
        attemptOfSeries: 1,
        createdAt: 0,
        replayUrl,
        bodyVersion: 2,
      };
      return { delivery, beginBefore, claimEndsAt: 1_000 };
    });
    queues.add(claimed);
    return claimed.map(({ delivery }) => delivery.id);
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
    roomOf: (index: number) => queues.roomsOf([endpoint(index)])[0]?.room ?? 0,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

test("of a newer replay a notification is sent beside the attempt before it, and in the place of one that is queued", async () => {
  const sent: string[] = [];
  const ends: (() => void)[] = [];
  const queues = createDeliveryQueues({
    send: ({ delivery: { id, attempt } }) => {
      sent.push(`${id}:${attempt}`);
      return new Promise((resolve) => ends.push(resolve));
    },
    giveBack: () => assert.fail("given back"),
    monotonic: () => 0,
    quickMs: 1_000,
  });
  const { partner } = endpoint(1);
  const add = (id: string, attempt: number, series: number) => {
    const unchanged = {
      attemptOfSeries: 1,
      service: 76,
      resource: id,
      status: "00",
      createdAt: 0,
      replayUrl: undefined,
      bodyVersion: 2,
    };
    const delivery: Delivery = { id, partner, attempt, series, ...unchanged };
    queues.add([{ delivery, beginBefore: 1, claimEndsAt: 1 }]);
  };
  for (const id of ["a", "b", "c", "d", "e", "f", "g"]) add(id, 1, 0);
  // Of the same replay it is not sent twice at once; of a newer one it is.
  add("a", 2, 0);
  add("a", 2, 1);
  add("h", 1, 0);
  add("h", 2, 0);
  add("h", 3, 2);
  assert.deepEqual(sent, ["a:1", "b:1", "c:1", "d:1", "e:1", "f:1", "g:1", "a:2"]);
  assert.equal(queues.count(), 9);
  ends.shift()?.();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([sent.at(-1), sent.length], ["h:3", 9]);
});

test("a partner may have eight, 64 once it responds quickly, and one while it fails; what is queued then is given back", async () => {
  const { roomOf, claim, end, sendingOf, givenBack } = useQueues();
  assert.equal(roomOf(0), 8);
  const [first = ""] = claim(0, 8);
  assert.deepEqual([roomOf(0), roomOf(1)], [0, 8]);
  await end(first, accepted);
  assert.equal(roomOf(0), 57);
  claim(0, 57);
  assert.deepEqual([roomOf(0), sendingOf(0).length], [0, 8]);
  const [slowest = "", failing = ""] = sendingOf(0);
  await end(slowest, slow);
  assert.deepEqual([givenBack.length, sendingOf(0).length, roomOf(0)], [0, 8, 0]);
  await end(failing, failed);
  assert.deepEqual([givenBack.length, sendingOf(0).length, roomOf(0)], [55, 7, 0]);
  for (const id of sendingOf(0)) await end(id, failed);
  assert.deepEqual([sendingOf(0).length, roomOf(0)], [0, 1]);
  claim(0, 1);
  await end(sendingOf(0)[0] ?? "", accepted);
  assert.equal(roomOf(0), 64);
});

test("a long queue is filled again when it is half empty", async () => {
  const { roomOf, claim, end, sendingOf } = useQueues();
  claim(0, 8);
  for (const id of sendingOf(0)) await end(id, accepted);
  claim(0, 64);
  while (roomOf(0) === 0) await end(sendingOf(0)[0] ?? "", accepted);
  assert.equal(roomOf(0), 32);
});

test("partners that fail have 64 together, and the others the rest", async () => {
  const { queues, claim, end, sendingOf } = useQueues();
  for (let index = 0; index < 80; index += 1) {
    claim(index, 1);
    await end(sendingOf(index)[0] ?? "", failed);
  }
  const granted = queues.roomsOf(endpoints).map(({ partner, room }) => [Number(partner.slice(8)) < 80, room] as const);
  const sumOf = (isFailing: boolean) =>
    granted.filter(([fails]) => fails === isFailing).reduce((sum, [, room]) => sum + room, 0);
  assert.deepEqual([sumOf(true), sumOf(false)], [64, 160]);
});

test("those whose claim has ended while they are here are not to be claimed again", () => {
  const { queues, claim } = useQueues();
  const ids = claim(0, 10);
  assert.deepEqual(queues.overdue(999), []);
  assert.deepEqual(new Set(queues.overdue(1_000)), new Set(ids));
});

test("256 are sent at once, and partners take turns", async () => {
  const { claim, end, sendingOf, sendingCount } = useQueues();
  for (let index = 0; index < 40; index += 1) claim(index, 8);
  assert.equal(sendingCount(), 256);
  assert.equal(sendingOf(35).length, 0);
  for (const id of sendingOf(0)) await end(id, accepted);
  assert.deepEqual(
    [32, 33, 34, 35, 36, 37, 38, 39].map((index) => sendingOf(index).length),
    [1, 1, 1, 1, 1, 1, 1, 1],
  );
});

test("what would begin after its claim has ended is given back, and so is what is queued when the node stops", async () => {
  const { queues, claim, end, sendingOf, givenBack, pass } = useQueues();
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
        const { queues, claim, end, sendingOf, givenBack, roomOf, sendingCount } = useQueues();
        const claimed = new Set<string>();
        const sent = new Set<string>();
        for (const { partner, ends: results } of steps) {
          for (const id of claim(partner, roomOf(partner))) claimed.add(id);
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

test("replays to another address that fail or are slow take no turns from the partner's own notifications", async () => {
  const { claim, end, roomOf, sendingOf, givenBack } = useQueues();
  const [quick = ""] = claim(1, 1);
  await end(quick, accepted);
  const [elsewhere = "", slowly = ""] = claim(1, 2, 100, "https://test.example");
  const own = claim(1, 20);
  await end(elsewhere, failed);
  await end(slowly, slow);
  assert.deepEqual([givenBack, sendingOf(1).length, roomOf(1)], [[], 8, 64 - own.length]);
  // Nor do they give it any: its own system fails.
  await end(own[0] ?? "", failed);
  const [again = ""] = claim(1, 1, 100, "https://test.example");
  assert.equal(sendingOf(1).includes(again), false);
  for (const id of own.slice(1, 8)) await end(id, failed);
  await end(again, accepted);
  assert.equal(roomOf(1), 1);
});

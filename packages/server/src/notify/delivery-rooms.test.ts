import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createDeliveryRooms, type DeliveryRooms } from "./delivery-rooms.ts";

const endpoint = (index: number) => ({
  partner: `partner-${index}`,
  partnerId: `P${index}`,
  channelId: "1",
  signing: "asymmetric" as const,
  address: "https://a.example",
});
const endpoints = Array.from({ length: 100 }, (_, index) => endpoint(index));
const roomsOf = (rooms: DeliveryRooms) => new Map(rooms.of(endpoints).map(({ partner, room }) => [partner, room]));

test("a partner has eight; one while it fails, eight again once it accepts", () => {
  const rooms = createDeliveryRooms();
  const roomOf = () => roomsOf(rooms).get("partner-0");
  assert.equal(roomOf(), 8);
  for (let i = 0; i < 8; i += 1) rooms.begin("partner-0");
  assert.equal(roomOf(), undefined);
  assert.equal(roomsOf(rooms).get("partner-1"), 8);
  rooms.end("partner-0", undefined);
  assert.equal(roomOf(), 1);
  for (let i = 0; i < 7; i += 1) rooms.end("partner-0", false);
  assert.equal(roomOf(), 1);
  rooms.begin("partner-0");
  assert.equal(roomOf(), undefined);
  rooms.end("partner-0", true);
  assert.equal(roomOf(), 8);
});

test("partners that fail have 64 together, and the others the rest", () => {
  const rooms = createDeliveryRooms();
  for (const { partner } of endpoints.slice(0, 80)) {
    rooms.begin(partner);
    rooms.end(partner, false);
  }
  const granted = rooms.of(endpoints).map(({ partner, room }) => [Number(partner.slice("partner-".length)) < 80, room]);
  const sumOf = (isFailing: boolean) =>
    granted.reduce((sum, [is, room]) => sum + (is === isFailing ? Number(room) : 0), 0);
  assert.deepEqual([sumOf(true), sumOf(false)], [64, 160]);
});

test("without an address there is room for replays elsewhere", () => {
  const { address: _, ...unaddressed } = endpoint(0);
  assert.deepEqual(createDeliveryRooms().of([unaddressed]), [{ partner: "partner-0", room: 8, hasAddress: false }]);
});

const step = fc.record({
  partner: fc.nat({ max: 99 }),
  count: fc.integer({ min: 1, max: 8 }),
  isAccepted: fc.constantFrom(true, false, undefined),
});

test("whatever was sent before, no more than 256 are sent, and 64 to those that fail", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const rooms = createDeliveryRooms();
      const sent = new Map<string, number>();
      const failing = new Set<string>();
      const total = () => [...sent.values()].reduce((sum, count) => sum + count, 0);
      for (const { partner: index, count, isAccepted } of steps) {
        const partner = `partner-${index}`;
        const granted = roomsOf(rooms);
        const ofFailing = [...granted].reduce((sum, [one, room]) => sum + (failing.has(one) ? room : 0), 0);
        assert.ok([...granted.values()].reduce((sum, room) => sum + room, 0) <= 256 - total());
        assert.ok(ofFailing <= 64);
        for (const [one, room] of granted) assert.ok(room >= 1 && room <= (failing.has(one) ? 1 : 8));
        const before = sent.get(partner) ?? 0;
        for (let i = 0; i < Math.min(count, granted.get(partner) ?? 0); i += 1) rooms.begin(partner);
        sent.set(partner, before + Math.min(count, granted.get(partner) ?? 0));
        if ((sent.get(partner) ?? 0) === 0 || count > 4) continue;
        rooms.end(partner, isAccepted);
        sent.set(partner, (sent.get(partner) ?? 0) - 1);
        if (isAccepted === false) failing.add(partner);
        if (isAccepted === true) failing.delete(partner);
      }
    }),
  );
});

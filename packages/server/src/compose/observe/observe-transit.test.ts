import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetrics } from "../../observability/metrics.ts";
import { observeTransit } from "./observe-transit.ts";

test("shippers are shown by their cells: how far behind, what they credited, why they stopped", async () => {
  const told: string[] = [];
  const tell = (event: string, _message: string, fields?: object) =>
    void told.push(`${event} ${JSON.stringify(fields)}`);
  const metrics = createMetrics();
  const observer = observeTransit({ metrics, log: { warn: tell, error: tell } });
  const samples = async () => {
    const text = await metrics.render();
    return (text.match(/^titian_transit_.*$/gm) ?? []).map((line) => line.slice("titian_transit_".length)).sort();
  };
  observer.add(0, 7, { behind: () => ({ entries: 12, seconds: 0.5 }) });
  observer.add(7, 0, { behind: () => undefined });
  const events = observer.eventsOf(0, 7);
  events.mirrored(0, 0);
  events.mirrored(200, 0);
  events.mirrored(55, 1);
  const stop = { currency: "IDR", reason: "ahead", mirrored: 9, sent: 8 } as const;
  events.stopped(stop);
  const shown = [
    'behind_seconds{from="0",to="7"} 0.5',
    'behind{from="0",to="7"} 12',
    'mirrored_total{from="0",to="7",result="credited"} 255',
    'mirrored_total{from="0",to="7",result="diverted"} 1',
  ];
  assert.deepEqual(await samples(), [...shown, 'stopped{from="0",to="7",currency="IDR",reason="ahead"} 1']);
  events.resumed(stop);
  assert.deepEqual(await samples(), shown);
  events.away(7, undefined);
  events.back(7);
  const cells = '"fromCell":0,"toCell":7';
  assert.deepEqual(told, [
    `transit.stopped {${cells},"currency":"IDR","reason":"ahead","count":9}`,
    `transit.resumed {${cells},"currency":"IDR","reason":"ahead"}`,
    `transit.waiting {${cells},"cell":7}`,
    `transit.shipping {${cells},"cell":7}`,
  ]);
});

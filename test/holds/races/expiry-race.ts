/** Captures against the expiry job, on nodes whose clocks differ a little, while the time of the holds passes. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Answered, type HoldCalls, placeHold } from "./race-fixture.ts";
import type { Race, Raced } from "./races.ts";
import { idr } from "../merchant.ts";

const shortestMs = 60_000;
/** For placing the holds: their time must not be less than a minute ahead when that is decided. */
const marginMs = 500;
const leadMsMax = 60;
const skewMsMax = 2;
const captures = 12;

/** Places holds, moves every node to just before their time, and lets captures and the job run across it. */
export const captureAndExpiry: Race = {
  name: "capture against expiry",
  atOnce: 10,
  run: async (scene, random, rounds) => {
    const expiresAt = Date.now() + scene.clock.offset + shortestMs + marginMs;
    const validUpTo = new Date(expiresAt).toISOString();
    const holds = await Promise.all(
      Array.from({ length: rounds }, () => placeHold(scene, "8.00", { first: Math.round(random()), validUpTo })),
    );
    scene.clock.offset = expiresAt - Math.ceil(random() * leadMsMax) - Date.now();
    await Promise.all(
      scene.nodes.map((node) => node.setOffset(scene.clock.offset + Math.floor(random() * (skewMsMax + 1)))),
    );
    let isOver = false;
    const jobs = scene.nodes.map(async (node) => {
      while (!isOver) await node.expire();
    });
    const raced = await Promise.all(holds.map((hold) => captureAll(hold, random)));
    while (Date.now() + scene.clock.offset <= expiresAt) await sleep(1);
    isOver = true;
    await Promise.all(jobs);
    // A job that looked before the time may have found nothing: one more, past it for certain.
    await scene.nodes[0]?.expire();
    return raced;
  },
};

async function captureAll({ original, send }: HoldCalls, random: () => number): Promise<Raced> {
  const sent: Promise<Answered>[] = [];
  for (let count = 0; count < captures; count += 1) {
    sent.push(send("authCapture", { captureAmount: idr("1.00") }));
    await sleep(random() * 3);
  }
  const answered = await Promise.all(sent);
  const captured = answered.filter(({ reply }) => reply.case === "success").length;
  return {
    original,
    answered,
    outcome: captured === 0 ? "all expired" : captured === 8 ? "all captured" : "lapsed",
    judge: ({ remaining, voided }) => [
      ...answered.flatMap(({ reply }) =>
        reply.case === "success" || reply.case === "invalidTransactionStatus" ? [] : [`a capture: ${reply.case}`],
      ),
      ...(remaining === 0n && voided === 0n ? [] : [`${remaining} left and ${voided} voided`]),
    ],
  };
}

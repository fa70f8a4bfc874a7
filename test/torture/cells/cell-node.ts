/** A node of two cells in a process of its own: an engine each, and a shipper from the first to the second. */
import { setTimeout as sleep } from "node:timers/promises";
import { createClock } from "../../../packages/server/src/basics/clock.ts";
import { noEvents } from "../../../packages/server/src/engine/batch/events.ts";
import { createEngine } from "../../../packages/server/src/engine/engine.ts";
import { openSession, type Session } from "../../../packages/server/src/store/postgres/session.ts";
import { referenceWith } from "../../engine/transfers.ts";
import { serveParent } from "../../support/child-node.ts";
import { acrossCommand, ship } from "../../transit/transit-fixture.ts";

export interface CellUrls {
  readonly payer: string;
  readonly payee: string;
}

export interface CellPayment {
  readonly externalId: string;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
}

/** `kind` of the outcome; id of the request that took effect, now or before. */
export interface CellAnswer {
  readonly kind: string;
  readonly id?: string;
}

serveParent<CellUrls, CellPayment, CellAnswer>(async ({ payer, payee }, { report }) => {
  const reference = referenceWith(86_400_000);
  let isStarting = true;
  const opening = (url: string) => async (): Promise<Session> => {
    for (;;) {
      try {
        return await openSession(url, `cell node ${process.pid}`);
      } catch (error) {
        if (!isStarting) throw error;
        await sleep(50);
      }
    }
  };
  const start = (url: string) =>
    createEngine({
      open: opening(url),
      clock: createClock(),
      reference: () => reference,
      events: { ...noEvents, poison: (_, error) => report(`a command failed alone: ${String(error)}`) },
    });
  const [from, to] = [await start(payer), await start(payee)];
  isStarting = false;
  const shipping = ship(payer, { url: payee, engine: to });
  return {
    answer: async (payment) => {
      const outcome = await from.submit(acrossCommand({ ...payment, sentAt: Date.now() }));
      if (outcome.kind === "effect") shipping.shipper.poke("IDR");
      if (outcome.kind === "effect") return { kind: "effect", id: outcome.id };
      return outcome.kind === "repeat" ? { kind: "effect", id: outcome.original.id } : { kind: outcome.kind };
    },
    close: async () => {
      for (const line of shipping.told) if (line.startsWith("stopped")) report(line);
      await shipping[Symbol.asyncDispose]();
      await from.close();
      await to.close();
    },
  };
});

// Sends of one external id are decided in turn by the rows they lock. Here the repeat comes before its rows exist.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { createClock } from "../../packages/server/src/clock.ts";
import { createEngine } from "../../packages/server/src/engine/engine.ts";
import { openSession } from "../../packages/server/src/store/postgres/session.ts";
import { useDatabase } from "../support/database/database.ts";
import { findFaults } from "./find-faults.ts";
import { accounts, seedAccounts } from "./seed-accounts.ts";
import { referenceWith, type Transfer, transferCommand } from "./transfers.ts";

const database = await useDatabase();
const client = new Client({ connectionString: database.url });
await client.connect();
after(async () => {
  await client.end();
  await database.drop();
});

/** A node whose commits wait until released. */
async function startPausing() {
  const [reached, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const reference = referenceWith(86_400_000);
  const engine = await createEngine({
    open: async () => {
      const session = await openSession(database.url, "missing rows");
      const commit = async () => {
        reached.resolve();
        await go.promise;
        return session.commit();
      };
      return { ...session, commit };
    },
    clock: createClock(),
    reference: () => reference,
  });
  return { engine, reached: reached.promise, go: go.resolve, [Symbol.asyncDispose]: () => engine.close() };
}

test("a repeat rejected before its accounts exist is answered with the older send that is accepted on them", async () => {
  await using one = await startPausing();
  await using other = await startPausing();
  const sent = (sentAt: number): Transfer => {
    return { from: "1", to: "2", amount: 5n, externalId: "twice", signature: `sent at ${sentAt}`, sentAt };
  };
  const repeat = one.engine.submit(transferCommand(sent(2)));
  // It has found no accounts, and is about to be rejected.
  await one.reached;
  await seedAccounts(client, accounts(2, 100n));
  const delayed = other.engine.submit(transferCommand(sent(1)));
  // It has found the accounts and no rejection, and is about to be accepted.
  await other.reached;
  one.go();
  // Longer than the lock time-out: the repeat is deferred, because the row is locked.
  await sleep(700);
  other.go();
  assert.equal((await delayed).kind, "effect");
  const outcome = await repeat;
  assert.equal(outcome.kind === "repeat" && outcome.repeat, "sameCall");
  assert.deepEqual(await findFaults(client), []);
});

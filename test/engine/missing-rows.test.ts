// Sends of one external id are decided in turn by the rows they lock. Here the repeat comes before its rows exist.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { noEvents } from "../../packages/server/src/engine/batch/events.ts";
import { createEngine } from "../../packages/server/src/engine/engine.ts";
import { openSession } from "../../packages/server/src/store/postgres/session.ts";
import { useDatabase } from "../support/database/database.ts";
import { kindOf } from "./decide.ts";
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
  const newWait = () => Promise.withResolvers<void>();
  const [reached, go, failed] = [newWait(), newWait(), newWait()];
  const reference = referenceWith(86_400_000);
  const engine = await createEngine({
    open: async () => {
      const session = await openSession(database.url, "missing rows");
      const commit: typeof session.commit = async (sentAt) => {
        reached.resolve();
        await go.promise;
        return session.commit(sentAt);
      };
      return { ...session, commit };
    },
    clock: createClock(),
    reference: () => reference,
    events: { ...noEvents, failed: () => failed.resolve() },
  });
  return {
    engine,
    reached: reached.promise,
    go: go.resolve,
    failed: failed.promise,
    [Symbol.asyncDispose]: () => engine.close(),
  };
}

test("a repeat rejected before its accounts exist, under one id or two, is answered with the older send that is accepted on them", async () => {
  await using one = await startPausing();
  await using other = await startPausing();
  const send = (at: typeof one, sentAt: number) =>
    ["twice", `twice, at ${sentAt}`].map((externalId) => {
      const number = `twice ${externalId.length}`;
      const signature = `${externalId} sent at ${sentAt}`;
      const transfer: Transfer = { from: "1", to: "2", amount: 5n, externalId, number, signature, sentAt };
      return at.engine.submit(transferCommand(transfer));
    });
  const repeats = send(one, 2);
  // They have found no accounts, and are about to be rejected.
  await one.reached;
  await seedAccounts(client, accounts(2, 100n));
  const delayed = send(other, 1);
  // They have found the accounts and no rejection, and are about to be accepted.
  await other.reached;
  one.go();
  // Longer than the lock time-out: the repeats are deferred, because the row is locked.
  await sleep(700);
  other.go();
  assert.deepEqual((await Promise.all(delayed)).map(kindOf), ["effect", "effect"]);
  assert.deepEqual((await Promise.all(repeats)).map(kindOf), ["sameCall", "sameNumber"]);
  assert.deepEqual(await findFaults(client), []);
});

test("copies that find no rows, on two nodes at once, get one rejection", async () => {
  await using one = await startPausing();
  await using other = await startPausing();
  const sendTwice = ({ engine }: typeof one) =>
    [1, 2].map(() => {
      const copy = { from: "8", to: "9", amount: 5n, externalId: "copied", signature: "copied", sentAt: 1 };
      return engine.submit(transferCommand(copy));
    });
  const first = sendTwice(one);
  await one.reached;
  const second = sendTwice(other);
  // Both have looked for rows and for rejections, found none, and are about to commit.
  await other.reached;
  other.go();
  await Promise.race([Promise.all(second), other.failed]);
  one.go();
  const outcomes = await Promise.all([...first, ...second]);
  const ids = outcomes.map((outcome) => outcome.kind === "rejection" && outcome.id);
  assert.equal(new Set(ids).size, 1, JSON.stringify(outcomes));
});

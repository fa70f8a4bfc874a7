/** Capacity and memory of notifications: what hangs or is replayed never holds up a partner whose endpoint answers (spec D14). */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, beforeEach, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import type { NotificationEndpoint } from "../../packages/server/src/interfaces/notifications.ts";
import {
  type AttemptedNotification,
  createDeliverNotifications,
  type DeliverDeps,
} from "../../packages/server/src/notify/delivery/deliver-notifications.ts";
import { createAddressGuard } from "../../packages/server/src/notify/address-guard.ts";
import { sendingMax } from "../../packages/server/src/notify/delivery/delivery-queues.ts";
import { createHttpClient } from "../../packages/server/src/notify/http-client.ts";
import { createNotificationSigner } from "../../packages/server/src/notify/sign-notification.ts";
import { createSigningThread } from "../../packages/server/src/notify/signing-thread.ts";
import { replayDeliveries } from "../../packages/server/src/store/tables/notifications/replays.ts";
import { eventually } from "../support/black-box/answers.ts";
import { useJobDatabase } from "../support/database/job-database.ts";

const { pool, client, drop } = await useJobDatabase();
after(drop);
beforeEach(() => client.query("truncate outbox, delivery_attempts"));

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const providerKey = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
/** Nothing that hangs ends within a test. */
const timeoutMs = 60_000;

/** Answers with what `reply` does once the whole request has come. */
async function startServer(
  stack: AsyncDisposableStack,
  reply: (partnerId: string, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    request.once("end", () => reply(String(request.headers["x-partner-id"]), response));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stack.defer(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The job of a node, which runs as long as the stack is open. */
function startJob(
  stack: AsyncDisposableStack,
  own: Pick<DeliverDeps, "endpoints" | "endpointsAgeMs" | "writeNotification" | "events">,
): void {
  const clock = createClock();
  const guard = createAddressGuard({
    needsTls: false,
    isPermitted: () => true,
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
  });
  const http = createHttpClient({ guard, timeoutMs, connections: sendingMax });
  const { sign, ...thread } = createSigningThread(providerKey);
  const version = "v1.0";
  const signer = createNotificationSigner({
    sign,
    clientId: "titian",
    version,
    client: http,
    real: () => clock.real(),
  });
  const job = createDeliverNotifications({ ...own, client: http, signer, version, database: pool, clock, timeoutMs });
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      await job.run(async () => !isOver);
      await sleep(50);
    }
  })();
  stack.defer(async () => {
    isOver = true;
    await running;
    // A delivery that hangs is cut, as it is at the end of a node.
    const closed = job.close();
    await http.close();
    await closed;
    await thread[Symbol.asyncDispose]();
  });
}

/** A node that delivers, an endpoint that answers after `answerMs`, and one that never does. */
async function startNode(stack: AsyncDisposableStack, { answerMs = 0, bodyBytes = 500, mayFail = false } = {}) {
  const answered: string[] = [];
  const hanging: string[] = [];
  const ended: AttemptedNotification[] = [];
  const failed: unknown[] = [];
  const endpoints = new Map<string, NotificationEndpoint>();
  const bytes = { written: 0 };
  const age: { ms: number | undefined; asked: number } = { ms: 0, asked: 0 };
  const urls = {
    answering: await startServer(stack, (partnerId, response) => {
      answered.push(partnerId);
      setTimeout(() => response.end('{"responseCode":"2000000"}'), answerMs);
    }),
    hanging: await startServer(stack, (partnerId) => hanging.push(partnerId)),
  };
  startJob(stack, {
    endpoints: () => endpoints,
    endpointsAgeMs: () => {
      age.asked += 1;
      return age.ms;
    },
    writeNotification: async ({ id, service }) => {
      const body = Buffer.alloc(service === 21 ? bodyBytes : 500, id);
      bytes.written += body.byteLength;
      return body;
    },
    events: {
      attempted: (one) => ended.push(one),
      unconfirmed: () => assert.fail(),
      failed: (_, error) => (mayFail ? failed.push(error) : assert.fail(String(error))),
    },
  });
  const onboard = (partnerId: string, address: string | undefined): string => {
    const partner = newId();
    const of = { partner, partnerId, channelId: "1", address };
    endpoints.set(partner, { ...of, signing: "asymmetric", signedPath: "whole" });
    return partner;
  };
  return { answered, hanging, ended, failed, bytes, age, urls, onboard };
}

/** Notifications of these partners, so many of each. */
async function add(
  partners: readonly string[],
  count: number,
  { service = 76, state = "waiting" } = {},
): Promise<void> {
  await client.query(
    `insert into outbox (id, partner, service, aggregate_id, status, created_at, state, body_version)
     select gen_random_uuid(), partner, $3, gen_random_uuid(), '00', now() - interval '1 second', $4, 2
     from unnest($1::uuid[]) partner, generate_series(1, $2::int)`,
    [partners, count, service, state],
  );
}

const times = <Made>(count: number, make: (index: number) => Made) =>
  Array.from({ length: count }, (_, index) => make(index));

test("1,000 notifications of 125 partners hang: those of a partner that answers arrive before one of them has ended", async () => {
  await using stack = new AsyncDisposableStack();
  const node = await startNode(stack);
  const [live, fresh] = [node.onboard("LIVE", node.urls.answering), node.onboard("FRESH", node.urls.answering)];
  const arrived = (name: string, count: number) =>
    eventually(() => node.answered.filter((partner) => partner === name).length >= count);
  await add([live], 1);
  await arrived("LIVE", 1);
  const sick = times(125, (index) => node.onboard(`SICK${index}`, node.urls.hanging));
  await add(sick, 8);
  await eventually(() => node.hanging.length >= 100);
  const before = node.ended.length;
  for (let count = 2; count <= 11; count += 1) {
    await add([live], 1);
    await arrived("LIVE", count);
  }
  // Three notifications of a partner of which the node knows nothing yet.
  await add([fresh], 3);
  await arrived("FRESH", 3);
  const failed = node.ended.slice(before).filter(({ result }) => result !== "accepted").length;
  assert.equal(failed, 0, `${failed} attempts that hung ended before the live ones had arrived`);
});

test("replays to a URL that hangs hold up neither the partner's own notifications nor others'", async () => {
  await using stack = new AsyncDisposableStack();
  const node = await startNode(stack);
  const partners = times(40, (index) => node.onboard(`P${index}`, node.urls.answering));
  await add(partners, 20, { state: "delivered" });
  for (const partner of partners)
    await replayDeliveries(pool, { partner, dead: false, url: node.urls.hanging, now: Date.now() });
  await eventually(() => node.hanging.length >= 40);
  await add(partners, 2);
  await eventually(() => node.answered.length >= 80);
  const failed = node.ended.filter(({ result }) => result !== "accepted").length;
  assert.equal(failed, 0, `${failed} replays ended before the live ones had arrived`);
});

test("a replay of 2,000: live notifications of the same partner and of another go before all but a few of them", async () => {
  await using stack = new AsyncDisposableStack();
  const node = await startNode(stack, { answerMs: 5 });
  const [own, other] = [node.onboard("OWN", node.urls.answering), node.onboard("OTHER", node.urls.answering)];
  await add([own], 2_000, { state: "delivered" });
  await replayDeliveries(pool, { partner: own, dead: false, now: Date.now() });
  await eventually(() => node.answered.length >= 20);
  const at = node.answered.length;
  await add([other, own], 20, { service: 75 });
  const liveLeft = async () =>
    (await client.query("select from outbox where service = 75 and state = 'waiting'")).rowCount ?? 0;
  await eventually(async () => (await liveLeft()) === 0);
  const overtook = node.answered.length - at - 40;
  assert.ok(overtook < 500, `${overtook} replays arrived before the live ones`);
});

test("bodies are in memory up to 16 MiB: while bulks of 16 partners hang, that of a partner that answers arrives", async () => {
  await using stack = new AsyncDisposableStack();
  const node = await startNode(stack, { bodyBytes: 1_572_864 });
  const live = node.onboard("LIVE", node.urls.answering);
  await add([live], 1);
  await eventually(() => node.answered.length === 1);
  const sick = times(16, (index) => node.onboard(`SICK${index}`, node.urls.hanging));
  await add(sick, 8, { service: 21 });
  await eventually(() => node.hanging.length >= 2);
  await add([live], 1, { service: 21 });
  await eventually(() => node.answered.length === 2);
  assert.ok(node.ended.every(({ result }) => result === "accepted"));
  assert.ok(node.bytes.written <= 16_777_216, `${Math.round(node.bytes.written / 1_048_576)} MiB of bodies`);
});

test("an attempt that cannot be recorded keeps no other of its batch from being recorded", async (t) => {
  await using stack = new AsyncDisposableStack();
  const node = await startNode(stack, { mayFail: true });
  const partners = times(8, (index) => node.onboard(`P${index}`, node.urls.answering));
  await add(partners, 1);
  await eventually(() => node.ended.length === 8);
  // As a partition that is damaged or gone rejects it.
  const { rows } = await client.query<{ id: string }>("select gen_random_uuid() as id");
  const id = rows[0]?.id ?? "";
  await client.query(`alter table delivery_attempts add constraint rejects_one check (outbox_id <> '${id}')`);
  t.after(() => client.query("alter table delivery_attempts drop constraint rejects_one"));
  await client.query(
    `insert into outbox (id, partner, service, aggregate_id, status, created_at, body_version)
     select case when n = 7 then $2::uuid else gen_random_uuid() end, ($1::uuid[])[1 + n % 8], 76, gen_random_uuid(), '00',
       now() - interval '1 second', 2 from generate_series(1, 24) n`,
    [partners, id],
  );
  await eventually(() => node.ended.length === 31 && node.failed.length === 1);
  assert.match(String(node.failed[0]), /rejects_one/);
  assert.equal(node.answered.length, 32);
  const left = await client.query<{ id: string }>("select id from outbox where state = 'waiting'");
  assert.deepEqual(left.rows, [{ id }]);
});

test("what is of a later event than the copy of partners is not kept, and nothing is sent by one that is too old", async () => {
  await using stack = new AsyncDisposableStack();
  const node = await startNode(stack);
  const statesOf = async (partner: string) => {
    const { rows } = await client.query<{ state: string }>(
      "select state from outbox where partner = $1 order by state",
      [partner],
    );
    return rows.map(({ state }) => state).join();
  };
  const [live, later] = [node.onboard("LIVE", node.urls.answering), node.onboard("LATER", undefined)];
  const claims = async (count: number, before = node.age.asked) => eventually(() => node.age.asked >= before + count);
  // Read before the event. One claim may be under way.
  node.age.ms = 600_000;
  await claims(2);
  await add([later, live], 1);
  await eventually(() => node.answered.length === 1);
  assert.equal(await statesOf(later), "waiting");
  node.age.ms = undefined;
  await claims(2);
  await add([live], 1);
  await claims(3);
  assert.equal(node.answered.length, 1);
  node.age.ms = 0;
  await eventually(() => node.answered.length === 2);
  await eventually(async () => (await statesOf(later)) === "kept");
});

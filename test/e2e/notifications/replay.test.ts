/** Replays of notifications: the newest one counts, one to another address is one attempt, and what is not sent is explained (spec D14). */
import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { eventually } from "../../support/black-box/answers.ts";
import type { Answer, Json } from "../../support/black-box/caller.ts";
import { type Endpoint, startEndpoint } from "../../support/black-box/endpoint.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { rtgs } from "../../support/black-box/rails/rail-services.ts";

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const fixture = stack.use(await startRailFixture());
const { control } = fixture;
await fixture.moveTo(fixture.at(0, "10:00:01"));
const payer = await fixture.newPayer("100000000000.00");
let own: Endpoint;
beforeEach(async () => {
  own = stack.use(await startEndpoint());
  await setAddress(own.url);
});

interface Kept {
  readonly state: string;
  readonly status: string;
  readonly deliveredAt: string | null;
  readonly attempts: readonly { readonly url: string; readonly httpStatus?: number }[];
}
interface Replayed {
  readonly replayed: number;
  readonly reason?: string;
  readonly message?: string;
}

const setAddress = (url: string | null) => control.call("PUT", "partners/alpha/notification-address", { url });
const send = (more: Json = {}) => fixture.send(rtgs, payer, more, "2002200");
const numberOf = ({ body }: Answer) => String(body["referenceNo"]);
const replay = (body: Json) => control.call<Replayed>("POST", "notifications/replay", body);
const elsewhere = async () => stack.use(await startEndpoint());
async function notificationsOf(sent: Answer): Promise<readonly Kept[]> {
  const path = `notifications?referenceNo=${numberOf(sent)}`;
  return (await control.call<{ readonly notifications: readonly Kept[] }>("GET", path)).notifications;
}
const until = (sent: Answer, state: string, attempts: number) =>
  eventually(async () => {
    const [newest] = await notificationsOf(sent);
    return newest?.state === state && newest.attempts.length === attempts && newest;
  });

test("a newer replay takes the place of one that waits for its next attempt", async () => {
  const sent = await send();
  const referenceNo = numberOf(sent);
  await until(sent, "delivered", 1);
  own.replies.push({ status: 500 });
  assert.deepEqual(await replay({ referenceNo }), { replayed: 1 });
  await until(sent, "waiting", 2);
  const other = await elsewhere();
  assert.deepEqual(await replay({ referenceNo, url: other.url }), { replayed: 1 });
  assert.equal((await other.until(1)).text, own.received[0]?.text);
  await until(sent, "delivered", 3);
  await fixture.advance(3_600);
  assert.deepEqual([own.received.length, other.received.length], [2, 1]);
});

test("a newer replay is sent while an attempt of the one before is under way, whose failure then changes nothing", async () => {
  const sent = await send();
  const referenceNo = numberOf(sent);
  await until(sent, "delivered", 1);
  let fail = () => {};
  own.replies.push({ misbehave: (response) => void (fail = () => response.writeHead(500).end()) });
  await replay({ referenceNo });
  await own.until(2);
  const other = await elsewhere();
  assert.deepEqual(await replay({ referenceNo, url: other.url }), { replayed: 1 });
  await other.until(1);
  await until(sent, "delivered", 2);
  fail();
  const { attempts } = await until(sent, "delivered", 3);
  assert.deepEqual(
    attempts.map(({ httpStatus }) => httpStatus),
    [200, 500, 200],
  );
  await fixture.advance(3_600);
  assert.deepEqual([own.received.length, other.received.length], [2, 1]);
});

test("a replay of nothing says why", async () => {
  const reasonOf = async (body: Json) => {
    const { replayed, reason, message } = await replay(body);
    assert.equal(replayed, 0);
    assert.match(message ?? "", /\.$/);
    return reason;
  };
  assert.equal(await reasonOf({ referenceNo: "01JD7K3M9QZ8V2X4B6N8P0R2T4" }), "notFound");
  assert.equal(await reasonOf({ from: "2020-01-01T00:00:00+07:00", to: "2020-01-02T00:00:00+07:00" }), "notFound");
  assert.equal(await reasonOf({ dead: true }), "noneDead");
  own.replies.push({ status: 500 });
  const sent = await send();
  await until(sent, "waiting", 1);
  // It is the partner's own: another address does not take it away.
  const other = await elsewhere();
  assert.equal(await reasonOf({ referenceNo: numberOf(sent), url: other.url }), "waiting");
  await fixture.advance(11);
  await until(sent, "delivered", 2);
  assert.equal(other.received.length, 0);
});

test("a result is not replayed once its return was accepted, and the answer says so where nothing is left", async () => {
  const sent = await send({ beneficiaryAccountNo: fixture.accountOf("returnedAfterSettlement") });
  await until(sent, "delivered", 1);
  await fixture.advance(86_400);
  const returned = await until(sent, "delivered", 1);
  assert.equal(returned.status, "04");
  const { createdAt } = (await notificationsOf(sent))[1] as unknown as { createdAt: string };
  const end = new Date(Date.parse(createdAt) + 1_000 + 7 * 3_600_000).toISOString().replace(/\.\d+Z/, "+07:00");
  const { replayed, reason } = await replay({ from: createdAt, to: end });
  assert.deepEqual([replayed, reason], [0, "newerAccepted"]);
});

test("a replay to another address is one attempt: one that fails leaves the notification as it was", async () => {
  const other = await elsewhere();
  const failElsewhere = async (sent: Answer, state: string, attempts: number) => {
    other.replies.push({ status: 500 });
    assert.deepEqual(await replay({ referenceNo: numberOf(sent), url: other.url }), { replayed: 1 });
    return until(sent, state, attempts + 1);
  };
  const accepted = await send();
  const { deliveredAt } = await until(accepted, "delivered", 1);
  assert.equal((await failElsewhere(accepted, "delivered", 1)).deliveredAt, deliveredAt);

  await setAddress(null);
  const kept = await send();
  await until(kept, "kept", 0);
  await failElsewhere(kept, "kept", 0);
  await failElsewhere(kept, "kept", 1);
  await setAddress(own.url);

  own.replies.push(...Array.from({ length: 10 }, () => ({ status: 503 })));
  const given = own.received.length;
  const dead = await send();
  for (const [index, seconds] of [0, 11, 33, 66, 132, 330, 3_960, 7_920, 19_800, 59_400].entries()) {
    if (seconds > 0) await fixture.advance(seconds);
    await own.until(given + index + 1);
  }
  await until(dead, "dead", 10);
  await failElsewhere(dead, "dead", 10);
  const before = other.received.length;
  await fixture.advance(86_400);
  assert.equal(other.received.length, before);
  assert.deepEqual(await replay({ dead: true }), { replayed: 1 });
  await until(dead, "delivered", 12);
});

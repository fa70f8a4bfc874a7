/**
 * A partner's genuine notification at another partner's receiver (spec D14). Method: alpha and beta give their transfers the
 * same number; alpha forwards what the provider signed for it to beta's receiver, whose handler pays a failed transfer again.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { createMemoryStore, createReceiver, type ReceiverOptions, type RejectedNotification } from "@titian/client";
import type { Answer } from "../../support/black-box/caller.ts";
import { eventually } from "../../support/black-box/answers.ts";
import { toMinor } from "../../support/black-box/control.ts";
import { type Received, startEndpoint } from "../../support/black-box/endpoint.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { rtgs } from "../../support/black-box/rails/rail-services.ts";
import { railBody } from "../../support/black-box/rails/rail-transfers.ts";
import { expectCode } from "../../support/black-box/transfers.ts";

interface Kept {
  readonly state: string;
  readonly attempts: readonly { readonly responseCode?: string; readonly reply?: string }[];
}

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const fixture = stack.use(await startRailFixture());
const { beta, control, sandbox } = fixture;
await fixture.moveTo(fixture.at(0, "10:00:01"));
const balance = "1000000000.00";
const [alphaPayer, betaPayer] = [
  await fixture.newPayer(balance),
  await fixture.newPayer(balance, { partnerId: "beta" }),
];
const debitedOfBeta = async () => toMinor(balance) - toMinor((await control.account(betaPayer)).ledgerBalance);

const pay = async (number: string): Promise<Answer> => {
  const answer = await beta.call(rtgs.path, railBody(rtgs, betaPayer, { partnerReferenceNo: number }));
  expectCode(answer, "2002200");
  return answer;
};

/** Beta's own system: a transfer that failed is paid again, under another number. */
const handled: string[] = [];
const rejected: RejectedNotification[] = [];
const receiverOptions: ReceiverOptions = {
  partnerId: "beta",
  keys: { mode: "asymmetric", providerPublicKeys: [sandbox.file.provider.publicKey] },
  store: createMemoryStore(),
  on: {
    async rtgs({ originalPartnerReferenceNo = "", latestTransactionStatus }) {
      handled.push(`${originalPartnerReferenceNo} ${latestTransactionStatus}`);
      if (latestTransactionStatus === "06") await pay(`${originalPartnerReferenceNo}-2`);
    },
  },
  onRejected: (rejection) => rejected.push(rejection),
};

async function serve(options: ReceiverOptions): Promise<string> {
  const server = createServer(createReceiver(options).nodeListener).listen(0, "127.0.0.1");
  await once(server, "listening");
  stack.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const betaUrl = await serve(receiverOptions);
const endpoint = stack.use(await startEndpoint());
const register = (partnerId: string, url: string) =>
  control.call("PUT", `partners/${partnerId}/notification-address`, { url });
await register("alpha", endpoint.url);
await register("beta", betaUrl);

const withBetasId = { "x-partner-id": "beta" };
const unknownClient = '401 {"responseCode":"4017600","responseMessage":"Unauthorized. [Unknown client]"}';

async function forward({ path, headers, text }: Received, changes: Readonly<Record<string, string>>, to = betaUrl) {
  const { host: _, connection: __, ...sent } = headers as Readonly<Record<string, string>>;
  const response = await fetch(`${to}${path}`, { method: "POST", headers: { ...sent, ...changes }, body: text });
  return `${response.status} ${await response.text()}`;
}

test("alpha's own notification, forwarded with beta's id: beta's handler is not called, and beta pays once", async () => {
  const number = "SHARED-1";
  await pay(number);
  const more = { partnerReferenceNo: number, beneficiaryAccountNo: fixture.accountOf("rejected") };
  await fixture.send(rtgs, alphaPayer, more, "2002200");
  await fixture.moveTo(fixture.at(0, "13:00:00"));
  const genuine = await endpoint.until(1);
  assert.equal(genuine.body["latestTransactionStatus"], "06");
  await eventually(async () => handled.length > 0);
  assert.deepEqual(handled, [`${number} 00`]);

  const answer = await forward(genuine, withBetasId);
  assert.deepEqual(handled, [`${number} 00`], answer);
  assert.equal(answer, unknownClient);
  assert.match(rejected.at(-1)?.cause ?? "", /additionalInfo\.partnerId is not ours/);
  assert.equal(await debitedOfBeta(), rtgs.amount + rtgs.fee);

  // The option for other providers takes bodies that name no partner, none that names another one, whatever isOurs says.
  for (const options of [
    { partnerIdInBody: "optional" },
    { partnerIdInBody: "optional", isOurs: () => true },
  ] as const) {
    assert.equal(await forward(genuine, withBetasId, await serve({ ...receiverOptions, ...options })), unknownClient);
  }
  assert.equal(handled.length, 1);
});

test("beta's own notification, sent on under five more external ids: handled once", async () => {
  const own = stack.use(await startEndpoint());
  await register("beta", own.url);
  await pay("COPIED-1");
  const genuine = await own.until(1);
  const before = handled.length;
  const ids = [genuine.headers["x-external-id"] ?? "", "1", "2", "3", "4", "5"];
  for (const id of ids) assert.match(await forward(genuine, { "x-external-id": id }), /^200 .*2007600/);
  assert.deepEqual(handled.slice(before), ["COPIED-1 00"]);
});

test("alpha's notifications sent to beta's address end dead, and the operator sees why", async () => {
  await register("alpha", betaUrl);
  const { body } = await fixture.send(rtgs, alphaPayer, {}, "2002200");
  const find = async () => {
    const path = `notifications?referenceNo=${String(body["referenceNo"])}`;
    const { notifications } = await control.call<{ readonly notifications: readonly Kept[] }>("GET", path);
    return notifications[0];
  };
  for (const [index, seconds] of [0, 11, 33, 66, 132, 330, 3_960, 7_920, 19_800, 59_400].entries()) {
    await fixture.advance(seconds);
    await eventually(async () => (await find())?.attempts.length === index + 1);
  }
  const dead = await eventually(async () => {
    const found = await find();
    return found?.state === "dead" && found;
  });
  const reply = {
    responseCode: "4017600",
    reply: '{"responseCode":"4017600","responseMessage":"Unauthorized. [Unknown client]"}',
  };
  assert.deepEqual(
    dead.attempts.map(({ responseCode, reply: text }) => ({ responseCode, reply: text })),
    Array(10).fill(reply),
  );
});

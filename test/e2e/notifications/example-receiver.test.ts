/**
 * From the outside: what partners send is settled, rejected and returned, and the example's receiver, a server of its own,
 * handles each notification once, also when its reply is lost. The money is where the notifications say (spec D13, D14).
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { eventually } from "../../support/black-box/answers.ts";
import { bulkBody, bulkItem, bulkPath, numberOf } from "../../support/black-box/bulks.ts";
import { toMinor } from "../../support/black-box/control.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { interbank, type RailService, rtgs, skn } from "../../support/black-box/rails/rail-services.ts";
import { runCli } from "../../support/cli/run-cli.ts";
import { expectCode } from "../../support/black-box/transfers.ts";

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const fixture = stack.use(await startRailFixture());
const { alpha, control, sandbox } = fixture;
await fixture.moveTo(fixture.at(0, "10:00:01"));

const directory = mkdtempSync(join(tmpdir(), "titian-provider-"));
stack.defer(() => rmSync(directory, { recursive: true }));
const keyFile = join(directory, "provider.pem");
writeFileSync(keyFile, sandbox.file.provider.publicKey);
Object.assign(process.env, { PORT: "0", PARTNER_ID: "alpha", PROVIDER_PUBLIC_KEYS: keyFile });
const { statuses } = await import("../../../examples/receivers/receiver.ts");
const { server } = await import("../../../examples/receivers/node-http.ts");
if (!server.listening) await once(server, "listening");
stack.defer(() => {
  server.closeAllConnections();
  server.close();
});

/** Values that the example's handlers stored, one after the other, by the number of a transfer or item. */
const handled = new Map<string, string[]>();
const store = statuses.set.bind(statuses);
statuses.set = (number, status) => {
  handled.set(number, [...(handled.get(number) ?? []), status]);
  return store(number, status);
};

/** Replies of the receiver that are lost: the first one at each path. */
const lost: string[] = [];
const proxy = createServer((incoming, response) => {
  const { method, url: path = "", headers } = incoming;
  const { port } = server.address() as AddressInfo;
  const passed = httpRequest({ host: "127.0.0.1", port, method, path, headers }, (reply) => {
    if (lost.includes(path)) {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
      return;
    }
    lost.push(path);
    reply.resume().on("end", () => response.destroy());
  });
  incoming.pipe(passed.on("error", () => response.destroy()));
}).listen(0, "127.0.0.1");
await once(proxy, "listening");
stack.defer(() => {
  proxy.closeAllConnections();
  proxy.close();
});
const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/notifications`;
await control.call("PUT", "partners/alpha/notification-address", { url });

const balance = "1000000000.00";
const debitedOf = async (payer: string) => toMinor(balance) - toMinor((await control.account(payer)).ledgerBalance);

interface Ended {
  readonly payer: string;
  readonly number: string;
  readonly statuses: readonly string[];
  /** Minor units that the payer is short of in the end. */
  readonly debited: bigint;
}

/** Sends the service's amount to accounts whose transfers are settled, rejected, and returned. */
async function sendThree(service: RailService): Promise<readonly Ended[]> {
  const { amount, fee } = service;
  const outcomes = [
    ["success", ["00"], amount + fee],
    ["rejected", ["06"], 0n],
    ["returnedAfterSettlement", ["00", "04"], fee],
  ] as const;
  const sent: Ended[] = [];
  for (const [outcome, expected, debited] of outcomes) {
    const payer = await fixture.newPayer(balance);
    const more = outcome === "success" ? {} : { beneficiaryAccountNo: fixture.accountOf(outcome) };
    const { body } = await fixture.send(service, payer, more, `200${service.service}00`);
    sent.push({ payer, number: String(body["referenceNo"]), statuses: expected, debited });
  }
  return sent;
}

test("RTGS, SKNBI and bulk: each result reaches its handler once and in order, and the balances agree", async () => {
  const transfers = [...(await sendThree(rtgs)), ...(await sendThree(skn))];
  const bulkPayer = await fixture.newPayer(balance);
  const items = ["success", "rejected", "returnedAfterSettlement"].map((outcome) =>
    bulkItem(outcome === "success" ? {} : { beneficiaryAccountNo: fixture.accountOf(outcome) }),
  );
  expectCode(await alpha.call(bulkPath, bulkBody(bulkPayer, items)), "2002000");
  const handledOf = (number: string) => handled.get(number) ?? [];
  const isHandled = (count: number) => transfers.every(({ number }) => handledOf(number).length >= count);

  await fixture.moveTo(fixture.at(0, "13:00:00"));
  await eventually(async () => isHandled(1) && items.every((item) => handledOf(numberOf(item)).length > 0));
  // Those whose reply was lost are sent again, and after them what is returned.
  await fixture.advance(11);
  await fixture.advance(86_400);
  const open = async () => (await notificationsOf()).filter((one) => one.state !== "delivered");
  await eventually(async () => transfers.every((one) => handledOf(one.number).length >= one.statuses.length));
  await eventually(async () => (await open()).length === 0);

  for (const { number, payer, statuses: expected, debited } of transfers) {
    assert.deepEqual(handledOf(number), expected, number);
    assert.equal(await debitedOf(payer), debited, `${number} ${expected.join()}`);
  }
  // A return of an item is shown by 36 alone: it was settled, and has cost its fee.
  assert.deepEqual(
    items.map((item) => handledOf(numberOf(item))),
    [["2002000"], ["4032005"], ["2002000"]],
  );
  const { amount, fee } = interbank;
  assert.equal(await debitedOf(bulkPayer), amount + 2n * fee);
  // One reply of each kind was lost, and nothing beside these came twice.
  assert.equal(lost.length, 3);
  const attempts = (await notificationsOf()).map((one) => one.attemptCount);
  assert.deepEqual([attempts.length, attempts.filter((count) => count === 2).length], [9, 3]);
});

test("a test notification of each kind is accepted, and tells of nothing that there is", async () => {
  const known = new Set(statuses.keys());
  for (const service of ["76", "75", "21"]) {
    const args = ["partner", "notify", "alpha", "--test", "--service", service];
    const { exitCode, stdout } = await runCli(args, { env: { TITIAN_DATA_DIR: sandbox.dataDir } });
    assert.equal(exitCode, 0, stdout);
  }
  const told = [...statuses].filter(([number]) => !known.has(number));
  assert.deepEqual(
    told.map(([number, status]) => [number.slice(0, 4), status]),
    [
      ["TEST", "03"],
      ["TEST", "03"],
      ["TEST", "2022000"],
    ],
  );
});

interface Kept {
  readonly state: string;
  readonly attemptCount: number;
}

async function notificationsOf(): Promise<readonly Kept[]> {
  const found = await control.call<{ readonly notifications: readonly Kept[] }>("GET", "notifications?partnerId=alpha");
  return found.notifications;
}

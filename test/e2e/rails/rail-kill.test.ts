/** A node that is killed with transfers in every state: the next one knows rails, transfers and answers as they were, and ends each once. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eventually } from "../../support/black-box/answers.ts";
import { type Answer, createCaller, type Json, newNumber } from "../../support/black-box/caller.ts";
import { createControl } from "../../support/black-box/control.ts";
import { readOutbox } from "../../support/black-box/outbox.ts";
import { moneyAt, moneyOf, type RailMoney } from "../../support/black-box/rails/rail-money.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { interbank, type RailService, railServices, rtgs, skn } from "../../support/black-box/rails/rail-services.ts";
import { inquire, railBody, untilStatus } from "../../support/black-box/rails/rail-transfers.ts";
import { readSandboxFile } from "../../support/black-box/sandbox-file.ts";
import { expectCode } from "../../support/black-box/transfers.ts";

const env = { TITIAN_INTERBANK_WAIT_SECONDS: "1" };
const fixture = await startRailFixture(env);
after(() => fixture[Symbol.asyncDispose]());
const { dataDir, agent } = fixture.sandbox;
await fixture.moveTo(fixture.at(0, "10:00:01"));

interface Begun {
  readonly service: RailService;
  readonly why: string;
  readonly body: Json;
  readonly externalId: string;
  readonly payer: string;
  /** Undefined where the node died first. */
  readonly answer: Answer | undefined;
  /** Status before and right after the kill, and at the end. */
  readonly open: string;
  readonly end: string;
}

const begun: Begun[] = [];

interface Case {
  readonly service: RailService;
  readonly why: string;
  readonly outcome?: string;
  readonly code: string;
  readonly open: string;
  readonly end: string;
}

async function begin({ service, why, outcome, code, open, end }: Case): Promise<void> {
  const payer = await fixture.newPayer();
  const body = railBody(
    service,
    payer,
    outcome === undefined ? {} : { beneficiaryAccountNo: fixture.accountOf(outcome) },
  );
  const externalId = newNumber();
  const answer = await fixture.alpha.call(service.path, body, { externalId });
  expectCode(answer, code);
  await untilStatus(fixture.alpha, service, answer, open);
  begun.push({ service, why, body, externalId, payer, answer, open, end });
}

const inNormal: readonly Case[] = [
  { service: interbank, why: "settled", code: "2001800", open: "00", end: "00" },
  {
    service: interbank,
    why: "comes back in a minute",
    outcome: "returnedAfterSettlement",
    code: "2001800",
    open: "00",
    end: "04",
  },
  { service: interbank, why: "only an operator knows", outcome: "limbo", code: "2021800", open: "03", end: "06" },
  { service: rtgs, why: "settled", code: "2002200", open: "00", end: "00" },
  { service: rtgs, why: "refused", outcome: "rejected", code: "2002200", open: "06", end: "06" },
  { service: skn, why: "in a batch", code: "2002300", open: "03", end: "00" },
  { service: skn, why: "in a batch, to be rejected", outcome: "rejected", code: "2002300", open: "03", end: "06" },
];
const inModes: readonly Case[] = [
  { service: interbank, why: "submitted to a silent rail", code: "2021800", open: "02", end: "00" },
  { service: interbank, why: "silent, to be rejected", outcome: "rejected", code: "2021800", open: "02", end: "06" },
  { service: rtgs, why: "waits for a rail that is down", code: "2002200", open: "01", end: "00" },
  { service: rtgs, why: "down, to be rejected", outcome: "rejected", code: "2002200", open: "01", end: "06" },
  { service: skn, why: "submitted to a slow rail", code: "2002300", open: "02", end: "00" },
];
const modes = { interbank: "limbo", rtgs: "down", skn: "slow" } as const;

test("transfers in every state, and two whose callers still wait, when the node is killed", async () => {
  for (const one of inNormal) await begin(one);
  for (const [rail, mode] of Object.entries(modes)) await fixture.setMode(rail as keyof typeof modes, mode);
  for (const one of inModes) await begin(one);
  const waiting = [];
  for (const [end, outcome] of [
    ["00", "success"],
    ["06", "rejected"],
  ] as const) {
    const payer = await fixture.newPayer();
    const body = railBody(interbank, payer, { beneficiaryAccountNo: fixture.accountOf(outcome) });
    const externalId = newNumber();
    const call = await fixture.alpha.sign(interbank.path, body, { externalId });
    waiting.push(fixture.alpha.send(call).catch(() => undefined));
    const inquiry = { serviceCode: "18", originalExternalId: externalId };
    await eventually(async () => (await fixture.alpha.call("transfer/status", inquiry)).status === 200, 20);
    begun.push({
      service: interbank,
      why: "its caller waits",
      body,
      externalId,
      payer,
      answer: undefined,
      open: "02",
      end,
    });
  }
  await fixture.sandbox.service.end("SIGKILL");
  assert.deepEqual(await Promise.all(waiting), [undefined, undefined]);
});

/** A new node on the data directory, with callers of its own. */
async function restart() {
  const service = await fixture.sandbox.startNode(env);
  const file = readSandboxFile(dataDir);
  return { service, file, control: createControl(file, agent), alpha: createCaller(file, "alpha", agent) };
}
type Node = Awaited<ReturnType<typeof restart>>;

/** Status of each by 36 and by a repeat; nothing changes by it. */
async function expectStatuses({ alpha }: Node, which: "open" | "end"): Promise<void> {
  for (const { service, why, body, externalId, answer, ...status } of begun) {
    const { partnerReferenceNo } = body;
    const inquiry = { serviceCode: service.service, originalPartnerReferenceNo: partnerReferenceNo };
    const found = await alpha.call("transfer/status", inquiry);
    assert.equal(found.body["latestTransactionStatus"], status[which], `${service.service} ${why}`);
    const again = await alpha.call(service.path, body, { externalId });
    expectCode(again, `409${service.service}00`);
    const { originalResponse, latestTransactionStatus } = again.body["additionalInfo"] as Json;
    assert.equal(latestTransactionStatus, status[which]);
    if (answer) assert.deepEqual(originalResponse, answer.body);
    else
      assert.equal(
        (originalResponse as Json)["responseCode"],
        "2021800",
        "nobody was answered it, yet it is what was accepted",
      );
  }
}

async function expectMoney({ control }: Node, which: "open" | "end"): Promise<void> {
  const whereOf = (service: RailService): Readonly<Record<string, RailMoney>> => {
    const { settled, returned, none, inTransit } = moneyOf(service);
    return { "00": settled, "04": returned, "06": none, "01": inTransit, "02": inTransit, "03": inTransit };
  };
  for (const { service, payer, ...status } of begun) {
    const [balance = 0n] = await control.balances(payer);
    assert.equal(balance - 100_000_000_000n, whereOf(service)[status[which]]?.payer);
  }
  for (const service of railServices) {
    const { suspense, clearing, fee } = await moneyAt(control, service.rail, begun[0]?.payer ?? "");
    const sums = begun
      .filter((one) => one.service === service)
      .map((one) => whereOf(service)[one[which]] ?? assert.fail());
    const sum = (name: keyof RailMoney) => sums.reduce((total, money) => total + money[name], 0n);
    assert.deepEqual([suspense, clearing, fee], [sum("suspense"), sum("clearing"), sum("fee")], service.rail);
  }
}

test("the next node finds modes, clock, transfers and answers as they were, and ends each as its rail says", async () => {
  const node = await restart();
  await using _service = node.service;
  const { control, alpha } = node;
  for (const [rail, mode] of Object.entries(modes)) {
    assert.deepEqual(await control.call("GET", `rails/${rail}/mode`), { rail, mode });
  }
  const { now } = await control.call<{ readonly now: string }>("GET", "clock");
  assert.ok(now > fixture.at(0, "10:00:00") && now < fixture.at(0, "10:10:00"), now);
  await expectStatuses(node, "open");
  await expectMoney(node, "open");

  for (const rail of Object.keys(modes)) await control.call("POST", `rails/${rail}/mode`, { mode: "normal" });
  await control.advance(3_600);
  await alpha.token({ fresh: true });
  const unknown = begun.find(({ why }) => why === "only an operator knows") ?? assert.fail();
  const found = await inquire(alpha, unknown.service, unknown.answer ?? assert.fail());
  assert.equal(found.body["latestTransactionStatus"], "03");
  const { originalReferenceNo } = found.body;
  await control.call("POST", `transfers/${String(originalReferenceNo)}/resolve`, { result: "refused" });
  await expectStatuses(node, "end");
  await expectMoney(node, "end");
  await node.service.end("SIGKILL");
});

test("killed once more, everything has ended as it had, with one notification each", async () => {
  const node = await restart();
  await using _service = node.service;
  await expectStatuses(node, "end");
  await node.control.advance(86_400);
  await node.alpha.token({ fresh: true });
  await expectMoney(node, "end");
  const found = await readOutbox(node.file);
  for (const { service, body, end } of begun) {
    const events = { "18": undefined, "22": [`76 ${end}`], "23": [`75 ${end}`] }[service.service];
    assert.deepEqual(
      found.get(String(body["partnerReferenceNo"])),
      events,
      "one notification each, however often killed",
    );
  }
});

test("asked to stop while a caller waits for a silent rail: it is answered 202, and the next node goes on", async () => {
  const first = await restart();
  await using _first = first.service;
  await first.control.call("POST", "rails/interbank/mode", { mode: "limbo" });
  const { accountNo } = await first.control.open({ name: "A payer", balance: "12500.00", partnerId: "alpha" });
  const calling = first.alpha.call(interbank.path, railBody(interbank, accountNo));
  await eventually(async () => (await first.control.account(accountNo)).ledgerBalance === "0.00", 20);
  assert.deepEqual(await first.service.end("SIGTERM"), { code: 0, signal: null }, first.service.output());
  const answer = await calling;
  expectCode(answer, "2021800");

  const next = await restart();
  await using _next = next.service;
  const status = async () => (await inquire(next.alpha, interbank, answer)).body["latestTransactionStatus"];
  assert.equal(await status(), "02");
  await next.control.call("POST", "rails/interbank/mode", { mode: "normal" });
  assert.equal(await status(), "00");
  assert.equal((await next.control.account(accountNo)).ledgerBalance, "0.00");
  assert.deepEqual(await next.control.audit(), { ok: true, findings: [] });
});

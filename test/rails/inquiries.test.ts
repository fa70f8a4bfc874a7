/** Inquiries about accounts at other banks (16): a rail that is silent costs nobody else a read, and is not waited for again and again. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { operations } from "@titian/contract";
import { onboardPartner } from "../../packages/server/src/admin/partners/partners.ts";
import type { Clock } from "../../packages/server/src/basics/clock.ts";
import { createHandlers } from "../../packages/server/src/operations/handlers.ts";
import { createPartnerShares } from "../../packages/server/src/operations/partner-shares.ts";
import {
  type BeneficiaryAnswer,
  createUnconnectedRail,
  type Rail,
  RailDown,
} from "../../packages/server/src/rails/rail.ts";
import { callOf, startNode, writeDepsOf } from "../support/administration.ts";
import { testDispatcher } from "../support/dispatcher.ts";
import { useDatabase } from "../support/database/database.ts";
import { valueOf } from "../support/expect.ts";
import { newPartner } from "../support/partners.ts";

const database = await useDatabase();
const node = await startNode(database.url);
const { partnerId } = valueOf(await onboardPartner(node, newPartner()));
const partner = node.reference.byPartnerId(partnerId) ?? assert.fail();
after(async () => {
  await node.close();
  await database.drop();
});

const running = 2;
const shares = (waiting: number) =>
  createPartnerShares({ running, runningOfOnePartner: running, waiting, waitingOfOnePartner: waiting });

/** A node with as many shares of reads as places for inquiries. */
function fixture(
  inquireBeneficiary: Rail["inquireBeneficiary"],
  { railTimeoutMs = 60_000, clock = node.clock as Clock },
) {
  const reported: string[] = [];
  const dispatcher = testDispatcher({
    ...node,
    clock,
    railTimeoutMs,
    rails: {
      interbank: { ...createUnconnectedRail("interbank"), inquireBeneficiary },
      rtgs: createUnconnectedRail("rtgs"),
      skn: createUnconnectedRail("skn"),
    },
    events: { circuit: (rail, isOpen) => void reported.push(`${rail} ${isOpen ? "open" : "closed"}`) },
  });
  const { sender } = dispatcher;
  const handlers = createHandlers({
    keepExternalIdsMs: 604_800_000,
    ...writeDepsOf(node),
    readShares: shares(64),
    inquiryShares: shares(1),
    bulkShares: shares(1),
    sender,
  });
  const request = { beneficiaryAccountNo: "5001", beneficiaryBankCode: "014" };
  const ask = async (name: "externalAccountInquiry" | "internalAccountInquiry") =>
    (await handlers[name](callOf(node, partner, { operation: operations[name], request }))).case;
  return { dispatcher, reported, other: () => ask("externalAccountInquiry"), own: () => ask("internalAccountInquiry") };
}

test("inquiries that wait for a silent rail hold up no other read, and are bounded by themselves", async () => {
  const answers = Promise.withResolvers<BeneficiaryAnswer>();
  const { dispatcher, own, other } = fixture(() => answers.promise, {});
  const waiting = Array.from({ length: running + 1 }, other);
  assert.equal(await own(), "invalidAccount");
  assert.equal(await other(), "serviceUnavailable");
  answers.resolve({ kind: "closed" });
  assert.deepEqual(await Promise.all(waiting), ["inactiveAccount", "inactiveAccount", "inactiveAccount"]);
  await dispatcher.close();
});

test("a rail that was silent five times is answered for at once, asked now and then, and asked again when it answers", async () => {
  let asked = 0;
  let answer: () => Promise<BeneficiaryAnswer> = () => new Promise(() => undefined);
  let laterMs = 0;
  const clock = { ...node.clock, monotonic: () => node.clock.monotonic() + laterMs };
  const inquire = () => {
    asked += 1;
    return answer();
  };
  const { dispatcher, reported, other } = fixture(inquire, { railTimeoutMs: 5, clock });
  const askTimes = async (times: number) => {
    const before = asked;
    for (let time = 0; time < times; time += 1) assert.equal(await other(), "timeout");
    return asked - before;
  };
  assert.equal(await askTimes(4), 4);
  assert.deepEqual(reported, []);
  assert.equal(await askTimes(4), 1);
  laterMs += 60_000;
  // One call finds out whether it answers by now; the others do not wait for that.
  assert.equal(await askTimes(4), 1);
  laterMs += 60_000;
  answer = async () => ({ kind: "closed" });
  assert.equal(await other(), "inactiveAccount");
  assert.equal(await other(), "inactiveAccount");
  assert.deepEqual(reported, ["interbank open", "interbank closed"]);

  // A response that says "down" is no silence.
  answer = () => Promise.reject(new RailDown("down"));
  assert.equal(await askTimes(8), 8);
  answer = () => new Promise(() => undefined);
  assert.equal(await askTimes(6), 5);
  // The sandbox's rail answers again.
  await dispatcher.wake("interbank");
  answer = async () => ({ kind: "closed" });
  assert.equal(await other(), "inactiveAccount");
  await dispatcher.close();
});

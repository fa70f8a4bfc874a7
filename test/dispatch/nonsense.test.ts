// Rails that contradict themselves, tell things twice, in any order, of nothing we sent, or in words nobody understands:
// nothing is lost, nothing happens twice, and an operator hears of it.
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { newId, toReferenceNo } from "../../packages/server/src/basics/ids.ts";
import type { RailName } from "../../packages/server/src/ledger/rails/terms.ts";
import { type Rail, RailDown, type RailResult, type RailState } from "../../packages/server/src/rails/rail.ts";
import { eventually } from "../support/black-box/answers.ts";
import type { Rails } from "./nodes/fork-node.ts";
import { queryRows } from "../support/database/with-client.ts";
import { type Asked, createCluster, type Cluster } from "./dispatch-cluster.ts";

/** Words of a rail instead of what it should say: any value, whatever its type allows. */
interface Words {
  submit?: (rail: Rail, ...args: Parameters<Rail["submit"]>) => Promise<unknown>;
  inquire?: (rail: Rail, ...args: Parameters<Rail["inquire"]>) => Promise<unknown>;
  /** Returned before the rail's own results; gone once it is acknowledged. */
  results: unknown[];
  /** They stay, although they were acknowledged. */
  keepsResults: boolean;
}

const words: Words = { results: [], keepsResults: false };

function speaking(rails: Rails): Rails {
  const met = (name: RailName): Rail => {
    const rail = rails[name];
    return {
      ...rail,
      submit: (...args) => (words.submit ? words.submit(rail, ...args) : rail.submit(...args)) as Promise<RailState>,
      inquire: (...args) =>
        (words.inquire ? words.inquire(rail, ...args) : rail.inquire(...args)) as Promise<RailState | undefined>,
      results: async (most) =>
        [...(name === "skn" ? words.results : []), ...(await rail.results(most))].slice(0, most) as RailResult[],
      acknowledge: async (taken) => {
        words.results = words.results.filter((result) => words.keepsResults || !taken.includes(result as RailResult));
        await rail.acknowledge(taken);
      },
    };
  };
  return { interbank: met("interbank"), rtgs: met("rtgs"), skn: met("skn") };
}

const cluster = await createCluster({ rails: speaking, interbankWaitMs: 60, railTimeoutMs: 200 });
const { fixture, journal, events } = cluster;
after(async () => {
  assert.deepEqual(await runAudit(fixture.url), { ok: true, findings: [] });
  await cluster[Symbol.asyncDispose]();
});

/** Back to a rail of sense; answers what was reported of it until now. */
function comeToSenses(): readonly string[] {
  delete words.submit;
  delete words.inquire;
  return events.splice(0).toSorted();
}

const transferOf = async ({ payer }: Asked) => (await fixture.look(payer)).transfers[0] ?? assert.fail("no transfer");
const stateOf = async (asked: Asked) => (await transferOf(asked)).state;
const referenceOf = async (asked: Asked) => toReferenceNo((await transferOf(asked)).id);
const resultOf = (referenceNo: string, state: unknown) => ({ referenceNo, state });
const settled = { kind: "settled" };
const rejected = { kind: "rejected", rejection: "rejected" };
const returned = { kind: "returned" };

async function endsWell(asked: readonly Asked[], on: Cluster = cluster): Promise<void> {
  await on.untilEnded();
  assert.deepEqual(await on.findFaults(asked), []);
}

/** Waits for work that nobody waits for, which is sent behind the response. */
const until = (isSo: () => boolean | Promise<boolean>) => eventually(isSo, 5);

/** Results that wait for an operator, but for the times. */
async function setAsideNow(): Promise<readonly string[]> {
  const text = "select reference_no, state, reason from set_aside_results where closed_at is null";
  const rows = (await queryRows(fixture.url, text)) as readonly Record<string, string>[];
  return rows.map((row) => `${row["reference_no"]} ${row["state"]} ${row["reason"]}`).toSorted();
}

test("results reported twice, and a return before its settlement, happen once each", async () => {
  const [one, other] = [await cluster.ask("sknTransfer", "batchReturned"), await cluster.ask("sknTransfer", "batch")];
  await until(async () => (await stateOf(one)) === "pending" && (await stateOf(other)) === "pending");
  const [first, second] = [await referenceOf(one), await referenceOf(other)];
  words.results = [
    resultOf(first, returned),
    resultOf(first, settled),
    resultOf(second, settled),
    resultOf(second, settled),
  ];
  words.results.push(resultOf(first, returned));
  await cluster.look();
  assert.deepEqual(words.results, []);
  assert.deepEqual([await stateOf(one), await stateOf(other)], ["returned", "settled"]);
  assert.deepEqual((await transferOf(one)).notified, ["75 00", "75 04"]);
  assert.deepEqual((await transferOf(other)).notified, ["75 00"]);
  await endsWell([one, other]);
  assert.deepEqual(comeToSenses(), []);
});

test("the first result stands, and the contradiction is reported", async () => {
  const [one, other] = [await cluster.ask("sknTransfer", "success"), await cluster.ask("sknTransfer", "rejected")];
  await until(async () => (await stateOf(one)) === "settled" && (await stateOf(other)) === "rejected");
  const [first, second] = [await referenceOf(one), await referenceOf(other)];
  words.results = [resultOf(first, rejected), resultOf(first, { kind: "pending" }), resultOf(second, settled)];
  words.results.push(resultOf(second, returned));
  await cluster.look();
  assert.deepEqual(words.results, []);
  assert.deepEqual([await stateOf(one), await stateOf(other)], ["settled", "rejected"]);
  await endsWell([one, other]);
  const contradictions = [`${first} rejected`, `${second} settled`, `${second} returned`];
  assert.deepEqual(comeToSenses(), contradictions.map((what) => `contradicted ${what}`).toSorted());
  assert.deepEqual(await setAsideNow(), contradictions.map((what) => `${what} conflict`).toSorted());
  // Reported again, they are neither counted nor kept a second time.
  words.results = [resultOf(first, rejected), resultOf(second, settled)];
  await cluster.look();
  assert.deepEqual([words.results, comeToSenses(), (await setAsideNow()).length], [[], [], 3]);
});

test("a result of nothing we sent, or of another rail's, is set aside once, and what stands behind it is recorded", async () => {
  const [mine, others] = [await cluster.ask("sknTransfer", "batch"), await cluster.ask("rtgsTransfer", "batch")];
  await until(async () => (await stateOf(mine)) === "pending" && (await stateOf(others)) === "pending");
  const before = await setAsideNow();
  const steering = "\u0000\u001b[2J\ud800";
  const long = "9".repeat(1_000);
  const numbers = [toReferenceNo(newId()), "nonsense", "", await referenceOf(others)];
  const unknown = [...numbers, "\\u0000\\u001b[2J\\ud800", `${"9".repeat(39)}…${hash("sha256", long).slice(0, 24)}`];
  const reported = [...numbers, steering, long].map((referenceNo) => resultOf(referenceNo, settled));
  words.results = [...reported, ...reported];
  words.results.push(resultOf(await referenceOf(mine), settled));
  await cluster.look();
  assert.deepEqual(words.results, []);
  assert.deepEqual([await stateOf(mine), await stateOf(others)], ["settled", "pending"]);
  assert.deepEqual(comeToSenses(), unknown.map((referenceNo) => `unknownResult skn ${referenceNo}`).toSorted());
  const kept = unknown.map((referenceNo) => `${referenceNo} settled unknown`);
  assert.deepEqual(await setAsideNow(), [...before, ...kept].toSorted());
  await endsWell([mine, others]);
});

const nonsense = [
  null,
  false,
  0,
  "",
  "settled",
  [],
  {},
  { kind: "setled" },
  { kind: "constructor" },
  { state: settled },
];

test("a result that means nothing ends nothing, keeps coming, and holds up nothing", async () => {
  const one = await cluster.ask("sknTransfer", "batch");
  const other = await cluster.ask("sknTransfer", "batch");
  await until(async () => (await stateOf(one)) === "pending" && (await stateOf(other)) === "pending");
  const referenceNo = await referenceOf(one);
  words.results = nonsense.map((state) => resultOf(referenceNo, state));
  words.results.push(resultOf(await referenceOf(other), settled));
  await cluster.look();
  assert.deepEqual([await stateOf(one), await stateOf(other)], ["pending", "settled"]);
  assert.equal(words.results.length, nonsense.length);
  assert.deepEqual(comeToSenses(), ["silent skn"]);
  words.results = [];
  await endsWell([one, other]);
});

for (const name of ["interbankTransfer", "rtgsTransfer"] as const) {
  test(`${name}: an answer that means nothing leaves it open, and an inquiry with sense ends it`, async () => {
    for (const answer of [undefined, ...nonsense]) {
      words.submit = async (rail, ...args) => {
        await rail.submit(...args);
        return answer;
      };
      words.inquire = async () => (answer === undefined ? { kind: "lost" } : answer);
      const asked = await cluster.ask(name, "success");
      await until(() => journal.entriesOf(asked.payer).length === 1);
      cluster.advance(60_000);
      await cluster.look();
      assert.equal(await stateOf(asked), "submitted");
      const rail = name === "interbankTransfer" ? "interbank" : "rtgs";
      const isAnswer = answer !== undefined;
      assert.deepEqual(comeToSenses(), isAnswer ? [`silent ${rail}`, `silent ${rail}`] : [`silent ${rail}`]);
      await endsWell([asked]);
      assert.deepEqual([journal.entriesOf(asked.payer)[0]?.arrivals, comeToSenses()], [1, []]);
    }
  });
}

test("a trace number that nobody could keep is left out; the end counts", async () => {
  for (const traceNo of [42, "", "a\u0000b", "a\u001eb", "12345678901234567", null, {}]) {
    words.submit = async (rail, ...args) => ({ ...(await rail.submit(...args)), traceNo });
    const asked = await cluster.ask("interbankTransfer", "success");
    assert.deepEqual([asked.replies[0]?.case, asked.replies[0]?.fields?.["traceNo"]], ["success", undefined]);
    await endsWell([asked]);
  }
  assert.deepEqual(comeToSenses(), []);
});

test("a rejection for a reason nobody knows is a rejection", async () => {
  for (const rejection of [undefined, "fullMoon", "constructor"]) {
    words.submit = async () => ({ kind: "rejected", rejection });
    const asked = await cluster.ask("interbankTransfer", "success");
    assert.equal(asked.replies[0]?.case, "doNotHonor");
    const { state, rejection: kept } = await transferOf(asked);
    assert.deepEqual({ state, kept }, { state: "rejected", kept: "rejectedByRail" });
  }
  assert.deepEqual(comeToSenses(), []);
});

test("a rail that forgets what it has gets the same instruction again, and nothing moves twice", async () => {
  const asked = await cluster.ask("sknTransfer", "batch");
  await until(async () => (await stateOf(asked)) === "pending");
  words.inquire = async () => undefined;
  cluster.advance(60_000);
  await cluster.look();
  assert.deepEqual([await stateOf(asked), journal.entriesOf(asked.payer)[0]?.arrivals], ["pending", 2]);
  comeToSenses();
  await endsWell([asked]);
});

test("nobody there, said late, does not revert what another has submitted", async () => {
  let fail = () => {};
  words.submit = (rail, ...args) => {
    words.submit = async (...again) => {
      await again[0].submit(...args);
      throw new Error("no answer");
    };
    return new Promise((_, reject) => {
      fail = () => reject(new RailDown("nobody there"));
    });
  };
  const asked = await cluster.ask("rtgsTransfer", "success");
  cluster.advance(60_000);
  await cluster.look();
  assert.deepEqual([await stateOf(asked), journal.entriesOf(asked.payer)[0]?.arrivals], ["submitted", 1]);
  fail();
  await sleep(50);
  assert.equal(await stateOf(asked), "submitted");
  comeToSenses();
  await endsWell([asked]);
});

test("nobody there, said to who takes over, does not revert a submission whose answer never came", async () => {
  words.submit = async () => new Promise(() => {});
  const asked = await cluster.ask("rtgsTransfer", "success");
  words.submit = async () => {
    throw new RailDown("nobody there");
  };
  cluster.advance(60_000);
  await cluster.look();
  // The first one may arrive yet, from a node that is slow: nobody knows that the rail does not have it.
  assert.equal(await stateOf(asked), "submitted");
  comeToSenses();
  await endsWell([asked]);
});

test("a result reported three times is recorded once, and acknowledged as often as it came", async () => {
  const asked = await cluster.ask("rtgsTransfer", "batch");
  await until(async () => (await stateOf(asked)) === "pending");
  const entry = journal.entriesOf(asked.payer)[0] ?? assert.fail("it did not arrive");
  entry.state = "settled";
  entry.uncollected.push("settled", "settled", "settled");
  await cluster.look();
  assert.deepEqual((await transferOf(asked)).notified, ["76 00"]);
  await endsWell([asked]);
});

test("a rail that tells on and on what was acknowledged holds up no result behind it, and keeps no run from its end", async () => {
  const [one, other] = [await cluster.ask("sknTransfer", "batch"), await cluster.ask("sknTransfer", "batch")];
  await until(async () => (await stateOf(one)) === "pending" && (await stateOf(other)) === "pending");
  words.keepsResults = true;
  // More than a page.
  words.results = Array.from({ length: 300 }, () => toReferenceNo(newId())).map((number) => resultOf(number, settled));
  words.results.push(resultOf(await referenceOf(one), settled), resultOf(await referenceOf(other), settled));
  await cluster.look();
  assert.equal(words.results.length, 302);
  assert.deepEqual([await stateOf(one), await stateOf(other)], ["settled", "settled"]);
  words.keepsResults = false;
  words.results = [];
  await endsWell([one, other]);
  assert.equal(new Set(comeToSenses()).size, 300);
});

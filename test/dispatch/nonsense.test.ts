// Rails that contradict themselves, tell things twice, in any order, of nothing we sent, or in words nobody understands:
// nothing is lost, nothing happens twice, and an operator hears of it.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { runAudit } from "../../packages/server/src/admin/audit.ts";
import { newId, toReferenceNo } from "../../packages/server/src/ids.ts";
import type { RailName } from "../../packages/server/src/ledger/rails/terms.ts";
import { type Rail, RailDown, type RailResult, type RailState } from "../../packages/server/src/rails/rail.ts";
import type { Rails } from "./nodes/fork-node.ts";
import { type Asked, createStage, type Stage } from "./dispatch-cluster.ts";

/** What a rail says instead of what it should: any value, whatever its type allows. */
interface Words {
  submit?: (rail: Rail, ...args: Parameters<Rail["submit"]>) => Promise<unknown>;
  inquire?: (rail: Rail, ...args: Parameters<Rail["inquire"]>) => Promise<unknown>;
  /** Told before what the rail has to tell; gone once it is taken. */
  results: unknown[];
  /** They stay, although they were taken. */
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
      take: async (taken) => {
        words.results = words.results.filter((result) => words.keepsResults || !taken.includes(result as RailResult));
        await rail.take(taken);
      },
    };
  };
  return { interbank: met("interbank"), rtgs: met("rtgs"), skn: met("skn") };
}

const stage = await createStage({ rails: speaking, interbankWaitMs: 60, railAnswerMs: 200 });
const { scene, book, events } = stage;
after(async () => {
  assert.deepEqual(await runAudit(scene.url), { ok: true, findings: [] });
  await stage[Symbol.asyncDispose]();
});

/** Back to a rail of sense; answers what was told of it until now. */
function comeToSenses(): readonly string[] {
  delete words.submit;
  delete words.inquire;
  return events.splice(0).toSorted();
}

const transferOf = async ({ payer }: Asked) => (await scene.look(payer)).transfers[0] ?? assert.fail("no transfer");
const stateOf = async (asked: Asked) => (await transferOf(asked)).state;
const referenceOf = async (asked: Asked) => toReferenceNo((await transferOf(asked)).id);
const told = (referenceNo: string, state: unknown) => ({ referenceNo, state });
const settled = { kind: "settled" };
const rejected = { kind: "rejected", rejection: "rejected" };
const returned = { kind: "returned" };

async function endsWell(asked: readonly Asked[], on: Stage = stage): Promise<void> {
  await on.untilEnded();
  assert.deepEqual(await on.findFaults(asked), []);
}

/** What is done without being waited for: what nobody waits for is sent behind the answer. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let leftMs = 5_000; leftMs > 0; leftMs -= 5) {
    if (await isSo()) return;
    await sleep(5);
  }
  assert.fail("it does not become so");
}

test("results told twice, and a return before its settlement, happen once each", async () => {
  const [one, other] = [await stage.ask("sknTransfer", "batchReturned"), await stage.ask("sknTransfer", "batch")];
  await until(async () => (await stateOf(one)) === "pending" && (await stateOf(other)) === "pending");
  const [first, second] = [await referenceOf(one), await referenceOf(other)];
  words.results = [told(first, returned), told(first, settled), told(second, settled), told(second, settled)];
  words.results.push(told(first, returned));
  await stage.look();
  assert.deepEqual(words.results, []);
  assert.deepEqual([await stateOf(one), await stateOf(other)], ["returned", "settled"]);
  assert.deepEqual((await transferOf(one)).told, ["75 00", "75 04"]);
  assert.deepEqual((await transferOf(other)).told, ["75 00"]);
  await endsWell([one, other]);
  assert.deepEqual(comeToSenses(), []);
});

test("the first word stands, and the contradiction is told", async () => {
  const [one, other] = [await stage.ask("sknTransfer", "success"), await stage.ask("sknTransfer", "rejected")];
  await until(async () => (await stateOf(one)) === "settled" && (await stateOf(other)) === "rejected");
  const [first, second] = [await referenceOf(one), await referenceOf(other)];
  words.results = [told(first, rejected), told(first, { kind: "pending" }), told(second, settled)];
  words.results.push(told(second, returned));
  await stage.look();
  assert.deepEqual(words.results, []);
  assert.deepEqual([await stateOf(one), await stateOf(other)], ["settled", "rejected"]);
  await endsWell([one, other]);
  const contradictions = [`${first} reject`, `${second} settle`, `${second} settle`];
  assert.deepEqual(comeToSenses(), contradictions.map((what) => `contradicted ${what}`).toSorted());
});

test("what is told of nothing we sent, or of another rail's, is told on once, and what stands behind it is recorded", async () => {
  const [mine, others] = [await stage.ask("sknTransfer", "batch"), await stage.ask("rtgsTransfer", "batch")];
  await until(async () => (await stateOf(mine)) === "pending" && (await stateOf(others)) === "pending");
  const unknown = [toReferenceNo(newId()), "nonsense", "", await referenceOf(others)];
  words.results = unknown.map((referenceNo) => told(referenceNo, settled));
  words.results.push(told(await referenceOf(mine), settled));
  await stage.look();
  assert.deepEqual(words.results, []);
  assert.deepEqual([await stateOf(mine), await stateOf(others)], ["settled", "pending"]);
  assert.deepEqual(comeToSenses(), unknown.map((referenceNo) => `unknownResult skn ${referenceNo}`).toSorted());
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
  const one = await stage.ask("sknTransfer", "batch");
  const other = await stage.ask("sknTransfer", "batch");
  await until(async () => (await stateOf(one)) === "pending" && (await stateOf(other)) === "pending");
  const referenceNo = await referenceOf(one);
  words.results = nonsense.map((state) => told(referenceNo, state));
  words.results.push(told(await referenceOf(other), settled));
  await stage.look();
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
      const asked = await stage.ask(name, "success");
      await until(() => book.pagesOf(asked.payer).length === 1);
      stage.advance(60_000);
      await stage.look();
      assert.equal(await stateOf(asked), "submitted");
      const rail = name === "interbankTransfer" ? "interbank" : "rtgs";
      const isAnswer = answer !== undefined;
      assert.deepEqual(comeToSenses(), isAnswer ? [`silent ${rail}`, `silent ${rail}`] : [`silent ${rail}`]);
      await endsWell([asked]);
      assert.deepEqual([book.pagesOf(asked.payer)[0]?.arrivals, comeToSenses()], [1, []]);
    }
  });
}

test("a trace number that nobody could keep is left out; the end counts", async () => {
  for (const traceNo of [42, "", "a\u0000b", "a\u001eb", "12345678901234567", null, {}]) {
    words.submit = async (rail, ...args) => ({ ...(await rail.submit(...args)), traceNo });
    const asked = await stage.ask("interbankTransfer", "success");
    assert.deepEqual([asked.replies[0]?.case, asked.replies[0]?.fields?.["traceNo"]], ["success", undefined]);
    await endsWell([asked]);
  }
  assert.deepEqual(comeToSenses(), []);
});

test("a rejection for a reason nobody knows is a rejection", async () => {
  for (const rejection of [undefined, "fullMoon", "constructor"]) {
    words.submit = async () => ({ kind: "rejected", rejection });
    const asked = await stage.ask("interbankTransfer", "success");
    assert.equal(asked.replies[0]?.case, "doNotHonor");
    const { state, rejection: kept } = await transferOf(asked);
    assert.deepEqual({ state, kept }, { state: "rejected", kept: "rejectedByRail" });
  }
  assert.deepEqual(comeToSenses(), []);
});

test("a rail that forgets what it has is handed the same instruction again, and nothing moves twice", async () => {
  const asked = await stage.ask("sknTransfer", "batch");
  await until(async () => (await stateOf(asked)) === "pending");
  words.inquire = async () => undefined;
  stage.advance(60_000);
  await stage.look();
  assert.deepEqual([await stateOf(asked), book.pagesOf(asked.payer)[0]?.arrivals], ["pending", 2]);
  comeToSenses();
  await endsWell([asked]);
});

test("nobody there, said late, does not revertSubmission what another has handed over", async () => {
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
  const asked = await stage.ask("rtgsTransfer", "success");
  stage.advance(60_000);
  await stage.look();
  assert.deepEqual([await stateOf(asked), book.pagesOf(asked.payer)[0]?.arrivals], ["submitted", 1]);
  fail();
  await sleep(50);
  assert.equal(await stateOf(asked), "submitted");
  comeToSenses();
  await endsWell([asked]);
});

test("nobody there, said to who takes over, does not revertSubmission a hand-over whose answer never came", async () => {
  words.submit = async () => new Promise(() => {});
  const asked = await stage.ask("rtgsTransfer", "success");
  words.submit = async () => {
    throw new RailDown("nobody there");
  };
  stage.advance(60_000);
  await stage.look();
  // The first one may arrive yet, from a node that is slow: nobody knows that the rail does not have it.
  assert.equal(await stateOf(asked), "submitted");
  comeToSenses();
  await endsWell([asked]);
});

test("a result told three times is recorded once, and taken as often as it came", async () => {
  const asked = await stage.ask("rtgsTransfer", "batch");
  await until(async () => (await stateOf(asked)) === "pending");
  const page = book.pagesOf(asked.payer)[0] ?? assert.fail("it did not arrive");
  page.state = "settled";
  page.untold.push("settled", "settled", "settled");
  await stage.look();
  assert.deepEqual((await transferOf(asked)).told, ["76 00"]);
  await endsWell([asked]);
});

test("a rail that tells on and on what was taken holds up no result behind it, and keeps no run from its end", async () => {
  const [one, other] = [await stage.ask("sknTransfer", "batch"), await stage.ask("sknTransfer", "batch")];
  await until(async () => (await stateOf(one)) === "pending" && (await stateOf(other)) === "pending");
  words.keepsResults = true;
  // More than a page.
  words.results = Array.from({ length: 300 }, () => toReferenceNo(newId())).map((number) => told(number, settled));
  words.results.push(told(await referenceOf(one), settled), told(await referenceOf(other), settled));
  await stage.look();
  assert.equal(words.results.length, 302);
  assert.deepEqual([await stateOf(one), await stateOf(other)], ["settled", "settled"]);
  words.keepsResults = false;
  words.results = [];
  await endsWell([one, other]);
  assert.equal(new Set(comeToSenses()).size, 300);
});

/** Takes the steps of one run, on the node and in the model, and compares every answer. */
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { changeAccount } from "../../../packages/server/src/admin/accounts.ts";
import type { Reply } from "../../../packages/server/src/call.ts";
import { merchantKeyOf } from "../../../packages/server/src/ledger/reference/reference-data.ts";
import { minor } from "../../../packages/server/src/ledger/money.ts";
import { type Building, buildCall, buildQuery } from "./build-call.ts";
import type { HoldNode, HoldOperation } from "../hold-node.ts";
import type { HoldModel, ModelReply } from "./naive-model.ts";
import { accountOf, heldOn, type ModelCall, sweep } from "./naive-world.ts";
import { plain } from "./plain-reply.ts";
import type { Part, Step } from "./random-steps.ts";
import type { RunScene } from "./model-fixture.ts";

export interface Run {
  readonly node: HoldNode;
  readonly scene: RunScene;
  readonly model: HoldModel;
  readonly history: ModelCall[];
  /** Business time: stands still unless a step moves it. */
  readonly time: { now: number };
  /** Kinds of answers met so far, and how often. */
  readonly seen: Map<string, number>;
}

export async function take(step: Step, run: Run): Promise<void> {
  const { model, scene, time } = run;
  switch (step.kind) {
    case "calls":
      return callAll(step, run);
    case "queries":
      return queryAll(step, run);
    case "time":
      time.now += step.ms;
      return;
    case "edge": {
      const hold = model.world.holds.at(-1 - step.hold);
      if (hold) time.now = Math.max(time.now, hold.expiresAt - (step.isBefore ? 1 : 0));
      return;
    }
    case "sweep":
      await run.node.expire();
      return sweep(model.world, time.now);
    case "status":
      return changeStatus(step, run);
    case "merchant": {
      const key = merchantKeyOf(scene.partners[step.partner] ?? "", scene.merchantIds[step.merchant] ?? "");
      const [terms, known] = [scene.merchants.get(key), model.world.merchants.get(key)];
      if (!terms || !known) return;
      scene.merchants.set(key, { ...terms, status: step.isActive ? "active" : "suspended" });
      known.isActive = step.isActive;
      return;
    }
    case "limits":
      return changeLimits(step, run);
  }
}

interface Sent {
  readonly call: ModelCall;
  readonly reply: Reply;
  readonly turn: number;
}

/** Sends the calls at once, so that they share batches, and asks the model one after the other. */
async function callAll({ partner: which, calls }: Part<"calls">, run: Run): Promise<void> {
  const { scene, history, node } = run;
  const building: Building = { ...run, now: run.time.now };
  const asked = calls.map((one) => {
    const isOther = one.isOfOther === true && one.again === undefined;
    const partner = scene.partners[isOther ? 1 - which : which] ?? "";
    const call = buildCall(one, partner, building);
    history.push(call);
    return call;
  });
  const replies = await Promise.all(asked.map((call) => node.call(nodeCall(call))));
  const turn = history.length - asked.length;
  const sent = asked.map((call, index): Sent => ({ call, reply: replies[index] ?? assert.fail(), turn: turn + index }));
  // What is rejected in steps 11 and 12 of spec D2 never comes to the queue.
  const early = sent.filter(({ call }) => run.model.isRejectedEarly(call));
  predict([...early, ...inTurns(sent.filter((one) => !early.includes(one)))], run);
}

/** As the queue lets partners take turns. */
function inTurns(sent: readonly Sent[]): readonly Sent[] {
  const lines = new Map<string, Sent[]>();
  for (const one of sent) lines.set(one.call.partner, [...(lines.get(one.call.partner) ?? []), one]);
  const longest = Math.max(...[...lines.values()].map((line) => line.length));
  return Array.from({ length: longest }, (_, turn) => [...lines.values()].flatMap((line) => line[turn] ?? [])).flat();
}

/**
 * A call whose money can only go to the unclaimed account is run a second time, behind the others and in turns again: a
 * repeat of a payment may be told the status before or after that.
 */
function predict(sent: readonly Sent[], { model, time, seen }: Run): void {
  const waiting: Sent[] = [];
  const answers: { readonly one: Sent; readonly ask: () => ModelReply }[] = [];
  const ask = (one: Sent, isSecondTime: boolean) => {
    const { call, reply, turn } = one;
    const answer = model.answer({ call, turn, now: time.now, no: numberIn(reply), isSecondTime });
    if (answer === "later") waiting.push(one);
    else answers.push({ one, ask: answer });
  };
  for (const one of sent) ask(one, false);
  const early = answers.map((answer) => answer.ask());
  for (const one of inTurns(waiting.splice(0))) {
    count(seen, one.call.name, { case: "retried" });
    ask(one, true);
  }
  for (const [index, { one, ask: late }] of answers.entries()) {
    const expected = late();
    const said = plain(one.reply);
    const before = early[index];
    count(seen, one.call.name, expected);
    if (before && isDeepStrictEqual(said, plain(before))) continue;
    assert.deepEqual(said, plain(expected), JSON.stringify(one.call));
  }
}

async function queryAll({ queries }: Part<"queries">, run: Run): Promise<void> {
  const { node, model, time, seen } = run;
  const asked = queries.map((query) => buildQuery(query, run));
  const replies = await Promise.all(asked.map((call) => node.call(nodeCall(call))));
  for (const [index, call] of asked.entries()) {
    const expected = model.query(call, time.now);
    count(seen, call.name, expected);
    assert.deepEqual(plain(replies[index] ?? assert.fail()), plain(expected), JSON.stringify(call));
  }
}

const nodeCall = (call: ModelCall) => ({ ...call, name: call.name as HoldOperation });

/** The number of ours in an answer that made one. */
function numberIn({ fields = {} }: Reply): string | undefined {
  const made = ["referenceNo", "captureNo", "voidNo", "refundNo"].map((name) => fields[name]);
  return made.find((no) => typeof no === "string");
}

function count(seen: Map<string, number>, name: string, { case: as, field, fields = {} }: ModelReply): void {
  const told = ["latestTransactionStatus", "latestCaptureStatus", "latestVoidStatus"].map((one) => fields[one]);
  const kind = [name, as, field, ...told].filter((part) => part !== undefined).join(" ");
  seen.set(kind, (seen.get(kind) ?? 0) + 1);
}

async function changeStatus({ account, status, withMoney }: Part<"status">, run: Run): Promise<void> {
  const no = run.scene.accountNos[account] ?? "";
  const { world } = run.model;
  const model = accountOf(world, no);
  const result = await changeAccount(run.node.admin, no, { status, closesWithMoney: withMoney });
  const mayClose = heldOn(world, no) === 0n && (model.balance === 0n || withMoney);
  const isRejected = model.status !== status && (model.status === "closed" || (status === "closed" && !mayClose));
  assert.equal(result.ok, !isRejected, `${model.status} to ${status}`);
  if (result.ok) model.status = status;
}

async function changeLimits({ account, limits }: Part<"limits">, run: Run): Promise<void> {
  const no = run.scene.accountNos[account] ?? "";
  const model = accountOf(run.model.world, no);
  const { each, daily, dailyCount } = limits;
  const result = await changeAccount(run.node.admin, no, {
    limits: {
      ...(each !== undefined && { perTransaction: minor(BigInt(each)) }),
      ...(daily !== undefined && { daily: minor(BigInt(daily)) }),
      ...(dailyCount !== undefined && { dailyCount }),
    },
  });
  if (!result.ok) return assert.equal(model.status, "closed");
  const big = (value: number | undefined) => (value === undefined ? undefined : BigInt(value));
  Object.assign(model, { each: big(each), daily: big(daily), dailyCount });
}

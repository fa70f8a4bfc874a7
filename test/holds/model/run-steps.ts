/** Runs steps on the node and in the model, and compares every response. */
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { changeAccount } from "../../../packages/server/src/admin/accounts/change-account.ts";
import type { Reply } from "../../../packages/server/src/interfaces/call.ts";
import { merchantKeyOf } from "../../../packages/server/src/ledger/reference/reference-data.ts";
import { minor } from "../../../packages/server/src/ledger/money.ts";
import { buildCall, buildQuery } from "./build-call.ts";
import type { HoldNode, HoldOperation } from "../hold-node.ts";
import { numberIn } from "../write-fields.ts";
import type { HoldModel, LateReply } from "./hold-model.ts";
import { accountOf, heldOn, type ModelCall, releaseExpired } from "./hold-state.ts";
import type { RunFixture } from "./model-fixture.ts";
import { type ModelReply, plain } from "./model-reply.ts";
import type { Part, Step } from "./random-steps.ts";

export interface Run {
  readonly node: HoldNode;
  readonly fixture: RunFixture;
  readonly model: HoldModel;
  readonly history: ModelCall[];
  /** Business time: stands still unless a step moves it. */
  readonly time: { now: number };
  /** Count of answers by kind. */
  readonly seen: Map<string, number>;
}

export async function runStep(step: Step, run: Run): Promise<void> {
  const { model, fixture, time } = run;
  switch (step.kind) {
    case "calls":
      return callAll(step, run);
    case "queries":
      return queryAll(step, run);
    case "time":
      time.now += step.ms;
      return;
    case "expiry": {
      const hold = model.state.holds.at(-1 - step.hold);
      if (hold) time.now = Math.max(time.now, hold.expiresAt - (step.isBefore ? 1 : 0));
      return;
    }
    case "expiryJob":
      await run.node.expire();
      return releaseExpired(model.state, time.now);
    case "status":
      return changeStatus(step, run);
    case "merchant": {
      const key = merchantKeyOf(fixture.partners[step.partner] ?? "", fixture.merchantIds[step.merchant] ?? "");
      const [terms, known] = [fixture.merchants.get(key), model.state.merchants.get(key)];
      if (!terms || !known) return;
      fixture.merchants.set(key, { ...terms, status: step.isActive ? "active" : "suspended" });
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
  readonly position: number;
}

/** Sends the calls at once, so that they share batches; the model decides them one by one. */
async function callAll({ partner: which, calls }: Part<"calls">, run: Run): Promise<void> {
  const { fixture, history, node, model } = run;
  const first = history.length;
  for (const one of calls) {
    const isOther = one.isOfOther === true && one.repeat === undefined;
    const partner = fixture.partners[isOther ? 1 - which : which] ?? "";
    history.push(buildCall(one, partner, { ...run, now: run.time.now }));
  }
  const replies = await Promise.all(history.slice(first).map((call) => node.call(nodeCall(call))));
  const sent = replies.map((reply, index): Sent => {
    return { call: history[first + index] ?? assert.fail(), reply, position: first + index };
  });
  for (const { call, reply } of sent) {
    const expected = model.rejectEarly(call);
    if (expected) assertReply(run, call, reply, expected);
  }
  decideAll(inTurns(sent.filter(({ call }) => !model.rejectEarly(call))), run);
}

/** In the order of the queue: partners take turns. */
function inTurns(sent: readonly Sent[]): readonly Sent[] {
  const lines = [...Map.groupBy(sent, ({ call }) => call.partner).values()];
  const longest = Math.max(...lines.map((line) => line.length));
  return Array.from({ length: longest }, (_, turn) => lines.flatMap((line) => line[turn] ?? [])).flat();
}

/**
 * Calls that need the account of unapplied funds are run again behind the others, in turns: a repeat of a payment may
 * have the status before that or after it.
 */
function decideAll(sent: readonly Sent[], run: Run): void {
  const again: Sent[] = [];
  const decided: { readonly one: Sent; readonly reply: LateReply }[] = [];
  const decide = (one: Sent, isSecondRun: boolean) => {
    const no = numberIn(one.reply);
    const reply = run.model.decide({ ...one, now: run.time.now, no, isSecondRun });
    if (reply === "again") again.push(one);
    else decided.push({ one, reply });
  };
  for (const one of sent) decide(one, false);
  const before = decided.map(({ reply }) => reply());
  for (const one of inTurns(again.splice(0))) {
    count(run.seen, one.call.name, { case: "run again" });
    decide(one, true);
  }
  for (const [index, { one, reply }] of decided.entries()) {
    assertReply(run, one.call, one.reply, reply(), before[index]);
  }
}

function assertReply(
  { seen }: Run,
  call: ModelCall,
  reply: Reply,
  expected: ModelReply,
  alternative: ModelReply = expected,
): void {
  count(seen, call.name, expected);
  if (isDeepStrictEqual(plain(reply), plain(alternative))) return;
  assert.deepEqual(plain(reply), plain(expected), JSON.stringify(call));
}

async function queryAll({ queries }: Part<"queries">, run: Run): Promise<void> {
  const { node, model, time } = run;
  const calls = queries.map((query) => buildQuery(query, run));
  const replies = await Promise.all(calls.map((call) => node.call(nodeCall(call))));
  for (const [index, call] of calls.entries()) {
    const reply = replies[index] ?? assert.fail();
    const [first, ...others] = model.query(call, time.now);
    const expected = others.find((one) => isDeepStrictEqual(plain(reply), plain(one)));
    assertReply(run, call, reply, expected ?? first);
  }
}

const nodeCall = (call: ModelCall) => ({ ...call, name: call.name as HoldOperation });

function count(seen: Map<string, number>, call: string, { case: name, field, fields = {} }: ModelReply): void {
  const statuses = ["latestTransactionStatus", "latestCaptureStatus", "latestVoidStatus"].map((one) => fields[one]);
  const kind = [call, name, field, ...statuses].filter((part) => part !== undefined).join(" ");
  seen.set(kind, (seen.get(kind) ?? 0) + 1);
}

async function changeStatus({ account, status, withMoney }: Part<"status">, run: Run): Promise<void> {
  const no = run.fixture.accountNos[account] ?? "";
  const { state } = run.model;
  const model = accountOf(state, no);
  const result = await changeAccount(run.node.admin, no, { status, closesWithMoney: withMoney });
  const mayClose = heldOn(state, no) === 0n && (model.balance === 0n || withMoney);
  const isRejected = model.status !== status && (model.status === "closed" || (status === "closed" && !mayClose));
  assert.equal(result.ok, !isRejected, `${model.status} to ${status}`);
  if (result.ok) model.status = status;
}

async function changeLimits({ account, limits }: Part<"limits">, run: Run): Promise<void> {
  const no = run.fixture.accountNos[account] ?? "";
  const model = accountOf(run.model.state, no);
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

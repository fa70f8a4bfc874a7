import assert from "node:assert/strict";
import { test } from "node:test";
import { movableClock } from "../../test/helpers/movable-clock.ts";
import { rejection } from "../../test/helpers/rejection.ts";
import { createAccessTokens, type NewToken } from "./access-tokens.ts";
import { startDeadline } from "../exchange/deadline.ts";

/** Tokens that are given out when the test says so. */
function heldBack() {
  const waiting: PromiseWithResolvers<NewToken>[] = [];
  const obtain = (): Promise<NewToken> => {
    const resolvers = Promise.withResolvers<NewToken>();
    waiting.push(resolvers);
    return resolvers.promise;
  };
  return { waiting, obtain };
}

/** `t1`, `t2`… of the given life. */
function counting(lifetimeSeconds: number) {
  let count = 0;
  return async (): Promise<NewToken> => {
    count += 1;
    return { accessToken: `t${count}`, lifetimeSeconds };
  };
}

const endless = startDeadline(60_000, undefined);
endless.release();

test("calls that come together share one token call", async () => {
  const { waiting, obtain } = heldBack();
  const tokens = createAccessTokens(movableClock(), obtain);
  const gets = Promise.all(Array.from({ length: 50 }, () => tokens.get(endless)));
  assert.equal(waiting.length, 1);
  waiting[0]?.resolve({ accessToken: "shared", lifetimeSeconds: 900 });
  assert.deepEqual(new Set(await gets), new Set(["shared"]));
  assert.equal(await tokens.get(endless), "shared");
  assert.equal(waiting.length, 1);
});

test("a token is renewed a minute before its end", async () => {
  const clock = movableClock();
  const tokens = createAccessTokens(clock, counting(900));
  assert.equal(await tokens.get(endless), "t1");
  clock.advance(840_000 - 1);
  assert.equal(await tokens.get(endless), "t1");
  clock.advance(1);
  assert.equal(await tokens.get(endless), "t2");
});

test("a token that lives less than two minutes is kept for half its life", async () => {
  const clock = movableClock();
  const tokens = createAccessTokens(clock, counting(30));
  assert.equal(await tokens.get(endless), "t1");
  clock.advance(14_999);
  assert.equal(await tokens.get(endless), "t1");
  clock.advance(1);
  assert.equal(await tokens.get(endless), "t2");
});

test("the life counts from before the token was asked for", async () => {
  const clock = movableClock();
  const tokens = createAccessTokens(clock, async () => {
    clock.advance(839_999);
    return { accessToken: `at ${clock.now()}`, lifetimeSeconds: 900 };
  });
  const first = await tokens.get(endless);
  assert.equal(await tokens.get(endless), first);
  clock.advance(1);
  assert.notEqual(await tokens.get(endless), first);
});

test("a failure is shared by those who waited, and not kept", async () => {
  const { waiting, obtain } = heldBack();
  const tokens = createAccessTokens(movableClock(), obtain);
  const failed = Promise.all([rejection(tokens.get(endless)), rejection(tokens.get(endless))]);
  const fault = new Error("refused");
  waiting[0]?.reject(fault);
  assert.deepEqual(await failed, [fault, fault]);
  const next = tokens.get(endless);
  waiting[1]?.resolve({ accessToken: "next", lifetimeSeconds: 900 });
  assert.equal(await next, "next");
});

test("dropping a token spares the one obtained since", async () => {
  const tokens = createAccessTokens(movableClock(), counting(900));
  assert.equal(await tokens.get(endless), "t1");
  tokens.drop("t1");
  assert.equal(await tokens.get(endless), "t2");
  tokens.drop("t1");
  assert.equal(await tokens.get(endless), "t2");
});

test("one caller who leaves does not end the wait of the others", async () => {
  const { waiting, obtain } = heldBack();
  const tokens = createAccessTokens(movableClock(), obtain);
  const controller = new AbortController();
  const leaving = startDeadline(60_000, controller.signal);
  const left = rejection(tokens.get(leaving));
  const stayed = tokens.get(endless);
  controller.abort();
  assert.ok((await left) instanceof Error);
  waiting[0]?.resolve({ accessToken: "t1", lifetimeSeconds: 900 });
  assert.equal(await stayed, "t1");
  leaving.release();
});

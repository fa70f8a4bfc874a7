import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createClient, isOutcomeUnknown, NoResponseError, NotSentError } from "../src/index.ts";
import { asymmetric, symmetric } from "./helpers/credentials.ts";
import { recordingFetch } from "./helpers/recording-fetch.ts";
import { rejection } from "./helpers/rejection.ts";
import { accepted, transfer } from "./helpers/transfer.ts";

// The timers are moved by hand from within the network, so that a slow machine changes nothing.
type Tick = (ms: number) => void;

const tickOf = (t: TestContext): Tick => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  return (ms) => t.mock.timers.tick(ms);
};

/** Never responds, and ignores the signal. */
const deaf = (): Promise<Response> => new Promise(() => undefined);

const deafFor = (ms: number, tick: Tick) => (): Promise<Response> => {
  tick(ms);
  return deaf();
};

/** Starts a response and never ends it. */
const unfinishedFor = (ms: number, tick: Tick) => (): Response =>
  new Response(
    new ReadableStream({
      start: (stream) => stream.enqueue(new Uint8Array([0x7b])),
      pull: () => tick(ms),
    }),
  );

const silences = [
  ["no response", deafFor],
  ["half a response", unfinishedFor],
] as const;

for (const [name, silence] of silences) {
  test(`a write with ${name} in time has an unknown outcome`, async (t) => {
    const { fetch, calls } = recordingFetch(silence(30_000, tickOf(t)));
    const client = createClient({ ...asymmetric, fetch });
    const error = await rejection(client.intrabankTransfer(transfer));
    assert.ok(isOutcomeUnknown(error));
    assert.ok(error.cause instanceof NoResponseError);
    assert.equal(error.cause.reason, "timeout");
    assert.equal(calls.length, 1);
    assert.equal(calls[0]?.signal.aborted, true, "the network is told to stop");
  });
}

test("a read without a response in time says so itself", async (t) => {
  const { fetch } = recordingFetch(deafFor(20, tickOf(t)));
  const client = createClient({ ...asymmetric, fetch });
  const error = await rejection(client.internalAccountInquiry({ beneficiaryAccountNo: "1" }, { timeoutMs: 20 }));
  assert.ok(error instanceof NoResponseError);
  assert.equal(error.reason, "timeout");
  assert.equal(error.isFinal, true);
});

test("a caller who ends a write under way does not know its outcome", async () => {
  const controller = new AbortController();
  const { fetch } = recordingFetch(() => {
    controller.abort();
    return deaf();
  });
  const client = createClient({ ...asymmetric, fetch });
  const error = await rejection(client.intrabankTransfer(transfer, { signal: controller.signal }));
  assert.ok(isOutcomeUnknown(error));
  assert.ok(error.cause instanceof NoResponseError);
  assert.equal(error.cause.reason, "aborted");
});

for (const [mode, options] of [["with a token", symmetric] as const, ["with the private key", asymmetric] as const]) {
  test(`a call ended before it starts is not sent (signed ${mode})`, async () => {
    const { fetch, calls, tokenCalls } = recordingFetch(accepted);
    const client = createClient({ ...options, fetch });
    const error = await rejection(client.intrabankTransfer(transfer, { signal: AbortSignal.abort() }));
    assert.ok(error instanceof NotSentError);
    assert.equal(error.reason, "aborted");
    assert.equal(error.isFinal, true);
    assert.equal(calls.length + tokenCalls.length, 0);
  });
}

test("a call whose time passes while it waits for a token is not sent", async (t) => {
  const { fetch, calls } = recordingFetch(accepted, deafFor(20, tickOf(t)));
  const client = createClient({ ...symmetric, fetch });
  const error = await rejection(client.intrabankTransfer(transfer, { timeoutMs: 20 }));
  assert.ok(error instanceof NotSentError);
  assert.equal(error.reason, "timeout");
  assert.equal(error.cause, undefined);
  assert.equal(calls.length, 0);
});

test("a call whose time passes while its signature is made is not sent", async (t) => {
  const tick = tickOf(t);
  const { fetch, calls } = recordingFetch(accepted);
  const pending = rejection(createClient({ ...asymmetric, fetch }).intrabankTransfer(transfer));
  tick(30_000);
  const error = await pending;
  assert.ok(error instanceof NotSentError);
  assert.equal(error.reason, "timeout");
  assert.equal(calls.length, 0);
});

test("a caller's signal is let go when the call is over", async () => {
  const controller = new AbortController();
  let listeners = 0;
  const { signal } = controller;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...parameters: Parameters<typeof add>) => {
    listeners += 1;
    add(...parameters);
  };
  signal.removeEventListener = (...parameters: Parameters<typeof remove>) => {
    listeners -= 1;
    remove(...parameters);
  };
  const { fetch } = recordingFetch(accepted);
  await createClient({ ...asymmetric, fetch }).intrabankTransfer(transfer, { signal });
  assert.equal(listeners, 0);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient, isOutcomeUnknown, NoAnswerError, NotSentError } from "../src/index.ts";
import { asymmetric, symmetric } from "./helpers/credentials.ts";
import { recordingFetch } from "./helpers/recording-fetch.ts";
import { rejection } from "./helpers/rejection.ts";
import { accepted, transfer } from "./helpers/transfer.ts";

/** Never answers, and takes no notice of the signal. */
const deaf = (): Promise<Response> => new Promise(() => undefined);

/** Starts an answer and never ends it. */
const unfinished = (): Response =>
  new Response(new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array([0x7b])) }));

for (const [name, respond] of [["no answer", deaf] as const, ["half an answer", unfinished] as const]) {
  test(`a write with ${name} in time has an unknown outcome`, async () => {
    const { fetch, calls } = recordingFetch(respond);
    const client = createClient({ ...asymmetric, fetch, timeoutMs: 20 });
    const error = await rejection(client.intrabankTransfer(transfer));
    assert.ok(isOutcomeUnknown(error));
    assert.ok(error.cause instanceof NoAnswerError);
    assert.equal(error.cause.reason, "timeout");
    assert.equal(calls.length, 1);
    assert.equal(calls[0]?.signal.aborted, true, "the network is told to stop");
  });
}

test("a read without an answer in time says so itself", async () => {
  const { fetch } = recordingFetch(deaf);
  const client = createClient({ ...asymmetric, fetch });
  const error = await rejection(client.internalAccountInquiry({ beneficiaryAccountNo: "1" }, { timeoutMs: 20 }));
  assert.ok(error instanceof NoAnswerError);
  assert.equal(error.reason, "timeout");
  assert.equal(error.isDecided, true);
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
  assert.ok(error.cause instanceof NoAnswerError);
  assert.equal(error.cause.reason, "aborted");
});

for (const [mode, options] of [["with a token", symmetric] as const, ["with the private key", asymmetric] as const]) {
  test(`a call ended before it starts is not sent (signed ${mode})`, async () => {
    const { fetch, calls } = recordingFetch(accepted);
    const client = createClient({ ...options, fetch });
    const error = await rejection(client.intrabankTransfer(transfer, { signal: AbortSignal.abort() }));
    assert.ok(error instanceof NotSentError);
    assert.equal(error.reason, "aborted");
    assert.equal(error.isDecided, true);
    assert.equal(calls.length, 0);
  });
}

test("a call whose time passes while it waits for a token is not sent", async () => {
  const { fetch, calls } = recordingFetch(accepted, deaf);
  const client = createClient({ ...symmetric, fetch, timeoutMs: 100 });
  const error = await rejection(client.intrabankTransfer(transfer, { timeoutMs: 20 }));
  assert.ok(error instanceof NotSentError);
  assert.equal(error.reason, "timeout");
  assert.equal(error.cause, undefined);
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

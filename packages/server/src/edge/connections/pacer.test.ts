import assert from "node:assert/strict";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { test } from "node:test";
import { credentialsOf } from "../../../../../test/support/edge/credentials.ts";
import { createAddressList } from "./address-list.ts";
import { createPacer } from "./pacer.ts";

const second = 16_384 * 1_999;
const fixed = { clock: { monotonic: () => 5_000 }, trustedProxies: createAddressList([]) };

test("an address waits for its answers, for pages apart, and whoever leaves gives its time back", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const pacer = createPacer({ ...fixed, partners: { byPartnerId: () => undefined, byClientKey: () => undefined } });
  let answers = 0;
  const ask = (socket: Socket, bytes?: number) =>
    pacer.run(new IncomingMessage(socket), () => (answers += 1), bytes === undefined ? {} : { bytes });
  for (let i = 0; i < 4_001; i += 1) ask(new Socket());
  assert.equal(answers, 2_001);
  for (let i = 0; i < 2; i += 1) ask(new Socket(), second);
  assert.equal(answers, 2_003);
  const leaver = new Socket();
  const listeners = leaver.listenerCount("close");
  ask(leaver, second);
  leaver.emit("close");
  assert.equal(leaver.listenerCount("close"), listeners);
  ask(new Socket(), second);
  t.mock.timers.tick(999);
  assert.equal(answers, 2_003 + 1_998);
  t.mock.timers.tick(1);
  assert.equal(answers, 2_003 + 2_000 + 1);
});

test("responses in one partner's name wait for no others of the address; invented names have one line", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const known = (name: string) => (name.startsWith("known") ? credentialsOf(name) : undefined);
  const pacer = createPacer({ ...fixed, partners: { byPartnerId: known, byClientKey: () => undefined } });
  const answered = (names: readonly string[]) => {
    let answers = 0;
    for (let i = 0; i < 4_000; i += 1) {
      const request = new IncomingMessage(new Socket());
      request.headers["x-partner-id"] = names[i % names.length];
      pacer.run(request, () => (answers += 1));
    }
    return answers;
  };
  assert.equal(answered(["known-1"]), 2_001);
  assert.equal(answered(["known-2"]), 2_001);
  assert.equal(answered(["made-up-1", "made-up-2"]), 2_001);
  assert.equal(answered(["made-up-3", "known-1"]), 0);
});

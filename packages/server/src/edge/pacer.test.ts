import assert from "node:assert/strict";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { test } from "node:test";
import { createClock } from "../clock.ts";
import { createAddressList } from "./address-list.ts";
import { createPacer } from "./pacer.ts";

test("an address waits for its answers, a second at most, and nothing is kept of a caller who leaves", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const pacer = createPacer({ ...createClock(), monotonic: () => 5_000 }, createAddressList([]));
  let answers = 0;
  const ask = (socket: Socket) => pacer.run(new IncomingMessage(socket), () => (answers += 1));
  for (let i = 0; i < 8_000; i += 1) ask(new Socket());
  assert.equal(answers, 2_001);
  const leaver = new Socket();
  const listeners = leaver.listenerCount("close");
  ask(leaver);
  leaver.emit("close");
  assert.equal(leaver.listenerCount("close"), listeners);
  t.mock.timers.tick(1_000);
  assert.equal(answers, 8_000);
});

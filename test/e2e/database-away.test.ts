/** The sandbox's control calls while the database does not answer: 503, which says so and what to do, never 500. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { request } from "undici";
import { createAgent, startSandbox } from "../support/black-box/start-sandbox.ts";

const sandbox = await startSandbox({}, { database: "embedded" });
const agent = createAgent();
after(async () => {
  await agent.destroy();
  await sandbox[Symbol.asyncDispose]();
});
const { file } = sandbox;

const calls: readonly (readonly ["GET" | "POST", string, object?])[] = [
  ["GET", "clock"],
  ["POST", "clock", { advanceSeconds: 60 }],
  ["GET", "rails/interbank/mode"],
  ["POST", "rails/interbank/mode", { mode: "slow" }],
  ["POST", "rails/skn/settle"],
  ["POST", "transfers/01JD7K3M9QZ8V2X4B6N8P0R2T4/return"],
  ["POST", "transfers/01JD7K3M9QZ8V2X4B6N8P0R2T4/resolve", { result: "settled" }],
  ["GET", "accounts/1001000001"],
  ["GET", "holds/01JD7K3M9QZ8V2X4B6N8P0R2T4"],
  ["GET", "audit"],
];

test("every control call of a node whose database is gone is answered 503, and says that it may be repeated", async () => {
  await using other = await sandbox.startNode();
  // It runs the database.
  await sandbox.service.end("SIGTERM");
  for (const [method, path, body] of calls) {
    const answer = await request(`${other.baseUrl}/sandbox/${path}`, {
      dispatcher: agent,
      method,
      headers: { Authorization: `Bearer ${file.controlToken}` },
      body: body === undefined ? null : JSON.stringify(body),
    });
    assert.equal(answer.statusCode, 503, `${method} ${path}`);
    assert.deepEqual(await answer.body.json(), {
      error: {
        code: "unavailable",
        message:
          "The database does not answer. Whether the call took effect is unknown: look when it answers again, or repeat the call.",
      },
    });
  }
});

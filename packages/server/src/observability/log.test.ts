import assert from "node:assert/strict";
import { test } from "node:test";
import { createLog } from "./log.ts";

function capture(level = "debug") {
  const lines: string[] = [];
  return { lines, log: createLog({ level, destination: { write: (line) => void lines.push(line) } }) };
}

test("a line holds level, time, event, message and the named fields", () => {
  const { log, lines } = capture();
  const fields = { correlationId: "c1", externalId: "41807553358950093184", partner: "P-1", count: 2 };
  log.warn("http.request_failed", "The call failed.", fields);
  const line: Record<string, unknown> = JSON.parse(lines[0] ?? "");
  assert.equal(typeof line["time"], "number");
  delete line["time"];
  assert.deepEqual(line, {
    level: 40,
    event: "http.request_failed",
    correlationId: "c1",
    externalId: "41807553358950093184",
    partner: "P-1",
    count: 2,
    msg: "The call failed.",
  });
});

test("bodies, tokens, signatures and secrets never show, whatever is handed over", () => {
  const { log, lines } = capture();
  const call = { partner: "P-1", body: "SECRET", headers: { authorization: "SECRET" }, signature: "SECRET" };
  log.debug("http.request", "handed over too much", call);
  log.error("http.request_failed", "an error with more than it should have", {
    error: Object.assign(new Error("Connection lost"), { body: "SECRET", detail: "Key (secret)=(SECRET)" }),
  });
  log.error("http.request_failed", "a thrown text", { error: "SECRET" });
  try {
    JSON.parse('{"clientSecret": SECRET}');
  } catch (error) {
    log.error("http.request_failed", "an unreadable body", { error });
  }
  assert.equal(lines.length, 4);
  assert.doesNotMatch(lines.join("\n"), /SECRET/);
  assert.match(lines[1] ?? "", /Connection lost/);
});

test("texts are bounded, and a line break cannot forge a line", () => {
  const { log, lines } = capture();
  log.warn("http.request", "long", { externalId: "x".repeat(10_000) });
  log.warn("http.request", "broken", { partner: 'P-1\n{"level":60}' });
  assert.ok((lines[0] ?? "").length < 700);
  assert.equal((lines[1] ?? "").trimEnd().split("\n").length, 1);
});

test("debug lines are written only at that level", () => {
  const { log, lines } = capture("info");
  log.debug("http.request", "unseen");
  assert.equal(log.isDebug, false);
  assert.deepEqual(lines, []);
});

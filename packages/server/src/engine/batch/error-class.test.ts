import assert from "node:assert/strict";
import { test } from "node:test";
import { DatabaseError } from "pg";
import { ConnectionLost } from "../../store/postgres/session.ts";
import { classifyFailure, codeOf, type FailureClass } from "./error-class.ts";

// severity, code, class
const reported: readonly (readonly [string, string, FailureClass])[] = [
  ["ERROR", "40001", "conflict"],
  ["ERROR", "40P01", "conflict"],
  ["ERROR", "23505", "conflict"],
  ["ERROR", "55P03", "lockWait"],
  ["FATAL", "57P01", "lost"],
  ["FATAL", "57P02", "lost"],
  ["FATAL", "57P03", "lost"],
  ["FATAL", "25P03", "lost"],
  ["ERROR", "25006", "lost"],
  ["FATAL", "53300", "lost"],
  ["FATAL", "08006", "lost"],
  ["ERROR", "08P01", "lost"],
  ["ERROR", "57014", "poison"],
  ["ERROR", "23514", "poison"],
  ["ERROR", "22012", "poison"],
  ["ERROR", "25P02", "poison"],
  ["ERROR", "53100", "unavailable"],
  ["ERROR", "53200", "unavailable"],
  ["ERROR", "58030", "unavailable"],
  // The same code with the session's last breath: a commit behind it may have become durable.
  ["PANIC", "53100", "lost"],
  ["FATAL", "XX000", "lost"],
];

for (const [severity, code, expected] of reported) {
  test(`${severity} ${code} is ${expected}`, () => {
    const error = new DatabaseError("…", 1, "error");
    error.severity = severity;
    error.code = code;
    assert.equal(classifyFailure(error), expected);
    assert.equal(codeOf(error), code);
  });
}

test("a broken connection is lost and keeps the code of its cause", () => {
  const reset = Object.assign(new Error("read ECONNRESET"), {
    code: "ECONNRESET",
  });
  const lost = new ConnectionLost(reset.message, { cause: reset });
  assert.equal(classifyFailure(lost), "lost");
  assert.equal(codeOf(lost), "ECONNRESET");
});

test("a fault of ours is poison: a new connection would not cure it", () => {
  assert.equal(classifyFailure(new TypeError("x is not a function")), "poison");
  assert.equal(classifyFailure(Object.assign(new Error("no such file"), { code: "ENOENT" })), "poison");
  assert.equal(classifyFailure("a text"), "poison");
});

test("a partition made meanwhile is a conflict, a constraint of ours poison", () => {
  const error = new DatabaseError("…", 1, "error");
  Object.assign(error, { severity: "ERROR", code: "23514", constraint: undefined });
  assert.equal(classifyFailure(error), "conflict");
  assert.equal(classifyFailure(Object.assign(error, { constraint: "entries_balanced" })), "poison");
});

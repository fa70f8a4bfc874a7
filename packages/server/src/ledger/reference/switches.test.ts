import assert from "node:assert/strict";
import { test } from "node:test";
import { isRailClosed, rejectClosed } from "./switches.ts";

const rejectionOf = (closed: readonly string[], code: string, rail?: "interbank" | "skn") =>
  rejectClosed(new Set(closed), code, rail)?.rejection.kind;

test("a new request is rejected where its service or its rail is closed", () => {
  assert.equal(rejectionOf([], "18", "interbank"), undefined);
  assert.equal(rejectionOf(["rail:interbank"], "18", "interbank"), "railClosedByOperator");
  assert.equal(rejectionOf(["rail:interbank"], "23", "skn"), undefined);
  assert.equal(rejectionOf(["rail:interbank"], "17"), undefined);
  assert.equal(rejectionOf(["service:17"], "17"), "serviceClosed");
  assert.equal(rejectionOf(["service:17"], "18", "interbank"), undefined);
  assert.equal(rejectionOf(["service:18", "rail:interbank"], "18", "interbank"), "serviceClosed");
  assert.equal(rejectionOf(["intake"], "17"), undefined, "the intake is closed before anything is decided");
  assert.equal(isRailClosed(new Set(["rail:skn"]), "skn"), true);
  assert.equal(isRailClosed(new Set(["rail:skn"]), "rtgs"), false);
});

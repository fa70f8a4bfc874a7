import assert from "node:assert/strict";
import { test } from "node:test";
import { responseCases } from "./response-cases.ts";
import { parseResponseCode, responseCode, responseMessage } from "./response-code.ts";

test("a response code is status, service code and case code", () => {
  assert.equal(responseCode("success", "17"), "2001700");
  assert.equal(responseCode("inconsistentRequest", "65"), "4046518");
  assert.equal(responseCode("serviceUnavailable", "22"), "5032200");
});

test("a message names its field or its reason", () => {
  assert.equal(
    responseMessage("invalidMandatoryField", { field: "amount.value" }),
    "Invalid Mandatory Field amount.value",
  );
  assert.equal(responseMessage("unauthorized", { reason: "Signature" }), "Unauthorized. [Signature]");
  assert.equal(responseMessage("success"), "Successful");
});

test("a message has at most 150 characters, and none is cut in half", () => {
  const message = responseMessage("generalError", { reason: "\u{1f600}".repeat(1_000) });
  assert.equal(Array.from(message).length, 150);
  assert.ok(message.isWellFormed());
  assert.equal(responseMessage("badRequest", { reason: "x".repeat(200) }).length, 150);
});

test("every case has a code of its own and is found by it", () => {
  for (const [name, { status, case: code }] of Object.entries(responseCases)) {
    assert.deepEqual(parseResponseCode(`${status}17${code}`), { status, serviceCode: "17", caseName: name });
  }
});

test("an unknown pair has no case, and a malformed code is rejected", () => {
  assert.deepEqual(parseResponseCode("4181799"), { status: 418, serviceCode: "17" });
  for (const text of ["", "200170", "20017000", "200170a", " 2001700"])
    assert.equal(parseResponseCode(text), undefined);
});

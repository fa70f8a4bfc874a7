/** Goal: `sandbox.json` tells of every outcome, as the sandbox's interface says, and of what it is answered with. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { listScenarios, scenarioOf } from "./scenarios.ts";
import { latencyOf, nameOf, traceNoOf } from "./seeded.ts";

test("there is one account for every outcome, with the response case that it leads to", () => {
  assert.deepEqual(
    listScenarios().map(({ beneficiaryBankCode, beneficiaryAccountNo, outcome, responseCase }) =>
      [beneficiaryBankCode, beneficiaryAccountNo, outcome, responseCase].join(" "),
    ),
    [
      "014 8800000001 success 20000",
      "014 8800000002 slowSuccess 20200",
      "014 8800000003 limbo 20200",
      "014 8800000004 returnedAfterSettlement 20000",
      "014 8800000011 unknownBeneficiary 40411",
      "014 8800000012 beneficiaryInactive 40318",
      "014 8800000013 beneficiaryDormant 40309",
      "014 8800000014 beneficiaryOverLimit 40323",
      "014 8800000015 bankUnreachable 40403",
      "014 8800000016 rejected 40305",
    ],
  );
});

test("a scenario is found by its account, and by no other", () => {
  for (const { beneficiaryAccountNo, outcome } of listScenarios()) {
    assert.equal(scenarioOf(beneficiaryAccountNo), outcome);
  }
  for (const accountNo of ["", "8800000005", "88000000011", "toString"]) assert.equal(scenarioOf(accountNo), undefined);
});

test("latency, trace number and name are the same each time, and differ between numbers", () => {
  const seeds = Array.from({ length: 500 }, (_, index) => `${index}`);
  const latencies = seeds.map(latencyOf);
  assert.deepEqual(latencies, seeds.map(latencyOf));
  assert.deepEqual([Math.min(...latencies), Math.max(...latencies)], [1, 10]);
  assert.equal(traceNoOf("interbank", "A"), traceNoOf("interbank", "A"));
  assert.notEqual(traceNoOf("interbank", "A"), traceNoOf("rtgs", "A"));
  for (const seed of seeds) assert.match(traceNoOf("rtgs", seed), /^RT\d{12}$/);
  assert.equal(nameOf("014", "1"), nameOf("014", "1"));
  assert.ok(new Set(seeds.map((seed) => nameOf("014", seed))).size > 200);
  for (const seed of seeds) assert.match(nameOf("008", seed), /^[A-Z][a-z]+ [A-Z][a-z]+ [A-Z][a-z]+$/);
});

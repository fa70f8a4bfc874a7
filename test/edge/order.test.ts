/**
 * Spec D2: the order of the checks is public. Every pair of faults is sent together, and the first is answered;
 * the adjacent pairs are among them.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { formatTimestamp } from "@titian/contract";
import type { ObservedCall } from "../../packages/server/src/edge/call-hooks.ts";
import { type Recipe, startEdge, type TestEdge, transfer } from "../support/edge/start-edge.ts";

interface Fault {
  readonly name: string;
  /** Step of spec D2. */
  readonly step: number;
  readonly code: string;
  readonly message: string;
  readonly recipe?: Recipe;
  readonly partner?: Partial<TestEdge["state"]["symmetric"]>;
  readonly hasCapacity?: false;
  readonly isStale?: true;
  /** Changes the text of the body. */
  readonly body?: (text: string) => string;
}

const header = (name: string, value: string | undefined): Recipe => ({ headers: { [name]: value } });
const json = JSON.stringify;

/** In the order in which they are looked for. */
const faults: readonly Fault[] = [
  {
    name: "method",
    step: 1,
    code: "4051700",
    message: "Requested Function Is Not Supported",
    recipe: { method: "PUT" },
  },
  {
    name: "body size",
    step: 2,
    code: "4001700",
    message: "Bad Request [Body too large]",
    body: (text) => text + " ".repeat(70_000),
  },
  {
    name: "header missing",
    step: 3,
    code: "4001702",
    message: "Invalid Mandatory Field CHANNEL-ID",
    recipe: header("CHANNEL-ID", undefined),
  },
  {
    name: "header malformed",
    step: 3,
    code: "4001701",
    message: "Invalid Field Format X-EXTERNAL-ID",
    recipe: header("X-EXTERNAL-ID", "4180 7553"),
  },
  { name: "reference data", step: 4, code: "5031700", message: "Service Unavailable", isStale: true },
  {
    name: "token",
    step: 4,
    code: "4011701",
    message: "Invalid Token (B2B)",
    recipe: header("Authorization", "Bearer unknown"),
  },
  {
    name: "customer token",
    step: 4,
    code: "4011702",
    message: "Invalid Customer Token",
    recipe: header("Authorization-Customer", "Bearer unknown"),
  },
  {
    name: "partner",
    step: 5,
    code: "4011700",
    message: "Unauthorized. [Unknown client]",
    recipe: header("X-PARTNER-ID", "somebody-else"),
  },
  {
    name: "address",
    step: 5,
    code: "4011700",
    message: "Unauthorized. [Connection not allowed]",
    partner: { addresses: ["192.0.2.0/24"] },
  },
  {
    name: "channel id too long for the partner",
    step: 5,
    code: "4001701",
    message: "Invalid Field Format CHANNEL-ID",
    partner: { channelIdLengthMax: 4 },
  },
  {
    name: "timestamp",
    step: 6,
    code: "4011700",
    message: "Unauthorized. [Timestamp]",
    recipe: header("X-TIMESTAMP", formatTimestamp(Date.now() - 3_600_000)),
  },
  {
    name: "signature",
    step: 7,
    code: "4011700",
    message: "Unauthorized. [Signature]",
    recipe: header("X-SIGNATURE", "x"),
  },
  {
    name: "service",
    step: 8,
    code: "4031701",
    message: "Feature Not Allowed [Service not assigned to this partner]",
    partner: { services: [] },
  },
  {
    name: "rate limit",
    step: 9,
    code: "4291700",
    message: "Too Many Requests",
    partner: { rateLimit: { perSecond: 0.01, burst: 0 } },
  },
  { name: "queue", step: 9, code: "5031700", message: "Service Unavailable", hasCapacity: false },
  {
    name: "JSON",
    step: 10,
    code: "4001700",
    message: "Bad Request [Duplicate key]",
    body: (text) => text.replace("{", '{"a":1,"a":1,'),
  },
  {
    name: "mandatory field",
    step: 11,
    code: "4001702",
    message: "Invalid Mandatory Field sourceAccountNo",
    body: (text) => text.replace('"sourceAccountNo"', '"other"'),
  },
  {
    name: "format",
    step: 12,
    code: "4001701",
    message: "Invalid Field Format amount.value",
    body: (text) => text.replace("10000.00", "-1"),
  },
];

/** One call with all the given faults. */
async function sendFaulty(edge: TestEdge, together: readonly Fault[]) {
  const usual = edge.state.symmetric;
  edge.state.symmetric = Object.assign({ ...usual }, ...together.map(({ partner }) => partner));
  edge.state.isStale = together.some(({ isStale }) => isStale ?? false);
  edge.state.hasCapacity = together.every(({ hasCapacity }) => hasCapacity ?? true);
  const recipes = together.flatMap(({ recipe }) => recipe ?? []);
  try {
    return await edge.send({
      ...Object.assign({}, ...recipes),
      headers: Object.assign({}, ...recipes.map(({ headers }) => headers)),
      body: together.reduce((text, { body }) => body?.(text) ?? text, json(transfer)),
    });
  } finally {
    edge.state.symmetric = usual;
    edge.state.isStale = false;
    edge.state.hasCapacity = true;
  }
}

test("every pair of faults is answered by the earlier one, and no handler is reached", async (t) => {
  const seen: ObservedCall[] = [];
  const edge = await startEdge(t, { hooks: { observer: { answered: (call) => seen.push(call) } } });
  for (const [index, first] of faults.entries()) {
    for (const second of [undefined, ...faults.slice(index + 1)]) {
      const answer = await sendFaulty(edge, second === undefined ? [first] : [first, second]);
      const pair = `${first.name}, ${second?.name ?? "alone"}`;
      assert.equal(answer.code, first.code, pair);
      assert.equal(answer.message, first.message, pair);
      assert.equal(answer.status, Number(first.code.slice(0, 3)), pair);
      const { rejectedAt, responseCode, id } = seen.at(-1) ?? {};
      assert.deepEqual(
        [rejectedAt, responseCode, id],
        [first.step, first.code, answer.headers["x-correlation-id"]],
        pair,
      );
    }
  }
  assert.equal(edge.calls.length, 0);
  assert.equal((await edge.send({})).code, "2001700");
});

test("Retry-After stands on 429 and on 503", async (t) => {
  const edge = await startEdge(t);
  for (const name of ["reference data", "rate limit", "queue"]) {
    const answer = await sendFaulty(
      edge,
      faults.filter((fault) => fault.name === name),
    );
    assert.match(String(answer.headers["retry-after"]), /^[0-9]+$/, name);
  }
});

test("reads do not ask for room in the queue", async (t) => {
  const edge = await startEdge(t);
  edge.state.hasCapacity = false;
  const body = json({ serviceCode: "17", originalExternalId: "1" });
  const answer = await edge.send({ operation: "statusInquiryBank", body });
  assert.equal(answer.code, "2003600");
});

test("faults from step 11 on echo what was valid; earlier ones give the envelope alone", async (t) => {
  const edge = await startEdge(t);
  for (const fault of faults) {
    const { fields } = await sendFaulty(edge, [fault]);
    const names = Object.keys(fields).sort();
    if (fault.name === "mandatory field" || fault.name === "format") {
      assert.equal(fields["partnerReferenceNo"], "T-0001", fault.name);
      assert.equal(fields["beneficiaryAccountNo"], "2000000002", fault.name);
    } else {
      assert.deepEqual(names, ["responseCode", "responseMessage"], fault.name);
    }
    if (fault.name === "format") assert.ok(!("amount" in fields));
  }
});

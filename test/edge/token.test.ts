/** Service 73, and the order of checks of both token services (spec D2, D3). */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { formatTimestamp, signRsa, stringToSign } from "@titian/contract";
import { askToken, type TokenRecipe } from "../support/edge/ask-token.ts";
import { privateKey, startEdge, type TestEdge } from "../support/edge/start-edge.ts";

test("a signed request gets a token of 900 seconds that opens the operations", async (t) => {
  const edge = await startEdge(t);
  const answer = await askToken(edge);
  assert.deepEqual([answer.status, answer.code, answer.message], [200, "2007300", "Successful"]);
  assert.deepEqual(Object.keys(answer.fields), [
    "responseCode",
    "responseMessage",
    "accessToken",
    "tokenType",
    "expiresIn",
  ]);
  assert.equal(answer.fields["tokenType"], "Bearer");
  assert.equal(answer.fields["expiresIn"], "900");
  const headers = { Authorization: `Bearer ${String(answer.fields["accessToken"])}` };
  assert.equal((await edge.send({ headers })).code, "2001700");
});

test("no response of a token service is stored on its way; of other operations that is not said", async (t) => {
  const edge = await startEdge(t);
  for (const headers of [{}, { "X-SIGNATURE": "x" }, { "X-CLIENT-KEY": undefined }]) {
    assert.equal((await askToken(edge, { headers })).headers["cache-control"], "no-store");
  }
  assert.equal((await edge.send({})).headers["cache-control"], undefined);
});

test("X-CLIENT-KEY and X-TIMESTAMP come back as they were sent", async (t) => {
  const edge = await startEdge(t);
  const timestamp = new Date().toISOString();
  for (const headers of [{}, { "X-SIGNATURE": "x" }]) {
    const answer = await askToken(edge, { headers: { "X-TIMESTAMP": timestamp, ...headers } });
    assert.equal(answer.headers["x-client-key"], "client-P-HMAC");
    assert.equal(answer.headers["x-timestamp"], timestamp);
  }
});

/** In the order in which the faults are looked for. */
const faults: readonly (TokenRecipe & {
  readonly name: string;
  readonly answer: string;
  readonly partner?: Partial<TestEdge["state"]["symmetric"]>;
  readonly isStale?: true;
})[] = [
  { name: "method", answer: "4057300 Requested Function Is Not Supported", method: "GET" },
  { name: "size", answer: "4007300 Bad Request [Body too large]", body: " ".repeat(70_000) },
  {
    name: "header missing",
    answer: "4007302 Invalid Mandatory Field X-SIGNATURE",
    headers: { "X-SIGNATURE": undefined },
  },
  {
    name: "header malformed",
    answer: "4007301 Invalid Field Format Content-Type",
    headers: { "Content-Type": "text/plain" },
  },
  { name: "reference data", answer: "5037300 Service Unavailable", isStale: true },
  { name: "client", answer: "4017300 Unauthorized. [Unknown client]", partner: { status: "suspended" } },
  {
    name: "certificate",
    answer: "4017300 Unauthorized. [Connection not allowed]",
    partner: { clientCertificates: ["00"] },
  },
  { name: "address", answer: "4017300 Unauthorized. [Connection not allowed]", partner: { addresses: ["192.0.2.1"] } },
  {
    name: "timestamp",
    answer: "4017300 Unauthorized. [Timestamp]",
    headers: { "X-TIMESTAMP": formatTimestamp(Date.now() - 3_600_000) },
  },
  { name: "signature", answer: "4017300 Unauthorized. [Signature]", headers: { "X-SIGNATURE": "x" } },
  { name: "rate", answer: "4297300 Too Many Requests", partner: { rateLimit: { perSecond: 0.01, burst: 0 } } },
  { name: "JSON", answer: "4007300 Bad Request [Not JSON]", body: "grantType=client_credentials" },
  { name: "mandatory", answer: "4007302 Invalid Mandatory Field grantType", body: "{}" },
  { name: "format", answer: "4007301 Invalid Field Format grantType", body: '{"grantType":"password"}' },
];

async function askWith(edge: TestEdge, together: typeof faults) {
  const usual = edge.state.symmetric;
  edge.state.symmetric = Object.assign({ ...usual }, ...together.map(({ partner }) => partner));
  edge.state.isStale = together.some(({ isStale }) => isStale ?? false);
  // The earlier one of two faults in the body is sent.
  const body = together.find((fault) => fault.body !== undefined)?.body;
  const method = together.find((fault) => fault.method !== undefined)?.method;
  const answer = await askToken(edge, {
    ...(body !== undefined && { body }),
    ...(method !== undefined && { method }),
    headers: Object.assign({}, ...together.toReversed().map(({ headers }) => headers)),
  });
  edge.state.symmetric = usual;
  edge.state.isStale = false;
  return `${answer.code} ${answer.message}`;
}

test("every pair of faults is answered by the earlier one", async (t: TestContext) => {
  const edge = await startEdge(t);
  for (const [index, first] of faults.entries()) {
    for (const second of faults.slice(index + 1)) {
      assert.equal(await askWith(edge, [first, second]), first.answer, `${first.name}, ${second.name}`);
    }
    assert.equal(await askWith(edge, [first]), first.answer, first.name);
  }
});

test("a partner in mode 2 may have a token too; a client nobody knows has none", async (t) => {
  const edge = await startEdge(t);
  const timestamp = formatTimestamp(edge.clock.now());
  for (const [clientKey, code] of [
    ["client-P-RSA", "2007300"],
    ["nobody", "4017300"],
  ] as const) {
    const signature = signRsa(privateKey, stringToSign.token(clientKey, timestamp));
    const headers = { "X-TIMESTAMP": timestamp, "X-CLIENT-KEY": clientKey, "X-SIGNATURE": signature };
    assert.equal((await askToken(edge, { headers })).code, code, clientKey);
  }
});

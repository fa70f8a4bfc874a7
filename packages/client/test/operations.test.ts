// Every method of the client against a real HTTP server, which checks what arrived: path, headers, and the signature
// over the raw bytes of the body. Requests and answers are the examples of the contract's table.
import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { after, before, beforeEach, describe, test } from "node:test";
import {
  hashBody,
  headerNames,
  type OperationRow,
  operationRows,
  readHeaders,
  stringToSign,
  verifyHmac,
  verifyRsa,
} from "@titian/contract";
import { type Client, createClient } from "../src/index.ts";
import { callNames } from "../src/names.ts";
import { asymmetric, clientKey, clientSecret, publicKey, symmetric } from "./helpers/credentials.ts";

interface Arrived {
  readonly method: string | undefined;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

const arrivals: Arrived[] = [];
let server: Server;
let baseUrl: string;

const rowAt = (path: string): OperationRow | undefined =>
  operationRows.find((row) => path === `/snap/v1.0/${row.path}`);

async function answerExample(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url: path = "", headers } = request;
  arrivals.push({ method, path, headers, body: await buffer(request) });
  response.end(JSON.stringify(rowAt(path)?.example.response));
}

before(async () => {
  server = createServer((request, response) => void answerExample(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  baseUrl = `http://127.0.0.1:${address.port}`;
});

after(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  arrivals.length = 0;
});

const rows = operationRows.filter((row) => row.direction === "toProvider");
const transactionRows = rows.filter((row) => row.kind !== "token");
const tokenOf73 = rows.find((row) => row.code === "73")?.example.response.accessToken;

/** The call of a row with its example; the generic method spares a type for each. */
const callExample = (client: Client, { name, example }: OperationRow): Promise<unknown> => {
  const method = Object.entries(client).find(([key]) => key === name)?.[1];
  assert.ok(typeof method === "function");
  return method(example.request);
};

test("there is a method for every operation to the provider, and for no other", () => {
  const client = createClient({ ...symmetric, baseUrl });
  const tools = ["call", "prepare", "send", "repeat", "settle", "resume", "getCustomerToken"];
  assert.deepEqual(new Set(Object.keys(client)), new Set([...rows.map((row) => row.name), ...tools]));
  assert.deepEqual(
    callNames,
    rows.map((row) => row.name),
  );
  assert.equal(rows.length, 19);
});

describe("signed with a token (mode 1)", () => {
  for (const row of transactionRows) {
    test(`${row.code} ${row.name}`, async () => {
      const client = createClient({ ...symmetric, baseUrl, pathPrefix: "/snap" });
      const result = await callExample(client, row);

      const arrived = arrivals.at(-1);
      assert.equal(arrivals.length, 2, "one token call, one call");
      assert.ok(arrived);
      assert.equal(arrived.method, "POST");
      assert.equal(arrived.path, `/snap/v1.0/${row.path}`);
      assert.equal(arrived.body.toString(), JSON.stringify(row.example.request));
      const headers = readHeaders("transaction", arrived.headers, { digitsOnlyExternalId: true });
      assert.ok(headers.ok);
      const { timestamp, signature, externalId } = headers.value;
      assert.equal(headers.value.partnerId, symmetric.partnerId);
      assert.equal(headers.value.channelId, symmetric.channelId);
      assert.equal(arrived.headers.authorization, `Bearer ${String(tokenOf73)}`);
      const text = stringToSign.transaction({
        method: "POST",
        path: arrived.path,
        accessToken: String(tokenOf73),
        bodyHash: hashBody(arrived.body),
        timestamp,
      });
      assert.ok(verifyHmac(clientSecret, text, signature), "the signature verifies over the bytes that arrived");
      assert.deepEqual(result, {
        ...row.example.response,
        operation: row.name,
        externalId,
        case: "success",
        httpStatus: 200,
      });
    });
  }
});

describe("signed with the private key (mode 2)", () => {
  for (const row of transactionRows) {
    test(`${row.code} ${row.name}`, async () => {
      await callExample(createClient({ ...asymmetric, baseUrl, pathPrefix: "/snap" }), row);
      const [arrived, ...more] = arrivals;
      assert.ok(arrived);
      assert.equal(more.length, 0, "no token call");
      assert.equal(arrived.headers.authorization, undefined);
      const headers = readHeaders("transaction", arrived.headers);
      assert.ok(headers.ok);
      const { timestamp, signature } = headers.value;
      const { path, body } = arrived;
      const text = stringToSign.transaction({ method: "POST", path, bodyHash: hashBody(body), timestamp });
      assert.ok(verifyRsa(publicKey, text, signature));
    });
  }
});

for (const row of rows.filter(({ kind }) => kind === "token")) {
  test(`${row.code} ${row.name} is signed with the client key`, async () => {
    const result = await callExample(createClient({ ...symmetric, baseUrl, pathPrefix: "/snap" }), row);
    const [arrived] = arrivals;
    assert.ok(arrived);
    assert.equal(arrived.path, `/snap/v1.0/${row.path}`);
    const headers = readHeaders("token", arrived.headers);
    assert.ok(headers.ok);
    assert.equal(headers.value.clientKey, clientKey);
    assert.ok(verifyRsa(publicKey, stringToSign.token(clientKey, headers.value.timestamp), headers.value.signature));
    for (const name of [headerNames.externalId, headerNames.partnerId, headerNames.authorization]) {
      assert.equal(arrived.headers[name.toLowerCase()], undefined);
    }
    assert.deepEqual(result, {
      ...row.example.response,
      operation: row.name,
      case: "success",
      httpStatus: 200,
    });
  });
}

test("no field of an result has the name of a fact the client puts beside it", () => {
  for (const row of rows) {
    for (const name of ["operation", "externalId", "case", "httpStatus", "raw"]) {
      assert.ok(!(name in row.response), `${row.name}.${name}`);
    }
  }
});

/** Goal: every control call rejects what its row does not know, by name, and shows nothing without the token. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { fits, type ObjectSchema } from "@titian/contract";
import type { AnyCall } from "@titian/control";
import { controlRows, type Members, pathOf, rightInput } from "../support/control-rows.ts";
import { useDatabase } from "../support/database/database.ts";
import { startControl } from "../support/start-control.ts";

const database = await useDatabase();
const control = await startControl(database.url);
after(async () => {
  await control.close();
  await database.drop();
});

/** For the one call that pages of the console make without a token. */
const ofPage = { "x-titian-console": "1" };

async function rejectionOf(row: AnyCall, query: string, body?: unknown): Promise<string> {
  const { status, body: answer } = await control.call(row.method, `${pathOf(row)}${query}`, body, ofPage);
  assert.match(answer.error.message, /\.$/);
  return `${status} ${answer.error.code} ${answer.error.field}`;
}

/** Inputs with one fault each, by the member it is about: left out where it is mandatory, and not of its schema. */
function wrongInputs(schema: ObjectSchema, values: readonly unknown[]): readonly (readonly [string, Members])[] {
  const right = rightInput(schema);
  const missing = schema.required.map((name) => {
    const { [name]: _, ...others } = right;
    return [name, others] as const;
  });
  const unfit = Object.entries(schema.properties).flatMap(([name, member]) => {
    const wrong = values.find((value) => !fits(member, value));
    return wrong === undefined ? [] : [[name, { ...right, [name]: wrong }] as const];
  });
  return [...missing, ...unfit];
}

test("each call has a name, a route and an operation id of its own", () => {
  for (const key of [({ name }: AnyCall) => name, ({ route }: AnyCall) => route]) {
    assert.equal(new Set(controlRows.map(key)).size, controlRows.length);
  }
});

for (const row of controlRows) {
  const { name, method, query, body } = row;
  test(`${name}: another method is an unknown call, and nothing is shown without the token`, async () => {
    const path = pathOf(row);
    const known = controlRows.filter((one) => one.path === row.path).map((one) => String(one.method));
    const other = ["PUT", "DELETE"].find((one) => !known.includes(one)) ?? "";
    const unknown = await control.call(other, path);
    assert.deepEqual([unknown.status, unknown.body.error.code], [404, "unknownCall"]);
    if (name === "session open") return;
    const { status, body: answer } = await control.call(method, path, undefined, { authorization: "Bearer none" });
    assert.deepEqual([status, answer.error.code], [401, "unauthorized"]);
  });

  test(`${name}: what its query does not know, or knows otherwise, is named`, async () => {
    const sent = method === "GET" ? undefined : rightInput(body);
    assert.equal(await rejectionOf(row, "?colour=red", sent), "400 invalidField colour");
    for (const [member, wrong] of wrongInputs(query, ["\u0000"])) {
      const given = new URLSearchParams(wrong as Record<string, string>).toString();
      assert.equal(await rejectionOf(row, `?${given}`, sent), `400 invalidField ${member}`);
    }
  });

  if (method === "GET") continue;
  test(`${name}: what its body does not know, or knows otherwise, is named`, async () => {
    assert.equal(await rejectionOf(row, "", { colour: "red" }), "400 invalidField colour");
    assert.equal(await rejectionOf(row, "", "{"), "400 invalidJson undefined");
    assert.equal(await rejectionOf(row, "", "[]"), "400 invalidJson undefined");
    for (const [member, sent] of wrongInputs(body, [{}, "\u0000", true])) {
      assert.equal(await rejectionOf(row, "", sent), `400 invalidField ${member}`);
    }
  });
}

test("a call that needs nothing answers by its row", async () => {
  const free = controlRows.filter(
    ({ method, path, query }) => method === "GET" && !path.includes("{") && query.required.length === 0,
  );
  // `call` compares each response; a stream has no end.
  for (const row of free) {
    if (row.answer !== undefined) assert.equal((await control.call("GET", row.path)).status, 200, row.name);
  }
});

interface Described {
  readonly "x-access": string;
  readonly "x-role": string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: { readonly 200: { readonly content?: Content } };
}

interface Content {
  readonly "application/json": { readonly schema: unknown };
}

test("the document has every call, with what it is sent and answers", async () => {
  const response = await fetch(`${control.baseUrl}/sandbox/openapi.json`);
  const { paths } = (await response.json()) as { readonly paths: Record<string, Record<string, Described>> };
  for (const { method, path, access, role, query, body, answer } of controlRows) {
    const described = paths[`/sandbox${path}`]?.[method.toLowerCase()];
    assert.ok(described, `${method} ${path}`);
    assert.deepEqual([described["x-access"], described["x-role"]], [access, role]);
    const inQuery = Object.keys(query.properties).map((name) => `query ${name} ${query.required.includes(name)}`);
    const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => `path ${name} true`);
    const parameters = described.parameters?.map(({ name, in: place, required }) => `${place} ${name} ${required}`);
    assert.deepEqual(parameters ?? [], [...inQuery, ...inPath]);
    assert.deepEqual(described.requestBody?.content["application/json"].schema, method === "GET" ? undefined : body);
    assert.deepEqual(described.responses[200].content?.["application/json"].schema, answer);
  }
  assert.equal(Object.values(paths).flatMap(Object.keys).length, controlRows.length);
});

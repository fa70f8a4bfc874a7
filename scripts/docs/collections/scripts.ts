/** Scripts of the collections. They need no cryptography: the sandbox signs. */
import { operations } from "./operation-calls.ts";

const names = Object.fromEntries(operations.map(({ path, name }) => [path, name]));

/** Shared by both tools: the operation of an address, and the sample's values by their places. */
const shared = `const operations = ${JSON.stringify(names, undefined, 2)};
const operationOf = (url) => operations[Object.keys(operations).find((path) => url.endsWith("/" + path))];
`;

const signing = `const flatten = (value, place = "") =>
  Object.entries(value).flatMap(([name, member]) =>
    member !== null && typeof member === "object" ? flatten(member, place + name + "_") : [[place + name, member]],
  );
`;

const needs = "`Send ${sample.needs.operation} first.`";

export const postmanBefore = `${shared}${signing}
const operation = operationOf(pm.request.url.getPath());
const partnerId = pm.variables.get("partnerId");

function ask(method, path, body, use) {
  const url = pm.variables.replaceIn("{{baseUrl}}/sandbox") + path;
  const header = { Authorization: "Bearer " + pm.variables.get("controlToken"), "Content-Type": "application/json" };
  const sent = body && { mode: "raw", raw: JSON.stringify(body) };
  pm.sendRequest({ url, method, header, body: sent }, (error, response) => {
    if (error) throw error;
    if (response.code !== 200) throw new Error(method + " " + url + ": " + response.text());
    use(response.json());
  });
}

function sign() {
  const body = pm.variables.replaceIn(pm.request.body.raw);
  const given = { externalId: pm.variables.get("externalId"), customerToken: pm.variables.get("customerToken") };
  ask("POST", "/sign", { partnerId, operation, body, ...given }, ({ headers }) => {
    for (const [key, value] of Object.entries(headers)) pm.request.headers.upsert({ key, value });
  });
}

if (/\\{\\{\\w+\\}\\}/.test(pm.request.body.raw)) {
  ask("GET", "/operations/" + operation + "/sample?partnerId=" + partnerId, undefined, (sample) => {
    if (sample.needs) throw new Error(${needs});
    for (const [place, value] of flatten(sample.body)) pm.variables.set(place, String(value));
    sign();
  });
} else sign();
`;

export const postmanAfter = `${shared}
const answer = pm.response.json();
pm.test("succeeds", () => pm.expect(answer.responseCode, JSON.stringify(answer)).to.match(/^20[02]\\d\\d00$/));
pm.collectionVariables.set(operationOf(pm.request.url.getPath()), answer.bulkId || answer.referenceNo || "");
pm.collectionVariables.set("correlationId", pm.response.headers.get("X-CORRELATION-ID"));
`;

export const postmanAfterControl = `const answer = pm.response.text();
// A call that another one has made impossible, such as declining what is approved, is answered 409.
pm.test("is carried out", () => pm.expect([200, 201, 409], answer).to.include(pm.response.code));
`;

export const brunoBefore = `${shared}${signing}
const operation = operationOf(req.getUrl());
const partnerId = bru.interpolate("{{partnerId}}");

async function ask(method, path, data) {
  const headers = { Authorization: "Bearer " + bru.interpolate("{{controlToken}}"), "Content-Type": "application/json" };
  const url = bru.interpolate("{{baseUrl}}/sandbox") + path;
  const response = await bru.sendRequest({ method, url, headers, data, responseType: "json" });
  return response.data;
}

const raw = req.getBody({ raw: true });
if (/\\{\\{\\w+\\}\\}/.test(raw)) {
  const sample = await ask("GET", "/operations/" + operation + "/sample?partnerId=" + partnerId);
  if (sample.needs) throw new Error(${needs});
  for (const [place, value] of flatten(sample.body)) bru.setVar(place, String(value));
}
const given = { externalId: bru.getEnvVar("externalId"), customerToken: bru.getEnvVar("customerToken") };
const body = bru.interpolate(raw);
const signed = await ask("POST", "/sign", { partnerId, operation, body, ...given });
for (const [name, value] of Object.entries(signed.headers)) req.setHeader(name, value);
req.setBody(signed.body);
`;

export const brunoAfter = `${shared}
const answer = res.getBody();
bru.setVar(operationOf(req.getUrl()), answer.bulkId || answer.referenceNo || "");
bru.setVar("correlationId", res.getHeader("x-correlation-id"));
test("succeeds", () => expect(answer.responseCode, JSON.stringify(answer)).to.match(/^20[02]\\d\\d00$/));
`;

export const brunoAfterControl = `// A call that another one has made impossible, such as declining what is approved, is answered 409.
test("is carried out", () => expect([200, 201, 409], JSON.stringify(res.getBody())).to.include(res.getStatus()));
`;

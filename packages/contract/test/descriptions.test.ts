// Goal: every field and header has a description of one line, and the document shows it. Method: the members of every
// schema, the parameters and the headers of the OpenAPI document.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createOpenApi, type Fields, fieldDescriptions, operationRows } from "@titian/contract";

const document = createOpenApi({ pathPrefix: "", version: "v1.0" });

/** The members of every schema, and every header, by their path in the document. */
function describedIn(value: unknown, path = ""): readonly (readonly [string, unknown])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const own = ["properties", "parameters"].includes(key) || path === "/components" ? key : undefined;
    const members = own === undefined ? [] : Object.entries(part as object);
    return [
      ...members.map(([name, member]) => [`${path}/${key}/${name}`, member] as const),
      ...describedIn(part, `${path}/${key}`),
    ];
  });
}

test("every member of every schema and every header is described", () => {
  const parts = describedIn(document).filter(([path]) => !/^\/components\/schemas\/\w+$/.test(path));
  assert.ok(parts.length > 500);
  for (const [path, part] of parts) {
    const { description = "", $ref } = part as { readonly description?: string; readonly $ref?: string };
    if ($ref !== "#/components/schemas/Currency") assert.match(description, /^[A-Z].*\.$/, path);
  }
});

test("a description is one line, and of a field that there is", () => {
  const names = new Set<string>();
  const collect = (fields: Fields): void => {
    for (const [name, { type }] of Object.entries(fields)) {
      names.add(name);
      if (type.kind === "list") collect(type.entry);
      if (type.kind === "any" && type.members !== undefined) collect(type.members);
    }
  };
  for (const { request, response } of operationRows) for (const part of [request, response]) collect(part);
  assert.deepEqual(Object.keys(fieldDescriptions), [...names].sort());
  for (const [name, text] of Object.entries(fieldDescriptions)) assert.match(text, /^[A-Z][^\n]{5,140}\.$/, name);
});

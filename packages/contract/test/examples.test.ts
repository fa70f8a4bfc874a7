// Goal: what the documentation shows is what the readers accept.
import assert from "node:assert/strict";
import { test } from "node:test";
import { operationRows, readJson, readRequest, readResponse } from "@titian/contract";

for (const row of operationRows) {
  test(`the example of ${row.code} ${row.name} is read as it stands`, () => {
    const bytes = Buffer.from(JSON.stringify(row.example.request));
    const json = readJson(bytes, row);
    assert.ok(json.ok);
    assert.deepEqual(readRequest(row, json.value), { ok: true, value: row.example.request });
    const response = readResponse(row, JSON.parse(JSON.stringify(row.example.response)));
    assert.deepEqual(response, { ok: true, success: true, value: row.example.response });
  });
}

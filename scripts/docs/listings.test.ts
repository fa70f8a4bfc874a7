/** Goal: what a document claims to list completely is compared with the sources, and what is missing is named. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  adrLinks,
  adrNumbers,
  checkListing,
  commandsIn,
  eventsIn,
  metricsIn,
  ruleHeadings,
  settingsIn,
  vectorValues,
} from "./listings.ts";

const page = (text: string) => ({ path: "docs/a.md", lines: text.split("\n") });

test("what a document does not name is missing, and so is a document", () => {
  const listing = { path: "docs/a.md", names: ["one", "two"], what: "the thing" };
  assert.deepEqual(checkListing({ ...listing, document: page("one and two") }), []);
  assert.deepEqual(
    checkListing({ ...listing, document: page("one") }).map(({ message }) => message),
    ["the thing two is missing"],
  );
  assert.equal(checkListing({ ...listing, document: undefined }).length, 1);
});

test("names are found in the sources that make them", () => {
  assert.deepEqual(settingsIn("  PORT: integer({\n    minimum: 0,\n  TITIAN_DATA_DIR: string({"), [
    "| `PORT` |",
    "| `TITIAN_DATA_DIR` |",
  ]);
  const metric = 'const depth = { name: "titian_queue_depth", help: "" };';
  assert.deepEqual(metricsIn([metric, metric]), ["| `titian_queue_depth` |"]);
  assert.deepEqual(eventsIn('type LogEvent =\n  | "job.failed"\n  | "rail.call_failed";'), [
    "`job.failed`",
    "`rail.call_failed`",
  ]);
  assert.deepEqual(commandsIn(['program\n    .command("audit")', 'bulk.command("send")']), ["| `titian audit"]);
});

test("every rule of the specification has a heading and every ADR a row", () => {
  assert.deepEqual(ruleHeadings(2), ["\n## D1 ", "\n## D2 "]);
  assert.deepEqual(adrLinks([page(""), { path: "docs/adr/0001-a.md", lines: [] }]), ["](0001-a.md)"]);
  assert.deepEqual(adrNumbers([page(""), { path: "docs/adr/0002-b.md", lines: [] }]), ["0001 ", "0002 "]);
});

test("a vector's values are those its test verifies", () => {
  const vectors = {
    generated: { vectors: [{ id: "G1", stringToSign: "a|b", signatureBase64: "AA==" }, { id: "G2" }] },
  };
  assert.deepEqual(vectorValues(vectors, ["G1"]), ["a|b", "AA=="]);
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

test("the quick start of the README is the program that is type-checked here", () => {
  const [, quickStart] = /```ts\n(.*?)```/s.exec(read("../../README.md")) ?? [];
  assert.equal(quickStart, read("quick-start.ts"));
});

test("the checkout of the README is the example that is killed at every moment", () => {
  const [, section = ""] = read("../../README.md").split("## Settling\n");
  const [, program] = /```ts\n(.*?)```/s.exec(section) ?? [];
  assert.equal(program, read("../../../../examples/attempts/check-out.ts"));
});

test("the authorized payment of the README is the program that is type-checked and run here", () => {
  const [, section = ""] = read("../../README.md").split("## Authorized payments\n");
  const [, program] = /```ts\n(.*?)```/s.exec(section) ?? [];
  assert.equal(program, read("charge-stay.ts"));
});

test("the interbank transfer of the README is the program that is type-checked and run here", () => {
  const [, section = ""] = read("../../README.md").split("## Interbank transfers\n");
  const [, program] = /```ts\n(.*?)```/s.exec(section) ?? [];
  assert.equal(program, read("pay-other-bank.ts"));
});

test("the payments in bulk of the README are the program that is type-checked and run here", () => {
  const [, section = ""] = read("../../README.md").split("## Payments in bulk\n");
  const [, program] = /```ts\n(.*?)```/s.exec(section) ?? [];
  assert.equal(program, read("pay-salaries.ts"));
});

test("the receiver of the README is the program that is type-checked here", () => {
  const [, section = ""] = read("../../README.md").split("## Receiving notifications\n");
  const [, program] = /```ts\n(.*?)```/s.exec(section) ?? [];
  assert.equal(program, read("start-receiver.ts"));
});

test("every error code and option named in the README exists", () => {
  const sources = [
    "errors/errors",
    "bulks/bulk-rejected-error",
    "settling/second-attempt-error",
    "options",
    "exchange/call-options",
    "client",
  ]
    .map((name) => read(`../../src/${name}.ts`))
    .join("");
  const readme = read("../../README.md");
  for (const [, code = ""] of readme.matchAll(/`(ERR_[A-Z_]+)`/g)) assert.ok(sources.includes(`"${code}"`), code);
  const [, options = ""] = readme.split("## Options");
  for (const [, name = ""] of options.matchAll(/^\| `\[?(\w+)/gm)) assert.ok(sources.includes(name), name);
  const [, receiver = ""] = readme.split("## Receiving notifications");
  const receiverSources = ["create-receiver", "endpoint-options", "notification-routes"]
    .map((name) => read(`../../src/receiver/${name}.ts`))
    .join("");
  const [table = ""] = receiver.split("## Options");
  for (const [, names = ""] of table.matchAll(/^\| (`\w+`(?:, `\w+`)*) \|/gm)) {
    for (const [, name = ""] of names.matchAll(/`(\w+)`/g))
      assert.match(receiverSources, new RegExp(`readonly ${name}\\b`));
  }
});

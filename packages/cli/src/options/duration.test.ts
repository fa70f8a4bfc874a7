import assert from "node:assert/strict";
import { test } from "node:test";
import { CliError } from "../cli-error.ts";
import { readDuration, showDuration } from "./duration.ts";

test("a duration is shown in the largest unit that gives a whole number", () => {
  const rows: readonly (readonly [string, number, string])[] = [
    ["7d", 604_800, "7d"],
    ["36h", 129_600, "36h"],
    ["48h", 172_800, "2d"],
    ["60m", 3_600, "1h"],
    ["60s", 60, "1m"],
    ["90s", 90, "90s"],
  ];
  for (const [text, seconds, shown] of rows) {
    assert.equal(readDuration("--hold-for", text), seconds);
    assert.equal(showDuration(seconds), shown);
  }
});

test("an invalid duration is a usage error that names the option", () => {
  for (const text of ["", "7", "d", "1.5d", "-1d", "7 d", "7D", "1w", "9999999999s"]) {
    assert.throws(
      () => readDuration("--hold-for", text),
      (error) => error instanceof CliError && error.exitCode === 2 && error.message.startsWith(`--hold-for ${text} is`),
    );
  }
});

/** Goal: a text whose figure is not that of its owner is a drift, and a figure without an owner stops the check. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkFigures, numberBehind, numberSettingsIn, settingFigures } from "./figure.ts";

const source = `
const holdMs = 7 * 24 * 3_600_000;
const limits = { requests: 4_096, jobs: 1_024 };
const settings = { lock_timeout: "250" };
`;
const config = `
  PORT: whole(0, 65_535, 8080, "a port number"),
  TITIAN_DELAY_SECONDS: optional(range(0, 60, "seconds")),
  TITIAN_WORKERS: whole(1, 64, 1, "a number"),
`;

test("the number or product behind a text of a source", () => {
  assert.equal(numberBehind(source, "const holdMs = "), 604_800_000);
  assert.equal(numberBehind(source, ", jobs: "), 1_024);
  assert.equal(numberBehind(source, 'lock_timeout: "'), 250);
});

test("a constant that was renamed, or is no number any more, is named", () => {
  assert.throws(() => numberBehind(source, "const waitMs = "), /no number stands behind "const waitMs = "/);
  assert.throws(() => numberBehind(source, "const limits = "), /no number stands behind/);
});

test("a sentence with today's figures, over the end of a line and with separators of thousands", () => {
  const figure = { path: "docs/a.md", says: "at most {} rows, {} ms each", figures: [4_000, 250] };
  assert.deepEqual(
    checkFigures([figure], () => "It takes at most\n4,000 rows, 250 ms each."),
    [],
  );
  assert.deepEqual(
    checkFigures([figure], () => "at most 4,000 rows, 200 ms each"),
    [{ path: "docs/a.md", line: 1, message: 'it does not say "at most 4000 rows, 250 ms each"' }],
  );
});

test("a figure is no part of a longer number", () => {
  const figure = { path: "docs/a.md", says: "{} s at most, of {}", figures: [30, 4] };
  const isNamed = (text: string) => assert.equal(checkFigures([figure], () => text).length, 1);
  isNamed("130 s at most, of 4");
  isNamed("30 s at most, of 40");
  assert.deepEqual(
    checkFigures([figure], () => "130 s at most, of 4; 30 s at most, of 4."),
    [],
  );
});

test("a sentence with more places than figures is a fault of the table", () => {
  assert.throws(() => checkFigures([{ path: "a", says: "{} of {}", figures: [1] }], () => ""), /as many places/);
});

test("the table of settings has the range and the default of each number", () => {
  const figures = settingFigures("docs/s.md", numberSettingsIn(config));
  const rows =
    "| `PORT` | 0 to 65,535 | 8080 |\n| `TITIAN_DELAY_SECONDS` | 0 to 60 | 5 |\n| `TITIAN_WORKERS` | 1 to 32 | 1 |";
  assert.deepEqual(
    checkFigures(figures, () => rows).map(({ message }) => message),
    ['it does not say "| `TITIAN_WORKERS` | 1 to 64 | 1 |"'],
  );
});

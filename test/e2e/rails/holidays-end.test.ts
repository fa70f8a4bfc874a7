/** A calendar of holidays that ends soon: what an operator sees of it, in the log of a start and in the figures. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { request } from "undici";
import { eventually } from "../../support/black-box/answers.ts";
import { startSandbox } from "../../support/black-box/start-sandbox.ts";

const dayMs = 86_400_000;
const jakartaMs = 7 * 3_600_000;
/** Nobody moves the clock back: a time ahead of whenever the tests run. */
const start = new Date(Date.now() + 10 * dayMs + jakartaMs).toISOString().slice(0, 10);
const dateIn = (days: number) => new Date(Date.parse(start) + days * dayMs).toISOString().slice(0, 10);

const directory = mkdtempSync(join(tmpdir(), "titian-holidays-end-"));
after(() => rmSync(directory, { recursive: true }));
const path = join(directory, "holidays.json");
writeFileSync(path, JSON.stringify([{ date: dateIn(100), name: "The last one" }]));
const env = { TITIAN_HOLIDAYS_FILE: path };

const sandbox = await startSandbox(env);
after(() => sandbox[Symbol.asyncDispose]());
const startAnother = () => sandbox.startNode(env);
const moveTo = (day: string) => sandbox.control.call("POST", "clock", { set: `${day}T10:00:00+07:00` });

/** The page of metrics may be a second old. */
async function untilDaysLeft(baseUrl: string, days: number): Promise<void> {
  await eventually(async () => {
    const { body } = await request(`${baseUrl}/metrics`);
    return (await body.text()).includes(`\ntitian_holiday_calendar_days_remaining ${days}\n`);
  });
}

/** The messages of the log lines that warn of holidays. */
function warningsOf(output: string): readonly unknown[] {
  return output
    .split("\n")
    .filter((line) => line.startsWith("{") && line.includes('"event":"holiday_calendar.ending"'))
    .map((line) => JSON.parse(line))
    .map(({ level, msg }) => ({ level, msg }));
}

test("the figure follows business time, and a start warns once when less than 60 days are left", async () => {
  await moveTo(dateIn(40));
  await untilDaysLeft(sandbox.file.baseUrl, 60);
  {
    await using early = await startAnother();
    assert.deepEqual(warningsOf(early.output()), []);
  }
  await moveTo(dateIn(41));
  await untilDaysLeft(sandbox.file.baseUrl, 59);
  await using late = await startAnother();
  await untilDaysLeft(late.baseUrl, 59);
  const [warning, ...more] = warningsOf(late.output()) as readonly { readonly level: number; readonly msg: string }[];
  assert.deepEqual(more, []);
  assert.equal(warning?.level, 40);
  assert.match(warning.msg, new RegExp(`^The last holiday known is on ${dateIn(100)}, in 59 days: .*: ${path}\\.$`));
  await moveTo(dateIn(101));
  await untilDaysLeft(sandbox.file.baseUrl, 0);
  // It started with 110 days ahead, and the figure says the rest.
  assert.deepEqual(warningsOf(sandbox.service.output()), []);
});

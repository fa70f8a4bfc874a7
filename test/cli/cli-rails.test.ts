/** `titian rails check`, and what a service makes of files that it cannot use. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { createClock, momentOf } from "../../packages/server/src/basics/clock.ts";
import { createAdminPool } from "../../packages/server/src/store/postgres/connect.ts";
import {
  keepSetAside,
  type SetAsideResult,
} from "../../packages/server/src/store/tables/rail-records/set-aside-results.ts";
import { setLineAside } from "../../packages/server/src/store/tables/rail-records/rail-result-files.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { useDatabase } from "../support/database/database.ts";

const directory = mkdtempSync(join(tmpdir(), "titian-cli-rails-"));
after(() => rmSync(directory, { recursive: true }));

function write(name: string, content: unknown): string {
  const path = join(directory, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const shown = `\
rail       currency         minimum           maximum        fee      shared fee  operating hours
---------  --------  --------------  ----------------  ---------  --------------  ---------------------------
interbank  IDR                 1.00    250,000,000.00   2,500.00  up to 1,000.00  always
rtgs       IDR       100,000,000.01          no limit  25,000.00  up to 1,000.00  working days 06:30 to 16:30
skn        IDR                 1.00  1,000,000,000.00   2,900.00  up to 1,000.00  working days 06:30 to 16:30

skn settles at 08:00, 09:00, 10:00, 11:00, 12:00, 13:00, 14:00, 15:00, 16:45
Holidays: 68, from 2026-01-01 to 2028-12-25
Banks: 80; own bank code 999
`;

describe("titian rails check", { concurrency: 2 }, () => {
  test("shows the data of this release", async () => {
    const { exitCode, stdout, stderr } = await runCli(["rails", "check"]);
    assert.equal(exitCode, 0, stderr);
    assert.equal(stdout, shown);
    assert.equal(stderr.split("\n")[0], "rails: files of this release");
  });

  test("shows the files of the operator, and the own bank code", async () => {
    const env = {
      TITIAN_BANKS_FILE: write("banks.json", [{ code: "014", bic: "CENAIDJA", name: "BCA" }]),
      TITIAN_HOLIDAYS_FILE: write("holidays.json", []),
      TITIAN_BANK_CODE: "014",
    };
    const { exitCode, stdout, stderr } = await runCli(["rails", "check"], { env });
    assert.equal(exitCode, 0, stderr);
    assert.match(stdout, /\nHolidays: 0\nBanks: 1; own bank code 014\n$/);
    assert.match(stderr, new RegExp(`^banks: ${env.TITIAN_BANKS_FILE}$`, "m"));
    assert.match(stderr, new RegExp(`\nNo holiday is known: .* Read now: ${env.TITIAN_HOLIDAYS_FILE}\\.\n$`));
  });

  test("warns of holidays that end soon, and not of those that reach further", async () => {
    const dateIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    for (const [days, expected] of [
      [30, 1],
      [90, 0],
    ] as const) {
      const date = dateIn(days);
      const env = { TITIAN_HOLIDAYS_FILE: write(`in-${days}.json`, [{ date, name: "The last one" }]) };
      const { exitCode, stdout, stderr } = await runCli(["rails", "check"], { env });
      assert.equal(exitCode, 0, stderr);
      assert.match(stdout, new RegExp(`\nHolidays: 1, from ${date} to ${date}\n`));
      assert.equal(stderr.split(`The last holiday known is on ${date}, in `).length - 1, expected, stderr);
    }
  });
});

test("results that were set aside are listed until an operator has seen to them, and lines of result files", async () => {
  await using database = await useDatabase();
  const env = { DATABASE_URL: database.url, TITIAN_MASTER_KEY: randomBytes(32).toString("base64") };
  const kept = {
    rail: "skn",
    referenceNo: "01M7Z8RFFEE00SNE7YAN8SN9KR",
    reason: "unknown",
    traceNo: "SK004711",
  } as const;
  const pool = createAdminPool(database.url, 1);
  const keep = (result: SetAsideResult) => keepSetAside(pool, result, undefined, momentOf(createClock()));
  const isNew: unknown[] = [];
  for (const [index, state] of ["settled", "returned", "settled"].entries())
    isNew.push((await keep({ ...kept, state, at: index * 1_000 }))?.isNew);
  const [first, second] = ["a", "b"].map((file) => ({
    file: `${file}.jsonl`,
    line: 7,
    fault: "it is no JSON",
    text: "x".repeat(2_000),
  }));
  for (const [index, line] of [first, second].entries())
    if (line) await setLineAside(pool, "rtgs", line, index * 1_000);
  await pool.end();
  assert.deepEqual(isNew, [true, true, false]);
  const listed = async () => JSON.parse((await runCli(["rails", "set-aside", "--json"], { env })).stdout);
  const list = async () => ((await listed()).results as { at: string }[]).map(({ at: _, ...result }) => result);
  assert.deepEqual((await listed()).lines, [
    { ...second, rail: "rtgs", text: "x".repeat(1_000), at: "1970-01-01T07:00:01+07:00" },
    { ...first, rail: "rtgs", text: "x".repeat(1_000), at: "1970-01-01T07:00:00+07:00" },
  ]);
  assert.deepEqual(await list(), [
    { ...kept, state: "settled" },
    { ...kept, state: "returned" },
  ]);
  assert.match(
    (await runCli(["rails", "set-aside"], { env })).stdout,
    /skn +01M7Z8RFFEE00SNE7YAN8SN9KR +settled +unknown[^]*\nb\.jsonl +7 +rtgs +it is no JSON +x{60}… /,
  );
  const close = () => runCli(["rails", "close-set-aside", "skn", kept.referenceNo, "settled"], { env });
  assert.equal((await close()).stdout, `Closed: settled of ${kept.referenceNo}.\n`);
  assert.equal((await close()).exitCode, 1);
  assert.deepEqual(await list(), [{ ...kept, state: "returned" }]);
});

test("invalid data stops the check and the service with exit code 2, before the database is created", async () => {
  const banks = write("faulty.json", [{ code: "14", bic: "CENAIDJA", name: "BCA" }]);
  const dataDir = join(directory, "data");
  const env = { TITIAN_BANKS_FILE: banks, TITIAN_DATA_DIR: dataDir, PORT: "0", HOME: directory };
  for (const command of [["rails", "check"], ["serve"]]) {
    const { exitCode, stderr } = await runCli(command, { env });
    assert.equal(exitCode, 2, stderr);
    assert.equal(
      stderr,
      `The data of the rails cannot be used:
  - ${banks}, [0].code: must be three digits, not "14"
Correct the files, or set others in TITIAN_RAILS_FILE, TITIAN_HOLIDAYS_FILE and TITIAN_BANKS_FILE, and start again.
\`titian rails check\` validates them without starting the service.
`,
    );
  }
  assert.ok(!readdirSync(dataDir).includes("postgres.json"));
});

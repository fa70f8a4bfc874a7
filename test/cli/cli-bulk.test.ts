/** `titian bulk send` against a running sandbox: files of payments, paid once, followed to the result of each. */
import assert from "node:assert/strict";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startCliFixture } from "../support/cli/cli-fixture.ts";
import { spawnCli } from "../support/cli/run-cli.ts";

let cli: Awaited<ReturnType<typeof startCliFixture>>;
before(async () => {
  cli = await startCliFixture();
});
after(() => cli[Symbol.asyncDispose]());

const header = "beneficiaryAccountName;bankCode;beneficiaryAccountNo;amount";
const row = (account: string, amount = "10000.00") => `Siti;014;${account};${amount}`;

function write(name: string, lines: readonly string[]): string {
  const path = join(cli.dataDir, name);
  writeFileSync(path, `\ufeff${lines.join("\r\n")}\r\n`);
  return path;
}
const balanceOf = async (account: string) => (await cli.control.account(account)).ledgerBalance;

test("a file is paid once: all its lines settle, and the same command again pays nothing", async () => {
  const payer = await cli.newPayer();
  const file = write("salaries.csv", [header, ...[1, 2, 3, 4, 5].map((last) => row(`770000000${last}`))]);
  const line = `bulk send ${file} --source ${payer} --bulk-size 2`;
  const dry = await cli.run(`${line} --dry-run`);
  assert.equal(dry.exitCode, 0, dry.stderr);
  assert.match(dry.stdout, /\nsalaries-B3 +1 +10,000\.00 IDR +salaries-000005 +salaries-000005 +\d{32}\n$/);
  const declined = await cli.run(line, "n\n");
  assert.equal(declined.exitCode, 1);
  assert.match(
    declined.stderr,
    /salaries: 5 payments in 3 bulks, 50000\.00 IDR without fees, from \d+ as alpha\. Pay them\?/,
  );
  assert.equal(await balanceOf(payer), "1000000.00");

  const paid = await cli.run(line, "y\n");
  assert.equal(paid.exitCode, 0, paid.stderr);
  assert.match(paid.stdout, /^salaries: 5 payments, salaries-B1 \w{26}, salaries-B2 \w{26}, salaries-B3 \w{26}\n/);
  assert.match(paid.stdout, /\nsettled +5 +50,000\.00 IDR\n.*fees 12,500\.00 IDR\n/s);
  assert.equal(await balanceOf(payer), "937500.00");
  const again = await cli.run(`${line} --yes --json`);
  assert.equal(again.exitCode, 0, again.stderr);
  const { isRepeat, counts } = JSON.parse(again.stdout);
  assert.deepEqual([isRepeat, counts], [true, { settled: 5, rejected: 0, returned: 0, open: 0 }]);
  assert.equal(await balanceOf(payer), "937500.00");
});

test("rejected payments are shown with their lines, and written to be paid again under new numbers", async () => {
  const payer = await cli.newPayer();
  const bad = cli.scenario("rejected");
  const file = write("mixed.csv", [header, row("7700000001"), row(bad, "20000"), row("7700000003")]);
  const [results, retry] = [join(cli.dataDir, "results.csv"), join(cli.dataDir, "mixed-R2.csv")];
  const paid = await cli.run(`bulk send ${file} --source ${payer} --yes --results ${results} --retry ${retry}`);
  assert.equal(paid.exitCode, 4, paid.stderr);
  assert.match(paid.stdout, /\nrejected +1 +20,000\.00 IDR\n/);
  assert.match(paid.stdout, new RegExp(`\\n3 +mixed-000002 +${bad} Siti +20,000 +rejected +\\S`));
  assert.equal(await balanceOf(payer), "975000.00");
  const written = readFileSync(results, "utf8").split("\n");
  assert.match(written[1] ?? "", /^2;mixed-000001;014;7700000001;Siti;10000\.00;IDR;settled;/);
  assert.match(
    written[2] ?? "",
    new RegExp(`^3;mixed-000002;014;${bad};Siti;20000;IDR;rejected;\\d{7};\\S.*;\\w{26}$`),
  );

  writeFileSync(retry, readFileSync(retry, "utf8").replace(bad, "7700000002"));
  const second = await cli.run(`bulk send ${retry} --source ${payer} --yes`);
  assert.equal(second.exitCode, 0, second.stderr);
  assert.equal(await balanceOf(payer), "952500.00");
});

test("names that a spreadsheet would compute are text in what is written, and are paid again as they were", async () => {
  const payer = await cli.newPayer();
  const bad = cli.scenario("rejected");
  const name = '=HYPERLINK("http://example.com")';
  const file = write("formulas.csv", [header, `"${name.replaceAll('"', '""')}";014;${bad};10000`]);
  const [results, retry] = [join(cli.dataDir, "formulas-results.csv"), join(cli.dataDir, "formulas-R2.csv")];
  const line = `bulk send ${file} --source ${payer} --yes --results ${results} --retry ${retry}`;
  assert.equal((await cli.run(line)).exitCode, 4);
  const quoted = `"'${name.replaceAll('"', '""')}"`;
  for (const path of [results, retry]) assert.ok(readFileSync(path, "utf8").includes(quoted), path);
  // The same command again replaces what it wrote, and nothing else.
  assert.equal((await cli.run(line)).exitCode, 4);
  const dry = await cli.run(`bulk send ${retry} --source ${payer} --dry-run`);
  assert.equal(dry.exitCode, 0, dry.stderr);
  const others = [
    [results.replace(".csv", ".txt"), "notes", /is there, and not from an earlier run/],
    [join(cli.dataDir, "december.csv"), `${header}\n${row("7700000001")}\n`, /is there, and not from an earlier run/],
  ] as const;
  for (const [path, text, says] of others) {
    writeFileSync(path, text);
    for (const option of ["--results", "--retry"]) {
      const refused = await cli.run(`bulk send ${file} --source ${payer} --yes ${option} ${path}`);
      assert.equal(refused.exitCode, 2);
      assert.match(refused.stderr, says);
    }
    assert.equal(readFileSync(path, "utf8"), text);
  }
  const link = join(cli.dataDir, "link.csv");
  symlinkSync(join(cli.dataDir, "december.csv"), link);
  symlinkSync(file, `${link}.list`);
  for (const [path, says] of [
    [link, /no regular file/],
    [`${link}.list`, /is the list itself/],
    [cli.dataDir, /no regular file/],
  ] as const) {
    const refused = await cli.run(`bulk send ${file} --source ${payer} --yes --results ${path}`);
    assert.deepEqual([refused.exitCode, says.test(refused.stderr)], [2, true], refused.stderr);
  }
});

test("a changed list under a used name, and a payment that the bank rejects, are rejected as a whole", async () => {
  const payer = await cli.newPayer();
  const lines = [header, row("7700000001"), row("7700000002")];
  const send = (name: string, more = "") =>
    cli.run(`bulk send ${join(cli.dataDir, name)} --source ${payer} --yes${more}`);
  write("march.csv", lines);
  assert.equal((await send("march.csv", " --no-wait")).exitCode, 0);
  write("march.csv", [...lines, row("7700000003")]);
  const changed = await send("march.csv");
  assert.equal(changed.exitCode, 1);
  assert.match(changed.stderr, /march-B1 was rejected.*\nThe name march was used for another list/);

  write("unknown-bank.csv", [...lines, row("1").replace("014", "997")]);
  const unknown = await send("unknown-bank.csv", " --bulk-size 2");
  assert.equal(unknown.exitCode, 3, "the first bulk is accepted");
  assert.match(unknown.stderr, /unknown-bank-B2 was rejected for line 4, unknown-bank-000003: .*Bank Not Supported/);
  assert.match(
    unknown.stderr,
    /Bulks accepted: 1 of 2.*\nTo continue.*\n +titian bulk send \S+unknown-bank\.csv --source/,
  );
});

test("faulty lines are all named before anything is sent", async () => {
  const file = write("faulty.csv", [header, "Siti;14;1;1,5", "Budi;014;2", "Ayu;014;3;0"]);
  const { exitCode, stderr, stdout } = await cli.run(`bulk send ${file} --source 1001000001 --yes`);
  assert.deepEqual([exitCode, stdout], [2, ""]);
  assert.deepEqual(stderr.trimEnd().split("\n").slice(1), [
    "  line 2: bankCode is malformed: 3 digits, BIC-8 or BIC-11.",
    "  line 2: amount is malformed: up to 16 digits, then up to 2 decimals after a point.",
    "  line 3: has 3 cells where the first line has 4",
    "  line 4: amount is zero",
  ]);
});

test("Ctrl-C ends the waiting, says how to continue, and the same command goes on", async () => {
  const payer = await cli.newPayer();
  const file = write("april.csv", [header, row(cli.scenario("slowSuccess")), row("7700000001")]);
  const line = `bulk send ${file} --source ${payer} --yes`;
  const env = { TITIAN_DATA_DIR: cli.dataDir };
  const stopped = await spawnCli(line.split(" "), { env, interruptAt: "bulks: 1 accepted" });
  assert.equal(stopped.exitCode, 3, stopped.stderr);
  assert.match(
    stopped.stderr,
    new RegExp(`\\nStopped\\.\\nBulks accepted: 1 of 1\\. .*\\nTo continue.*\\n +titian ${line}\\n$`),
  );
  await cli.control.advance(15);
  const continued = await cli.run(line);
  assert.equal(continued.exitCode, 0, continued.stderr);
  assert.match(continued.stderr, /accepted before under this name: nothing new was paid/);
  assert.equal(await balanceOf(payer), "975000.00");
});

// Commands that ask a service work on the cell that --cell names.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { newNumber } from "../support/black-box/caller.ts";
import { startSandbox } from "../support/black-box/start-sandbox.ts";
import { expectCode, transferBody, transferPath } from "../support/black-box/transfers.ts";
import { interbank } from "../support/black-box/rails/rail-services.ts";
import { railBody } from "../support/black-box/rails/rail-transfers.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { useDatabase } from "../support/database/database.ts";
import { proposeByAnother, returned } from "../support/database/proposed-act.ts";
import { withDatabase } from "../support/database/template.ts";
import { controlToken, startControl } from "../support/start-control.ts";

const sandbox = await startSandbox({}, { database: "split" });
after(() => sandbox[Symbol.asyncDispose]());
const { file } = sandbox;
const alpha = sandbox.caller("alpha");
/** The first is in cell 1, the second in home. */
const [ofCell = "", ofHome = ""] = alpha.partner.sourceAccounts;

const ofUrl = { TITIAN_URL: `${file.baseUrl}/sandbox`, TITIAN_TOKEN: file.controlToken };
const titian = (line: string, env: Readonly<Record<string, string>> = ofUrl) => runCli(line.split(" "), { env });

test("a list is of the cell that is named, and so is the command for its next page", async () => {
  const [home, cell] = [await titian("account list"), await titian("--cell 1 account list --limit 1")];
  assert.ok(home.stdout.includes(ofHome) && !home.stdout.includes(ofCell), home.stderr);
  assert.ok(cell.stdout.includes(ofCell) && !cell.stdout.includes(ofHome), cell.stderr);
  assert.match(cell.stderr, /More: titian --cell 1 account list .*--after /);
  const running = await titian("--cell 1 account list --json", { TITIAN_DATA_DIR: sandbox.dataDir });
  assert.ok(running.stdout.includes(ofCell) && !running.stdout.includes(ofHome), running.stderr);
});

test("what a partner's number names is looked for in the cell alone", async () => {
  const partnerReferenceNo = newNumber();
  expectCode(await alpha.call(transferPath, transferBody({ from: ofCell, to: ofHome, partnerReferenceNo })), "2001700");
  const show = `transfer show ${partnerReferenceNo} --partner alpha`;
  assert.match((await titian(`--cell 1 ${show}`)).stdout, /intrabank: settled/);
  assert.match((await titian(show)).stdout, /intrabank: settled/);
});

test("an act of a cell is approved there", async () => {
  const sent = await alpha.call(interbank.path, railBody(interbank, ofCell));
  expectCode(sent, "2001800");
  const [, url = ""] = readFileSync(sandbox.cells["TITIAN_CELLS"] ?? "", "utf8").split(" ");
  const cellUrl = withDatabase(sandbox.ownerUrl ?? "", new URL(url).pathname.slice(1));
  const act = { ...returned, target: String(sent.body["referenceNo"]), reason: "sent back" };
  const actId = await proposeByAnother(cellUrl, act);
  // A call that it stands in the way of says where it is.
  const told = await sandbox.control.call("POST", `transfers/${act.target}/return`, { reason: "a test" });
  assert.match(JSON.stringify(told), new RegExp(`titian --cell 1 act show .*"actId":"${actId}","cell":1`));
  assert.match((await titian("--cell 1 act list --open")).stdout, new RegExp(actId));
  assert.doesNotMatch((await titian("act list --open")).stdout, new RegExp(actId));
  const approved = await titian(`--cell 1 act approve ${actId} --yes`);
  assert.equal(approved.exitCode, 0, approved.stderr);
});

test("a command that cannot be for the cell is invalid", async () => {
  await using alone = await useDatabase();
  const control = await startControl(alone.url);
  const ofAlone = { TITIAN_URL: `${control.baseUrl}/sandbox`, TITIAN_TOKEN: controlToken };
  const cases = [
    [`--cell 1 account show ${ofHome}`, ofUrl, /is in cell 0, and the call names cell 1/],
    ["--cell 7 account list", ofUrl, /There is no cell 7: cell must be one of 0, 1/],
    ["--cell 1 account moves", ofUrl, /works on home, which has the cells of all accounts/],
    [
      "--cell 1 bulk send payroll.csv --source 510000000001",
      ofUrl,
      /the account that pays leads to its cell: leave --cell out/,
    ],
    ["--cell 1 partner list", ofUrl, /works on home, which has partners/],
    ["--cell 1 account list", ofAlone, /--cell 1: the service has no cells beside home/],
  ] as const;
  for (const [line, env, message] of cases) {
    const { exitCode, stderr } = await titian(line, env);
    assert.deepEqual([exitCode, message.test(stderr)], [2, true], stderr);
  }
  await control.close();
});

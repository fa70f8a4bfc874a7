/**
 * A cell restored beside its rails' directories, and reached by a node that runs already: it answers inquiries alone until an
 * operator has adopted what it forgot and opened its rail; home goes on. By plain HTTP and commands.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { eventually, fieldsOf } from "../support/black-box/answers.ts";
import { createCaller, type Json } from "../support/black-box/caller.ts";
import { productionSettings } from "../support/black-box/production-partner.ts";
import { interbank } from "../support/black-box/rails/rail-services.ts";
import { inquire, railBody } from "../support/black-box/rails/rail-transfers.ts";
import { startService } from "../support/black-box/service.ts";
import { startProduction } from "../support/black-box/start-production.ts";
import { expectCode, transferBody, transferPath } from "../support/black-box/transfers.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { startAddress } from "../support/database/address.ts";
import { copyDatabase } from "../support/database/copy-database.ts";
import { useDatabase } from "../support/database/database.ts";
import { roleUrlsOf } from "../support/database/template.ts";
import { queryRows } from "../support/database/with-client.ts";
import { add, openIn, ranges, writeCells } from "./cell-fixture.ts";

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const directory = mkdtempSync(join(tmpdir(), "titian-cell-rails-"));
stack.defer(() => rmSync(directory, { recursive: true, force: true }));
const [home, cell] = [stack.use(await useDatabase()), stack.use(await useDatabase())];
assert.ok((await add(home.url, cell.url)).ok);
const env = {
  TITIAN_CELLS: stack.use(writeCells(`1 ${cell.url} ${ranges}`)).file,
  TITIAN_RAIL_DIRECTORY: directory,
  TITIAN_SHUTDOWN_DELAY_SECONDS: "0",
  TITIAN_INTERBANK_WAIT_SECONDS: "1",
};
const production = stack.use(await startProduction(env, home.url, { cells: [0, 1] }));
const { caller, agent, dataDir } = production;
const [ofHome = "", otherOfHome = "", ofCell = "510000000001"] = caller.partner.sourceAccounts.slice(0, 2);
const [partner] = (await queryRows(home.ownerUrl, "select id from partners")) as readonly { readonly id: string }[];
await openIn(cell.url, { accountNo: ofCell, cell: 1, partners: [partner?.id ?? ""] });

const linesIn = (folder: string) =>
  readdirSync(join(directory, folder))
    .filter((name) => name.startsWith("instructions-"))
    .flatMap((name) =>
      readFileSync(join(directory, folder, name), "utf8")
        .split("\n")
        .slice(0, -1),
    );
const start = async (cellsFile: string) => {
  const settings = {
    ...productionSettings(home.url),
    ...env,
    TITIAN_CELLS: cellsFile,
    TITIAN_MANAGEMENT_PORT: managementPort,
  };
  const service = stack.use(await startService({ dataDir, env: settings }));
  const { partnerId } = caller.partner;
  return { service, caller: createCaller({ ...production.served, baseUrl: service.baseUrl }, partnerId, agent) };
};
const { managementUrl = "" } = production.served;
const managementPort = new URL(managementUrl).port;

// The payer's row is in what is restored, and one instruction is not.
const pending = await caller.call(interbank.path, railBody(interbank, ofCell));
expectCode(pending, "2021800");
await production.service.end("SIGTERM");
const backup = stack.use(await copyDatabase(cell.ownerUrl));
const lost = await start(env.TITIAN_CELLS);
const forgotten = railBody(interbank, ofCell);
const first = await lost.caller.call(interbank.path, forgotten);
expectCode(first, "2021800");
await lost.service.end("SIGTERM");

const restored = roleUrlsOf(backup.url);
/** Nobody listens there. */
const wire = stack.use(await startAddress(1));
const cells = stack.use(writeCells(`1 ${wire.urlOf(restored.url)} ${ranges}`)).file;
const adminCells = stack.use(writeCells(`1 ${restored.administrationUrl} ${ranges}`)).file;
const titian = (...args: readonly string[]) => {
  const settings = {
    TITIAN_ADMIN_DATABASE_URL: roleUrlsOf(home.ownerUrl).administrationUrl,
    TITIAN_ADMIN_CELLS: adminCells,
  };
  return runCli(args, { env: { ...productionSettings(home.url), ...settings, TITIAN_RAIL_DIRECTORY: directory } });
};

interface CellChecks {
  readonly ready: boolean;
  readonly mode?: string;
  readonly modeReason?: string | null;
  readonly stoppedRails?: readonly { readonly rail: string; readonly because: string }[];
}
async function checksOfCells(): Promise<readonly CellChecks[]> {
  const ready = await fetch(`${managementUrl}/health/ready`);
  assert.equal(ready.status, 200);
  return ((await ready.json()) as { readonly checks: { readonly cells: readonly CellChecks[] } }).checks.cells;
}

test("the cell's rail stops, its writes are answered 503, and home's go on; adopted and opened, both go on", async () => {
  const node = await start(cells);
  const send = (body: Json) => node.caller.call(interbank.path, body);
  const sendInHome = async () => expectCode(await send(railBody(interbank, ofHome)), "2021800");
  await sendInHome();
  wire.leadTo(Number(new URL(cell.url).port));
  await eventually(async () => (await checksOfCells())[1]?.mode === "inquiries-only");
  const { modeReason, stoppedRails = [] } = (await checksOfCells())[1] ?? assert.fail();
  assert.match(
    String(modeReason),
    /interbank rail .*: titian --cell 1 rails reconcile interbank, then titian --cell 1 /,
  );
  assert.match(stoppedRails[0]?.because ?? "", /ahead: 1 lines .*; .*: titian --cell 1 rails reconcile lists them$/);
  for (const body of [forgotten, railBody(interbank, ofCell)]) {
    const answer = await send(body);
    expectCode(answer, "5031800");
    assert.match(answer.message, /Inquiries only/);
  }
  expectCode(await node.caller.call(transferPath, transferBody({ from: ofHome, to: ofCell })), "5031700");
  expectCode(await node.caller.call(transferPath, transferBody({ from: ofHome, to: otherOfHome })), "2001700");
  assert.equal((await inquire(node.caller, interbank, first)).status, 500);
  await sendInHome();

  assert.equal((await titian("rails", "reconcile", "interbank")).exitCode, 0);
  const reconciled = await titian("--cell", "1", "rails", "reconcile", "interbank", "--json");
  assert.equal(reconciled.exitCode, 1, reconciled.stderr);
  const [unknown, reason] = ["01M7Z8RFFEE00SNE7YAN8SN9KR", ["--reason", "a test"]];
  const commands = "--cell 1 rails reconcile interbank";
  const notListed = await titian("--cell", "1", "rails", "adopt", "interbank", unknown, ...reason);
  assert.match(notListed.stdout, new RegExp(`titian ${commands} lists them`));
  const undecided = await titian("--cell", "1", "rails", "decide", "interbank", unknown, "--carried", ...reason);
  assert.match(undecided.stderr, new RegExp(`titian ${commands} finds them`));
  const open = String(fieldsOf(pending)["referenceNo"]);
  const unresolved = await titian("--cell", "1", "transfer", "resolve", open, "rejected", "--yes", ...reason);
  assert.match(unresolved.stderr, new RegExp(`titian ${commands}, then titian --cell 1 rails open interbank`));
  const adopted = await titian("--cell", "1", "rails", "adopt", "interbank", "--all", "--reason", "restored");
  assert.match(adopted.stdout, /Adopted: 1, of them owed: 0\. Refused: 0\./, adopted.stderr);
  const opened = await titian("--cell", "1", "rails", "open", "interbank");
  assert.equal(opened.exitCode, 0, opened.stdout + opened.stderr);
  await eventually(async () => (await checksOfCells())[1]?.mode === "normal");

  const repeat = await send(forgotten);
  expectCode(repeat, "4091801");
  expectCode(await send(railBody(interbank, ofCell)), "2021800");
  await eventually(async () => linesIn("cell-1/interbank").length === 3 && linesIn("interbank").length === 2);
});

/** Lists of the console where there are two databases: of home, or of the cell that is chosen, through pages, files and links back. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { after, test } from "node:test";
import { startSandbox } from "../support/black-box/start-sandbox.ts";
import { expectCode, transferBody, transferPath } from "../support/black-box/transfers.ts";
import { agreeTo, openBrowser, withoutBrowser } from "../support/browser/browser.ts";
import { checkPage } from "../support/browser/check-page.ts";
import { interbank } from "../support/black-box/rails/rail-services.ts";
import { railBody } from "../support/black-box/rails/rail-transfers.ts";
import { proposeByAnother, returned } from "../support/database/proposed-act.ts";
import { withDatabase } from "../support/database/template.ts";

const { ensureConsole }: { ensureConsole(root: string): void } = createRequire(import.meta.url)(
  "../../scripts/install/ensure-console.cjs",
);

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const opened = withoutBrowser === false ? await open() : undefined;

async function open() {
  ensureConsole(resolve(import.meta.dirname, "../.."));
  const browser = stack.use(await openBrowser());
  const sandbox = stack.use(await startSandbox({}, { database: "split" }));
  const alpha = sandbox.caller("alpha");
  /** The first is in cell 1, the second in home. */
  const [ofCell = "", ofHome = ""] = alpha.partner.sourceAccounts;
  const [, url = ""] = readFileSync(sandbox.cells["TITIAN_CELLS"] ?? "", "utf8").split(" ");
  const cellUrl = withDatabase(sandbox.ownerUrl ?? "", new URL(url).pathname.slice(1));
  return { browser, sandbox, baseUrl: sandbox.file.baseUrl, alpha, ofCell, ofHome, cellUrl };
}

const used = () => opened ?? assert.fail();

test("a list is of the cell that is chosen, in its file and after a way back, too", {
  skip: withoutBrowser,
}, async () => {
  const { browser, baseUrl, ofCell, ofHome } = used();
  await using watched = await browser.newPage(baseUrl);
  const { page, open: go } = watched;
  await go("/world/accounts");
  await page.getByRole("link", { name: ofHome }).waitFor();
  assert.equal(await page.getByRole("link", { name: ofCell }).count(), 0);
  const cell = page.getByLabel("Cell", { exact: true });
  await cell.focus();
  await page.keyboard.press("1");
  await page.getByRole("link", { name: ofCell }).waitFor();
  assert.equal(await page.getByRole("link", { name: ofHome }).count(), 0);
  assert.match(page.url(), /\/accounts\?cell=1$/);
  await page.getByLabel("Status").selectOption("Active");
  await checkPage(page, "accounts of a cell");
  await watched.screenshot("cell-accounts");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save the list as CSV" }).click(),
  ]);
  assert.match(download.suggestedFilename(), /^titian-accounts-cell-1-/);
  const text = readFileSync(await download.path(), "utf8");
  assert.ok(text.includes(ofCell) && !text.includes(ofHome));
  await page.getByRole("link", { name: ofCell }).click();
  await page.getByRole("heading", { name: `Account ${ofCell}` }).waitFor();
  await page.getByRole("link", { name: "← Accounts" }).click();
  await page.getByRole("link", { name: ofCell }).waitFor();
  assert.match(page.url(), /\/accounts\?cell=1&status=active$/);
  await page.getByRole("button", { name: "Clear the filter" }).click();
  assert.match(page.url(), /\/accounts\?cell=1$/);
  await cell.selectOption("0, home");
  await page.getByRole("link", { name: ofHome }).waitFor();
  assert.match(page.url(), /\/accounts$/);
  watched.assertClean();
});

test("a list of a cell goes on behind its first page", { skip: withoutBrowser }, async () => {
  const { browser, baseUrl, alpha, ofCell, ofHome } = used();
  const bodies = Array.from({ length: 51 }, () => transferBody({ from: ofCell, to: ofHome }));
  for (const answer of await Promise.all(bodies.map((body) => alpha.call(transferPath, body))))
    expectCode(answer, "2001700");
  await using watched = await browser.newPage(baseUrl, { width: 390, theme: "dark", language: "id" });
  const { page, open: go } = watched;
  await go("/world/transfers?cell=1");
  await page.getByText("51 entri", { exact: true }).waitFor();
  assert.equal(await page.getByLabel("Sel", { exact: true }).inputValue(), "1");
  await checkPage(page, "transfers of a cell");
  await watched.screenshot("cell-transfers");
  await page.getByRole("button", { name: "Muat yang lebih lama" }).click();
  await page.locator(".table tbody tr:nth-child(51)").waitFor();
  watched.assertClean();
});

test("an act of a cell is shown and approved there", { skip: withoutBrowser }, async () => {
  const { browser, baseUrl, alpha, sandbox, ofCell, cellUrl } = used();
  const sent = await alpha.call(interbank.path, railBody(interbank, ofCell));
  expectCode(sent, "2001800");
  const referenceNo = String(sent.body["referenceNo"]);
  const before = await sandbox.control.account(ofCell);
  const act = { ...returned, target: referenceNo, reason: "sent back by the other bank" };
  const actId = await proposeByAnother(cellUrl, act);
  await using watched = await browser.newPage(baseUrl);
  const { page, open: go } = watched;
  // A record says in which cell its act is.
  await go(`/record/${referenceNo}`);
  await page.getByRole("link", { name: "Show the act" }).first().click();
  await page.getByRole("button", { name: "Approve" }).waitFor();
  // A form that an act stands in the way of leads to it.
  const error = { code: "actOpen", message: "It waits.", actId, cell: 1 };
  await page.route("**/fund", (route) => route.fulfill({ status: 202, json: { error } }));
  await go(`/world/accounts/${ofCell}`);
  await page.getByRole("button", { name: "Fund" }).click();
  const fund = page.getByRole("dialog");
  await fund.getByLabel("Amount (IDR)").fill("1");
  await fund.getByRole("button", { name: "Fund" }).click();
  await page.getByRole("link", { name: "Show the act" }).click();
  await page.getByRole("button", { name: "Approve" }).waitFor();
  assert.ok(page.url().endsWith(`/acts/${actId}?cell=1`));
  await go("/world/acts?open=true");
  await page.getByText("Nothing fits this filter").waitFor();
  await page.getByLabel("Cell", { exact: true }).selectOption("1");
  await page.getByRole("link", { name: /^Record transfer/ }).click();
  await checkPage(page, "an act of a cell");
  await watched.screenshot("cell-act");
  await agreeTo(page, "Approve");
  await page.getByText("It was carried out.").waitFor();
  assert.notEqual((await sandbox.control.account(ofCell)).ledgerBalance, before.ledgerBalance);
  await page.getByRole("link", { name: "← Acts" }).click();
  await page.getByText("Nothing fits this filter").waitFor();
  assert.match(page.url(), /\/acts\?open=true&cell=1$/);
  watched.assertClean();
});

/** Every page, wide, light and in English, then narrow, dark and in Indonesian, and what is done by keyboard on some. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { desk, lanAddress, type Look, withoutBrowser } from "../support/browser/browser.ts";
import { checkPage } from "../support/browser/check-page.ts";
import { checkPages, openPages } from "./check-pages.ts";

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const opened = withoutBrowser === false ? stack.use(await openPages()) : undefined;

/** Two looks that share nothing; `npm run torture -- pages` has all. */
const looks: readonly Look[] = [desk, { width: 390, theme: "dark", language: "id" }];

for (const look of looks) {
  const { width, theme, language } = look;
  const title = `pages at ${width} px, ${theme}, ${language}`;
  test(title, { skip: withoutBrowser }, () => checkPages(opened ?? assert.fail(), look));
}

test("a page is reached by keyboard: a skip link, then its heading has the focus", {
  skip: withoutBrowser,
}, async () => {
  const { browser, console: shown } = opened ?? assert.fail();
  await using watched = await browser.newPage(shown.baseUrl);
  const { page } = watched;
  const focused = () => page.evaluate<string>("document.activeElement.id || document.activeElement.textContent");
  await watched.open("/");
  await page.getByRole("searchbox").waitFor();
  await page.keyboard.press("Tab");
  assert.equal(await focused(), "Skip to the content");
  await page.keyboard.press("Enter");
  assert.equal(await focused(), "main");
  await page.getByRole("link", { name: "Rails", exact: true }).press("Enter");
  await page.getByRole("heading", { name: "Rails", level: 1 }).waitFor();
  assert.equal(await focused(), "Rails");
  await page.getByRole("button", { name: "Bahasa Indonesia" }).click();
  await page.getByRole("heading", { name: "Jaringan", level: 1 }).waitFor();
  watched.assertClean();
});

const referencePages = [
  "/docs",
  "/docs/interbankBulkTransfer",
  "/docs/guides/receiving-notifications",
  "/docs/codes",
  "/docs/control/partner",
  "/docs/nothing",
];

for (const look of [desk, { width: 360, theme: "dark", language: "id" } as const]) {
  const { width, theme, language } = look;
  test(`the reference at ${width} px, ${theme}, ${language}`, { skip: withoutBrowser }, async () => {
    const { browser, console: shown } = opened ?? assert.fail();
    await using watched = await browser.newPage(shown.baseUrl, look);
    const { page } = watched;
    watched.expectError(/404 \(Not Found\)/);
    for (const path of referencePages) {
      await page.goto(`${shown.baseUrl}${path}`);
      assert.equal(await page.locator("html").getAttribute("lang"), language);
      await checkPage(page, path);
      await watched.screenshot(path.slice(1).replaceAll("/", "-"));
    }
    watched.assertClean();
  });
}

test("the reference off localhost has its style, its search leads to a response code, and an operation to its form", {
  skip: withoutBrowser,
}, async () => {
  const { browser, console: shown } = opened ?? assert.fail();
  const baseUrl = `http://${lanAddress}:${new URL(shown.baseUrl).port}`;
  await using watched = await browser.newPage(baseUrl);
  const { page } = watched;
  await page.goto(`${baseUrl}/docs`);
  assert.equal(await page.evaluate("getComputedStyle(document.querySelector('header')).position"), "sticky");
  await page.keyboard.press("/");
  await page.keyboard.type("4031714");
  await page.getByRole("option").first().waitFor();
  await checkPage(page, "the page");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/docs\/intrabankTransfer\?lang=en#code-4031714$/);
  assert.match(await page.locator(":target").innerText(), /Insufficient Funds/);
  assert.equal(await page.getByRole("link", { name: "Try it" }).getAttribute("href"), "/#/try/intrabankTransfer");
  watched.assertClean();
});

test("a payment is found from any page by keyboard alone, and the reasons are shown in both languages", {
  skip: withoutBrowser,
}, async () => {
  const { browser, console: shown } = opened ?? assert.fail();
  await using watched = await browser.newPage(shown.baseUrl);
  const { page } = watched;
  const focused = () => page.evaluate<string>("document.activeElement.id || document.activeElement.textContent");
  await watched.open("/world/rails");
  await page.getByRole("heading", { name: "Rails", level: 1 }).waitFor();
  await page.keyboard.press("/");
  await page.getByRole("searchbox").waitFor();
  assert.equal(await focused(), "search-number");
  await page.keyboard.type(`aini ${shown.payer} 1/`);
  await page.keyboard.press("Enter");
  await page.getByText("Nothing has all of this").waitFor();
  await page.getByText("No record has “1/”.").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type(`aini ${shown.payer}`);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /^Transfers/ }).waitFor();
  const reasons = page.getByText("Found by beneficiary's name, payer's account").first();
  await reasons.waitFor();
  await page.getByRole("heading", { name: /^Payment requests/ }).waitFor();
  await page.getByRole("searchbox").press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /What happened/ }).waitFor();
  await page.route(/\/calls\/[0-9a-f]{16}$/, (route) => route.fulfill({ status: 404, json: {} }));
  watched.expectError(/404/);
  await page.locator("a[href*='/calls/']").first().click();
  await page.getByRole("heading", { name: "Kept of the call" }).waitFor();
  await checkPage(page, "the page");
  await page.getByRole("button", { name: "Bahasa Indonesia" }).click();
  await watched.open(`/find?number=aini+${shown.payer}`);
  await page.getByText("Ditemukan lewat nama penerima, rekening pembayar").first().waitFor();
  await watched.open(`/find?number=nobody+${shown.payer}`);
  await page.getByText("Tidak ada catatan yang memiliki “nobody”.").waitFor();
  watched.assertClean();
});

test("a list is filtered by its address, counted, turned round and saved", { skip: withoutBrowser }, async () => {
  const { browser, console: shown } = opened ?? assert.fail();
  const { control } = shown.rails;
  await using watched = await browser.newPage(shown.baseUrl);
  const { page, open: go } = watched;
  const saved = async (format: string) => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: `Save the list as ${format}` }).click();
    const file = await download;
    assert.match(file.suggestedFilename(), new RegExp(`^titian-[a-z]+-[-0-9]{10}\\.${format.toLowerCase()}$`));
    return readFileSync(await file.path(), "utf8");
  };
  await go("/world/transfers?serviceCode=18&partnerId=alpha");
  await page.getByText(/^\d+ entr(y|ies)$/).waitFor();
  const services = page.locator(".table tbody td:nth-child(3)");
  assert.deepEqual([...new Set(await services.allTextContents())], ["18"]);
  const rows = JSON.parse(await saved("JSON")) as readonly { readonly serviceCode: string }[];
  assert.equal(rows.length, await services.count());
  assert.ok(rows.every(({ serviceCode }) => serviceCode === "18"));
  await page.getByLabel("State").selectOption("Rejected");
  await page.getByText("Nothing fits this filter").waitFor();
  assert.match(page.url(), /serviceCode=18&partnerId=alpha&state=rejected$/);
  await page.getByRole("button", { name: "Clear the filter" }).click();
  const links = page.locator(".table tbody td:first-child a");
  await links.nth(1).waitFor();
  // Their times may be of one second.
  const newest = await links.first().getAttribute("href");
  await page.getByLabel("Order").selectOption("Oldest first");
  await page.locator(`.table tbody tr:first-child td:first-child a:not([href="${newest}"])`).waitFor();
  await page.getByText("Transfers (17, 18, 22, 23).", { exact: true }).waitFor();
  await page.getByLabel("From day").fill("2099-01-01");
  await page.getByText("Nothing fits this filter").waitFor();

  const { accountNo, accountId } = await control.open({ name: "=1+1", balance: "77.00" });
  await go("/world/accounts?minimum=77&maximum=77.00");
  await page.getByRole("cell", { name: accountNo }).waitFor();
  const [head, line] = (await saved("CSV")).split("\n");
  assert.equal(head, "accountNo,accountId,name,currency,status,type,ledgerBalance,availableBalance");
  assert.equal(line, `${accountNo},${accountId},'=1+1,IDR,active,S,77.00,77.00`);
  watched.assertClean();
});

test("a record leads to the next calls, filled in, and an act that is final is asked about", {
  skip: withoutBrowser,
}, async () => {
  const { browser, console: shown } = opened ?? assert.fail();
  await using watched = await browser.newPage(shown.baseUrl, { width: 360, theme: "dark", language: "en" });
  const { page, open: go } = watched;
  const send = async (call: string, responseCode: string) => {
    await go(`/record/${shown.paymentNo}`);
    await page.getByRole("link", { name: call }).click();
    await page.getByRole("button", { name: "Sign and send" }).click();
    await page.getByText(responseCode).first().waitFor();
  };
  await send("Ask for its state", "2006400");
  await send("Ask for the last capture", "2006600");
  await send("Ask for the last void", "2006800");
  await send("Capture Rp 150,000.00", "2006500");
  await send("Refund Rp 350,000.00", "2006900");
  await go(`/record/${shown.paymentNo}`);
  await page.getByText("Next call on it").waitFor();
  assert.equal(await page.getByRole("link", { name: /^(Capture|Void|Refund)/ }).count(), 0);
  await go(`/record/${shown.bulkId}`);
  await page.getByRole("button", { name: "Rejected 0" }).click();
  await page.getByText("Nothing fits this filter").waitFor();
  await page.getByRole("button", { name: "Settled 3" }).click();
  await page.getByRole("link", { name: /^\d+$/ }).nth(2).waitFor();
  assert.match(page.url(), /\?items=settled$/);
  await page.getByRole("link", { name: "Status inquiry" }).click();
  await page.getByRole("button", { name: "Sign and send" }).click();
  await page.getByText("2003600").first().waitFor();

  await go(`/record/${shown.requestNo}`);
  const approve = page.getByRole("button", { name: "Approve" });
  const dialog = page.getByRole("dialog", { name: `Approve: ${shown.requestNo}` });
  await approve.press("Enter");
  await dialog.getByText(/pays Rp .* to .*This is final\.$/).waitFor();
  await checkPage(page, "the page");
  const focused = () => page.evaluate<string>("document.activeElement.textContent");
  assert.equal(await focused(), "Cancel", "a key pressed twice confirms nothing");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  assert.equal(await focused(), "Approve");
  await approve.dblclick();
  await dialog.getByRole("button", { name: "Approve" }).dispatchEvent("click", { detail: 2 });
  assert.ok(await dialog.isVisible(), "the second click of a double click confirms nothing");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("Approved by the payer", { exact: true }).waitFor();
  watched.assertClean();
});

test("a call of a record is sent again, as it was", { skip: withoutBrowser }, async () => {
  const { browser, console: shown } = opened ?? assert.fail();
  await using watched = await browser.newPage(shown.baseUrl, desk);
  const { page } = watched;
  await watched.open(`/record/${shown.transferNo}`);
  await page.locator('summary:text-is("Body")').first().click();
  await page.getByRole("link", { name: /^Send again, with the same number/ }).click();
  watched.expectError(/status of 409/);
  await page.getByRole("button", { name: "Sign and send" }).click();
  await page.getByText("4091801").first().waitFor();
});

/** A record tells what became of it: failed deliveries and the test of their receiver, words of codes, calls to send again. */
import assert from "node:assert/strict";
import { createHash, verify } from "node:crypto";
import { bulkBody, bulkItem, bulkPath, untilBulkEnds } from "../support/black-box/bulks.ts";
import { type Received, startEndpoint } from "../support/black-box/endpoint.ts";
import { transferBody, transferPath } from "../support/black-box/transfers.ts";
import { agreeTo, type WatchedPage } from "../support/browser/browser.ts";
import { useConsole } from "../support/browser/in-browser.ts";
import { proposeByAnother, proposer, returned } from "../support/database/proposed-act.ts";

const { inBrowser, stack } = await useConsole();

const inIndonesian = (page: WatchedPage["page"]) => page.getByRole("button", { name: "Bahasa Indonesia" }).click();

inBrowser(
  "a failed delivery shows the partner's answer, and the test of its receiver names the mistake, in both languages",
  async ({ page, open: go, screenshot }, { browser, console: shown }) => {
    const { alpha, control, accountOf, sandbox } = shown.rails;
    const takesPathWithoutSlash = ({ path, headers, text }: Received): boolean => {
      const hash = createHash("sha256").update(text).digest("hex");
      const signed = Buffer.from(`POST:${path.slice(1)}:${hash}:${headers["x-timestamp"]}`);
      const signature = Buffer.from(headers["x-signature"] ?? "", "base64");
      return verify("sha256", signed, sandbox.file.provider.publicKey, signature);
    };
    const receiver = stack.use(await startEndpoint("", { verifies: takesPathWithoutSlash }));
    await control.call("PUT", "partners/alpha/notification-address", { url: receiver.url });
    const items = [bulkItem(), bulkItem({ beneficiaryAccountNo: accountOf("rejected") })];
    const bulk = await alpha.call(bulkPath, bulkBody(shown.payer, items));
    await untilBulkEnds(alpha, bulk);
    await receiver.until(1);
    await go(`/record/${String(bulk.body["bulkId"])}`);
    await page
      .getByText(/^The partner's answer: .*4010000/)
      .first()
      .waitFor();
    await page.getByText(/\(Rp .* returned to the payer\)$/).waitFor();
    await page.getByRole("cell", { name: /Rejected 40320\d\d [A-Z]\w+ / }).waitFor();
    await page.getByText("Not tested yet.").waitFor();
    await page.getByRole("button", { name: "Test the receiver" }).click();
    await page.getByText("The receiver verifies the path without the slash before it").waitFor();
    await screenshot("failed-delivery");
    await inIndonesian(page);
    await page.getByText("Penerima memverifikasi path tanpa garis miring di depannya").waitFor();
    await page
      .getByText(/^Jawaban mitra: /)
      .first()
      .waitFor();
    await page.getByText(/dikembalikan ke pembayar\)$/).waitFor();
    await using phone = await browser.newPage(shown.baseUrl, { width: 390, theme: "dark", language: "id" });
    await phone.open(`/record/${String(bulk.body["bulkId"])}`);
    await phone.page.getByRole("button", { name: "Uji penerima" }).waitFor();
    await phone.screenshot("failed-delivery");
    const scrolls = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
    assert.equal(await phone.page.evaluate<boolean>(scrolls), false);
    await go("/world/notifications");
    await page.getByRole("button", { name: "Uji penerima" }).click();
    await page.getByText("Penerima memverifikasi path tanpa garis miring di depannya").waitFor();
    await screenshot("receiver");
  },
);

inBrowser("a capture is sent again, and a bulk says why it is not", async (watched, { console: shown }) => {
  const { page, open: go } = watched;
  await go(`/record/${shown.paymentNo}`);
  const capture = page.getByRole("row", { name: /65 authCapture .*2006500 Successful/ });
  await capture.locator('summary:text-is("Body")').click();
  await capture.getByRole("link", { name: /^Send again, with the same number/ }).click();
  watched.expectError(/status of 409/);
  await page.getByRole("button", { name: "Sign and send" }).click();
  await page.getByText("4096501").first().waitFor();
  await go(`/record/${shown.bulkId}`);
  await page.getByText("Its items are records of their own").waitFor();
  await inIndonesian(page);
  await page.getByText("Item-itemnya adalah catatan tersendiri").waitFor();
  await watched.screenshot("calls-of-bulk");
});

inBrowser(
  "a correlation id finds one card, with its call",
  async ({ page, open: go, screenshot }, { console: shown }) => {
    const { alpha } = shown.rails;
    const answer = await alpha.call(transferPath, transferBody({ from: shown.payer, to: "1009000001" }));
    const id = String(answer.headers["x-correlation-id"]);
    await go(`/find?number=${id}`);
    await page.getByText("One record has all of it.").waitFor();
    assert.equal(await page.getByRole("article").count(), 1);
    await screenshot("correlation-id");
    await page.getByRole("link", { name: "Open the call" }).click();
    await page.getByRole("heading", { name: /intrabankTransfer/ }).waitFor();
    await inIndonesian(page);
    await go(`/find?number=${id}`);
    await page.getByRole("article").getByRole("link").first().click();
    await page.getByRole("heading", { name: "Apa yang terjadi" }).waitFor();
  },
);

inBrowser("operations have their names and descriptions in Indonesian", async ({ page, open: go, screenshot }) => {
  await go("/try/authCapture");
  await page.getByText(/^Charges a hold, in full or in parts/).waitFor();
  await inIndonesian(page);
  await page.getByText(/^Mendebit dana yang ditahan, seluruhnya atau sebagian/).waitFor();
  const options = await page.getByLabel("Operasi").locator("option").allTextContents();
  assert.ok(options.includes("18 Transfer ke bank lain"), options.join());
  await screenshot("try");
});

inBrowser(
  "an act that is open on a record is refused with a reason, or approved and carried out, and the record tells by whom",
  async ({ page, open: go, screenshot }, { browser, console: shown }) => {
    const { ownerUrl } = shown.rails.sandbox;
    const act = { ...returned, target: shown.transferNo, reason: "sent back by the other bank" };
    await proposeByAnother(ownerUrl, act);
    await go(`/record/${shown.transferNo}`);
    await page.getByText(/as returned: IDR .* goes back to the payer, the fee is kept; it was settled\.$/).waitFor();
    assert.equal(await page.getByRole("button", { name: "Return the money" }).count(), 0);
    await screenshot("open-act");
    await using phone = await browser.newPage(shown.baseUrl, { width: 390, theme: "dark", language: "id" });
    await phone.open(`/record/${shown.transferNo}`);
    await phone.page.getByText("Ada tindakan yang terbuka untuk ini").waitFor();
    await phone.screenshot("open-act");
    await page.getByRole("link", { name: "Show the act" }).first().click();
    await page.getByRole("heading", { name: "Act: return of a transfer" }).waitFor();
    const dialog = page.getByRole("dialog", { name: "Refuse" });
    await agreeTo(page, "Refuse");
    await dialog.getByText("Say why.").waitFor();
    await screenshot("refuse-act");
    await dialog.getByLabel("Reason").fill("the wrong transfer");
    await dialog.getByRole("button", { name: "Refuse" }).click();
    await page.getByText("It was refused: nothing was changed.").waitFor();
    await page.getByText("the wrong transfer").waitFor();

    await proposeByAnother(ownerUrl, act);
    await go(`/world/acts?open=true&target=${shown.transferNo}`);
    await page.getByRole("link", { name: /^Record transfer/ }).click();
    await page.getByRole("button", { name: "Approve" }).press("Enter");
    await page.getByRole("dialog", { name: "Approve" }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("It was carried out.").waitFor();
    await screenshot("act-done");
    await page
      .getByRole("link", { name: /^[0-7][0-9A-Z]{25}$/ })
      .last()
      .click();
    await page.getByText("Returned after settlement").waitFor();
    await page
      .getByText(new RegExp(`${proposer}$`))
      .last()
      .waitFor();
    const titles = await page.locator(".event-head strong").allTextContents();
    const steps = ["Operator's act proposed", "Act approved", "Act carried out", "Returned after settlement"];
    assert.deepEqual(titles.slice(-4), steps);
    await screenshot("act-on-record");
  },
);

inBrowser(
  "what waits for approval, or may not be approved, is said as such and not as done",
  async (watched, { console: shown }) => {
    const { page, open: go } = watched;
    const gift = { kind: "funding", target: shown.payer, after: { amount: "500", currency: "IDR" } } as const;
    const actId = await proposeByAnother(shown.rails.sandbox.ownerUrl, { ...gift, reason: "a gift" });
    const json = { error: { code: "waitsForApproval", message: "It waits for approval.", actId } };
    await page.route(/\/fund$/, (route) => route.fulfill({ status: 202, json }));
    await go(`/world/accounts/${shown.payer}`);
    await page.getByRole("button", { name: "Fund" }).click();
    const dialog = page.getByRole("dialog", { name: /^Fund: account / });
    await dialog.getByLabel(/^Amount/).fill("1.000,50");
    await dialog.getByRole("button", { name: "Fund" }).click();
    const waiting = page.locator(".notice.info");
    await waiting.getByText("Fund: waits for approval by somebody else.").waitFor();
    await waiting.locator(`a[href$="${actId}"]`).waitFor();

    const sentence = "Nothing was changed: whoever proposes an act does not approve it.";
    const denied = { error: { code: "notPermitted", message: sentence } };
    await page.route(/\/approve$/, (route) => route.fulfill({ status: 403, json: denied }));
    watched.expectError(/status of 403/);
    await go(`/world/acts/${actId}`);
    await agreeTo(page, "Approve");
    await page.getByRole("alert").getByText(sentence).waitFor();
    await page.getByText("It waits for another operator's approval: nothing was changed yet.").waitFor();
  },
);

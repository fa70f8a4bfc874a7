/** The console's main ways in a real browser: find money, watch calls, read why one was refused, call, steer the world. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { transferBody, transferPath } from "../support/black-box/transfers.ts";
import { agreeTo, lanAddress, withoutBrowser } from "../support/browser/browser.ts";
import { queryRows } from "../support/database/with-client.ts";
import { detachRows } from "../support/browser/detached-rows.ts";
import { useConsole } from "../support/browser/in-browser.ts";

const { inBrowser, opened } = await useConsole();

inBrowser(
  "any number is found from the home page within two clicks",
  async ({ page, open: go }, { console: shown }) => {
    for (const [kind, number, named] of shown.numbers) {
      await go("/");
      await page.getByRole("searchbox").fill(number);
      await page.getByRole("button", { name: "Search" }).click();
      const answer = page.getByRole("heading", { name: /What happened|^Account / });
      const first = page.getByRole("article").getByRole("link").first();
      await answer.or(first).first().waitFor();
      if (!(await answer.isVisible())) await first.click();
      await answer.waitFor();
      assert.ok(page.url().includes(named), `${kind} ${number} led to ${page.url()}`);
    }
  },
);

inBrowser(
  "a timeline shows events in order, and both sides' entries and balances",
  async ({ page, open: go }, used) => {
    await go(`/record/${used.console.paymentNo}`);
    const events = page.getByRole("listitem").filter({ has: page.locator(".event-head") });
    await events.first().waitFor();
    const titles = await page.locator(".event-head strong").allTextContents();
    assert.deepEqual(titles.slice(0, 5), ["Request received", "Money held", "Captured", "Voided", "Refunded"]);
    const payer = page.getByRole("region", { name: /^Payer/ }).first();
    await payer.getByText("−300,000.00").waitFor();
    await payer.getByText("+100,000.00").waitFor();
    await page
      .getByRole("region", { name: /^Merchant/ })
      .getByText("+300,000.00")
      .waitFor();
  },
);

inBrowser(
  "a call appears by itself, and a paused list stands still",
  async ({ page, open: go }, { console: shown }) => {
    const { alpha } = shown.rails;
    const rows = page.getByRole("row", { name: /intrabankTransfer/ });
    await go("/calls?operation=intrabankTransfer");
    await page.getByText("No call fits this filter").waitFor();
    const call = () => alpha.call(transferPath, transferBody({ from: shown.payer, to: "1009000001" }));
    assert.equal((await call()).status, 200);
    await rows.first().waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await call();
    await page.getByText("1 new call", { exact: true }).waitFor();
    assert.equal(await rows.count(), 1);
    await page.getByRole("button", { name: "Resume" }).click();
    await rows.nth(1).waitFor();
  },
);

inBrowser("older pages of a list stay when newer rows come", async ({ page, open: go }, { console: shown }) => {
  const { alpha, control } = shown.rails;
  const { accountNo } = await control.open({ name: "Dewi", balance: "100000000.00", partnerId: "alpha" });
  const transfer = async (count: number) => {
    for (let sent = 0; sent < count; sent += 1) {
      const { status } = await alpha.call(transferPath, transferBody({ from: accountNo, to: "1009000001" }));
      assert.equal(status, 200);
    }
  };
  const entries = page.locator(".table tbody tr");
  await transfer(60);
  await go(`/world/accounts/${accountNo}`);
  await entries.nth(49).waitFor();
  await page.getByRole("button", { name: "Load older" }).click();
  await entries.nth(60).waitFor();
  await transfer(1);
  await entries.nth(61).waitFor();
  // More than a page at once.
  await transfer(60);
  await entries.nth(121).waitFor();
  assert.equal(await entries.count(), 122);
  const references = await page.locator(".table tbody td:nth-child(3)").allTextContents();
  assert.equal(new Set(references).size, 122);
});

inBrowser("a refused call says why, with the string to sign", async (watched, { console: shown }) => {
  const { page, open: go, screenshot } = watched;
  const { alpha } = shown.rails;
  const body = transferBody({ from: shown.payer, to: "1009000001" });
  const signed = await alpha.sign(transferPath, body, { signedBody: JSON.stringify(body).replace(/}$/, "}\n") });
  assert.equal((await alpha.send(signed)).status, 401);
  await go("/calls?refused=true");
  const row = page.getByRole("row", { name: /4011700/ }).first();
  await row.getByText(/line break/).waitFor();
  await row.getByRole("link").click();
  await page.getByRole("heading", { name: "Why it was refused" }).waitFor();
  await page.getByText("Refused at step 7 of 12: signature").waitFor();
  await page
    .getByRole("group", { name: "String to sign, as we built it" })
    .getByText(/^POST:/)
    .waitFor();
  await screenshot("refused");
});

inBrowser("what a caller or holder wrote is shown as text", async ({ page, open: go }, { console: shown }) => {
  const hostile = '<img src=x onerror="document.title=1">';
  const { accountNo } = await shown.rails.control.open({ name: hostile, balance: "1.00" });
  await go(`/world/accounts/${accountNo}`);
  await page.getByText(hostile).waitFor();
  await fetch(`${shown.baseUrl}/v1.0/${encodeURIComponent(hostile)}`, { headers: { "X-PARTNER-ID": hostile } });
  await go("/calls?refused=true");
  await page.getByRole("cell", { name: hostile }).first().waitFor();
  assert.equal(await page.locator("main img").count(), 0);
});

inBrowser("an operation is filled in, signed, sent, and shown as code", async ({ page, open: go }, used) => {
  await go("/try/interbankTransfer?partner=beta");
  await page.getByLabel(/^amount/).fill("12345.00");
  await page.getByRole("tab", { name: "Python" }).click();
  const program = page.getByRole("tabpanel");
  await program.getByText(/12345\.00/).waitFor();
  const sentNo = await page.getByLabel(/^partnerReferenceNo/).inputValue();
  await page.getByRole("button", { name: "Sign and send" }).click();
  await page.getByText("2001800").first().waitFor();
  await program.filter({ hasText: sentNo }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "What happened to the money" }).click();
  await page.getByRole("heading", { name: "Transfer Rp 12,345.00" }).waitFor();
  const number = page.url().split("/record/")[1] ?? "";
  const { transfers } = await used.console.rails.control.call<{
    readonly transfers: readonly { readonly referenceNo: string; readonly partnerId: string }[];
  }>("GET", "transfers?limit=1");
  assert.deepEqual(
    transfers.map(({ referenceNo, partnerId }) => [referenceNo, partnerId]),
    [[number, "beta"]],
  );
});

inBrowser("a mistake on purpose leads to its diagnosis", async (watched) => {
  watched.expectError(/status of 401/);
  const { page, open: go } = watched;
  await go("/try/intrabankTransfer");
  await page.getByLabel("Make a mistake on purpose").selectOption("body");
  await page.getByRole("button", { name: "Sign and send" }).click();
  await page.getByRole("link", { name: "Open the call" }).click();
  await page.getByText(/sorted/).waitFor();
});

inBrowser("rails, clock, faults, a transfer and the audit are acted on", async (watched, { console: shown }) => {
  const { page, open: go } = watched;
  const { control } = shown.rails;
  await go("/world/rails");
  await page.getByRole("group", { name: "Mode Interbank" }).getByRole("button", { name: "Slow" }).click();
  await page.getByText("Answers after 15 s.").waitFor();
  assert.equal((await control.call<{ readonly mode: string }>("GET", "rails/interbank/mode")).mode, "slow");
  await page.getByRole("group", { name: "Mode Interbank" }).getByRole("button", { name: "Normal" }).click();

  const clock = async () => Date.parse((await control.call<{ readonly now: string }>("GET", "clock")).now);
  const before = await clock();
  await go("/world/clock");
  await agreeTo(page, "One hour", "Move the clock");
  await page.getByText(/^It is now/).waitFor();
  assert.ok((await clock()) - before >= 3_600_000);

  watched.expectError(/status of 503/);
  await go("/world/faults");
  await page.getByLabel("Fault", { exact: true }).selectOption("error503");
  await page.getByRole("button", { name: "Set" }).click();
  await page.getByRole("cell", { name: "Error 503" }).waitFor();
  await go("/try/intrabankTransfer?partner=alpha");
  await page.getByRole("button", { name: "Sign and send" }).click();
  await page.getByText("5031700").first().waitFor();

  await go(`/record/${shown.transferNo}`);
  await agreeTo(page, "Return the money");
  await page.getByText("Returned after settlement").waitFor();
  await go(`/record/${shown.requestNo}`);
  await agreeTo(page, "Decline");
  await page.getByText("Declined by the payer", { exact: true }).waitFor();

  await go("/world/audit");
  await page.getByRole("button", { name: "Run the audit" }).click();
  await page.getByText("The ledger is in order: nothing found.").waitFor();
});

inBrowser("faults that cannot be removed or read say why", async (watched, { console: shown }) => {
  const { page, open: go } = watched;
  const { control, sandbox } = shown.rails;
  const change = (statement: string) => queryRows(sandbox.ownerUrl ?? assert.fail(), statement);
  watched.expectError(/status of 500/);
  await control.call("POST", "partners/alpha/faults", { fault: "error503", next: 1, operation: "22" });
  await change(`create function keep() returns trigger language plpgsql as $$ begin raise 'kept'; end $$;
    create trigger keep before delete on planned_faults for each row execute function keep()`);
  await go("/world/faults");
  await agreeTo(page, "Remove all");
  const failed = page.getByRole("alert").filter({ hasText: "The call failed; the log has it under" });
  await failed.waitFor();
  await change("drop function keep cascade");
  await agreeTo(page, "Remove all");
  await page.getByText("No faults are set").waitFor();
  assert.equal(await failed.count(), 0);
  await change("alter table partners rename to gone");
  await go("/");
  await go("/world/faults");
  await failed.waitFor();
  await change("alter table gone rename to partners");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByLabel("Partner").waitFor();
});

inBrowser("an account's entries and the list of transfers name what is detached", async ({ page, open: go }, used) => {
  const { rails, payer } = used.console;
  await detachRows(rails.sandbox.ownerUrl ?? assert.fail(), payer, "accepted_requests_20200101");
  await go(`/world/accounts/${payer}`);
  await page.getByText("Entries 2 to 2 of the account are in detached partitions").waitFor();
  await go("/world/transfers");
  await page.getByText("titian database attach accepted_requests_20200101").waitFor();
});

test("where the sandbox cannot tell who is local, it asks for the token, once", { skip: withoutBrowser }, async () => {
  const { browser, console: shown } = opened ?? assert.fail();
  const { sandbox } = shown.rails;
  await using node = await sandbox.startNode({ TITIAN_TRUSTED_PROXIES: "10.0.0.1" });
  await using watched = await browser.newPage(node.baseUrl);
  const { page } = watched;
  watched.expectError(/status of 401/);
  await watched.open("/world/clock");
  await page.getByLabel("Control token").fill("a guess");
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByText("That is not this sandbox's control token.").waitFor();
  await page.getByLabel("Control token").fill(sandbox.file.controlToken);
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByRole("button", { name: "One hour" }).waitFor();
  assert.ok(!page.url().includes(sandbox.file.controlToken));
  await page.reload();
  await page.getByRole("button", { name: "One hour" }).waitFor();
  watched.assertClean();
});

test("over http under an address of the network, calls are followed as on this machine", {
  skip: withoutBrowser,
}, async () => {
  const { browser, console: shown } = opened ?? assert.fail();
  const { sandbox } = shown.rails;
  await using node = await sandbox.startNode({ HOST: "0.0.0.0" });
  const { port } = new URL(node.baseUrl);
  await using watched = await browser.newPage(`http://${lanAddress}:${port}`);
  const { page } = watched;
  watched.expectError(/status of 401|Cross-Origin-Opener-Policy/);
  await watched.open("/calls");
  const stream = page.waitForResponse((response) => response.url().includes("/calls/stream"));
  await page.getByLabel("Control token").fill(sandbox.file.controlToken);
  await page.getByRole("button", { name: "Open" }).click();
  assert.equal((await stream).status(), 200);
  await page.getByText("No calls yet").waitFor();
  await fetch(`${node.baseUrl}/v1.0/nothing`);
  await page.getByRole("row", { name: /4040000/ }).waitFor();
  watched.assertClean();
});

inBrowser("the page waits for a service that restarts, and goes on", async (watched, { console: shown }) => {
  const { page, open: go } = watched;
  const { sandbox, alpha } = shown.rails;
  watched.expectError(/net::ERR_|status of 503/);
  const rows = page.getByRole("row", { name: /intrabankTransfer/ });
  const call = () => alpha.call(transferPath, transferBody({ from: shown.payer, to: "1009000001" }));
  await call();
  await go("/calls?operation=intrabankTransfer");
  await rows.first().waitFor();
  const before = await rows.count();
  await sandbox.service.end("SIGTERM");
  await page.getByText("The service does not answer. Waiting for it to return…").waitFor();
  await using _node = await sandbox.startNode({ PORT: new URL(shown.baseUrl).port });
  await page.getByText("The service does not answer.").waitFor({ state: "detached" });
  await call();
  await rows.nth(before).waitFor();
  assert.equal(await rows.count(), before + 1);
});

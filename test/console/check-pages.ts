/** Every page of the console in one look: it loads, fits, and passes an accessibility checker. */
import assert from "node:assert/strict";
import { type Look, type OpenBrowser, openBrowser } from "../support/browser/browser.ts";
import { checkPage } from "../support/browser/check-page.ts";
import { type ConsoleFixture, startConsole } from "../support/browser/console-fixture.ts";
import { pagesOf } from "../support/browser/console-pages.ts";
import { proposeByAnother } from "../support/database/proposed-act.ts";

export interface OpenPages extends AsyncDisposable {
  readonly browser: OpenBrowser;
  readonly console: ConsoleFixture;
  /** An act that waits for its approval. */
  readonly actId: string;
}

export async function openPages(): Promise<OpenPages> {
  await using stack = new AsyncDisposableStack();
  const browser = stack.use(await openBrowser());
  const console = stack.use(await startConsole());
  const { payer, rails } = console;
  const amount = { amount: "2500000", currency: "IDR" };
  const gift = { kind: "funding", target: payer, reference: "gift-1", after: amount, reason: "a gift" } as const;
  const actId = await proposeByAnother(rails.sandbox.ownerUrl, gift);
  const owned = stack.move();
  return { browser, console, actId, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

export async function checkPages({ browser, console: shown, actId }: OpenPages, look: Look): Promise<void> {
  await using watched = await browser.newPage(shown.baseUrl, look);
  const { page } = watched;
  for (const [name, hash, ready] of pagesOf(shown, actId)) {
    await watched.open(hash);
    await page.locator(`main ${ready}`).first().waitFor();
    assert.equal(await page.locator("html").getAttribute("lang"), look.language);
    await checkPage(page, name);
    await watched.screenshot(name);
  }
  await watched.open(`/world/acts/${actId}`);
  await page.locator("main .button.danger").click();
  await page.getByRole("dialog").getByRole("textbox").waitFor();
  await checkPage(page, "a dialog that asks for a reason");
  await watched.screenshot("reason");
  watched.assertClean();
}

/** Checks of a shown page that every page has to pass. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Fails where the page is not accessible, or scrolls sideways itself: a wide part scrolls in its own region. */
export async function checkPage(page: Page, name: string): Promise<void> {
  const isTooWide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
  assert.equal(await page.evaluate<boolean>(isTooWide), false, `${name} is too wide`);
  // Another page of the console is the same document.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axeSource);
  const { violations } = await page.evaluate<AxeResults>(
    "axe.run(document, { resultTypes: ['violations'], preload: false })",
  );
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
  assert.deepEqual(found, [], name);
}

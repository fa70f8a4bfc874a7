/** Chromium, where the machine has it, and pages that are watched: what they load, log and are kept from. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { getuid } from "node:process";
import { type Browser, chromium, type Page } from "playwright-core";

const executablePath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";

/** Reason to skip a test that needs a browser. */
export const withoutBrowser = existsSync(executablePath)
  ? false
  : `there is no Chromium at ${executablePath}: install Debian's chromium, or set CHROMIUM_PATH`;

/** An address that is not loopback to the browser, which is led to this machine by it. */
export const lanAddress = "192.0.2.7";

/** Where screenshots of a run are left to be looked at; absent: they are not taken. */
const screenshots = process.env["CONSOLE_SCREENSHOTS"];

export interface Look {
  readonly width: 1366 | 390 | 360;
  readonly theme: "light" | "dark";
  readonly language: "en" | "id";
}

export const desk: Look = { width: 1366, theme: "light", language: "en" };

export interface WatchedPage extends AsyncDisposable {
  readonly page: Page;
  /** Opens a page of the console by what follows `#`. */
  open(hash: string): Promise<void>;
  screenshot(name: string): Promise<void>;
  /** Fails if anything left the origin, or was logged as an error, or broke the content policy. */
  assertClean(): void;
  /** Ignores an error of the browser's log that was asked for, such as a rejected call's status. */
  expectError(text: RegExp): void;
}

export interface OpenBrowser extends AsyncDisposable {
  /** `others`: origins that a page may lead to, beside its own. */
  newPage(baseUrl: string, look?: Look, others?: readonly string[]): Promise<WatchedPage>;
}

export async function openBrowser(): Promise<OpenBrowser> {
  const args = [`--host-resolver-rules=MAP ${lanAddress} 127.0.0.1`];
  // Root has no namespaces of its own in a container.
  if (getuid?.() === 0) args.push("--no-sandbox");
  const browser = await chromium.launch({ executablePath, args });
  return {
    newPage: (baseUrl, look = desk, others = []) => newPage(browser, [baseUrl, ...others], look),
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

async function newPage(browser: Browser, origins: readonly string[], look: Look): Promise<WatchedPage> {
  const [baseUrl] = origins;
  const { width, theme, language } = look;
  const context = await browser.newContext({
    viewport: { width, height: width === 1366 ? 860 : 844 },
    colorScheme: theme,
    locale: language === "id" ? "id-ID" : "en-GB",
    hasTouch: width !== 1366,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const faults: string[] = [];
  const expected: RegExp[] = [];
  page.on("request", (request) => {
    const url = request.url();
    if (!origins.some((origin) => url.startsWith(`${origin}/`)) && !/^(data|blob):/.test(url))
      faults.push(`left its origin: ${url}`);
  });
  page.on("pageerror", (error) => faults.push(`threw: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() !== "error" || expected.some((text) => text.test(message.text()))) return;
    faults.push(`logged: ${message.text()} (${message.location().url})`);
  });
  return {
    page,
    open: async (hash) => {
      await page.goto(`${baseUrl}/#${hash}`);
    },
    screenshot: async (name) => {
      if (screenshots === undefined) return;
      mkdirSync(screenshots, { recursive: true });
      await page.screenshot({ path: join(screenshots, `${name}-${width}-${theme}-${language}.png`), fullPage: true });
    },
    assertClean: () => assert.deepEqual(faults, []),
    expectError: (text) => void expected.push(text),
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** Presses the button of an act that is asked about, and confirms it. */
export async function agreeTo(page: Page, button: string, confirmed = button): Promise<void> {
  await page.getByRole("button", { name: button }).click();
  await page.getByRole("dialog").getByRole("button", { name: confirmed }).click();
}

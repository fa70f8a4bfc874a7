/** Tests in a real browser on one sandbox with its console, each in a page of its own. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openBrowser, type WatchedPage, withoutBrowser } from "./browser.ts";
import { type ConsoleFixture, startConsole } from "./console-fixture.ts";

interface Used {
  readonly browser: Awaited<ReturnType<typeof openBrowser>>;
  readonly console: ConsoleFixture;
}

interface ConsoleTests {
  /** A test in a page of its own, which must be clean at its end. Without a browser it is skipped, and says so. */
  readonly inBrowser: (name: string, run: (watched: WatchedPage, used: Used) => Promise<void>) => void;
  /** Undefined without a browser. */
  readonly opened: Used | undefined;
  /** Ends after the file's last test, with all that a test adds to it. */
  readonly stack: AsyncDisposableStack;
}

export async function useConsole(): Promise<ConsoleTests> {
  const stack = new AsyncDisposableStack();
  after(() => stack.disposeAsync());
  const open = async (): Promise<Used> => {
    const browser = stack.use(await openBrowser());
    return { browser, console: stack.use(await startConsole()) };
  };
  const opened = withoutBrowser === false ? await open() : undefined;
  const inBrowser: ConsoleTests["inBrowser"] = (name, run) =>
    void test(name, { skip: withoutBrowser }, async () => {
      const used = opened ?? assert.fail();
      await using watched = await used.browser.newPage(used.console.baseUrl);
      await run(watched, used);
      watched.assertClean();
    });
  return { inBrowser, opened, stack };
}

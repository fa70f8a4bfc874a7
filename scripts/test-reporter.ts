/** Node's own report, then one last line that people and machines can read: `N passed, N failed`. */
import { Readable } from "node:stream";
import { spec as Spec } from "node:test/reporters";
import type { TestEvent } from "node:test/reporters";

export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let passed = 0;
  let failed = 0;
  async function* watch(): AsyncGenerator<TestEvent> {
    for await (const event of source) {
      // The one without a file counts the whole run.
      if (event.type === "test:summary" && event.data.file === undefined) {
        const { counts } = event.data;
        passed = counts.passed;
        failed = counts.tests - counts.passed - counts.skipped - counts.todo;
      }
      yield event;
    }
  }
  for await (const text of Readable.from(watch()).pipe(new Spec())) yield String(text);
  yield `\n${passed} passed, ${failed} failed\n`;
}

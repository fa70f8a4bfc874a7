/** Runs test files, so many at once, and tells the report what comes of them. */
import { type FileLimits, runFile } from "./run-file.ts";
import type { TestReport } from "./report.ts";

export interface RunFilesOptions {
  readonly files: readonly string[];
  readonly concurrency: number;
  readonly nodeOptions: readonly string[];
  readonly limits: FileLimits;
  /** Ends what runs; what has not begun does not begin. */
  readonly signal: AbortSignal;
  readonly report: Pick<TestReport, "take" | "print" | "endFile">;
}

export async function runFiles({ files, concurrency, report, ...options }: RunFilesOptions): Promise<void> {
  const left = [...files];
  const runNext = async (): Promise<void> => {
    for (let file = left.shift(); file !== undefined && !options.signal.aborted; file = left.shift()) {
      const current = file;
      const end = await runFile({
        ...options,
        file,
        onEvent: (event) => report.take(current, event),
        onOutput: (text) => report.print(current, text),
      });
      report.endFile(file, end);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, runNext));
}

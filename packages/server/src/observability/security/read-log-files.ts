/** Reads files of a security log: verifies them, or gives their lines. */
import { createReadStream } from "node:fs";
import { readLine, type SecurityLine } from "./chain.ts";
import { createChainVerifier } from "./verify-chain.ts";

export interface VerifiedLog {
  /** Lines that were read. */
  readonly lines: number;
  /** The last line that is as it was written. */
  readonly last: SecurityLine | undefined;
  /** The first line that is not as it was written, or not where it was. */
  readonly fault: { readonly path: string; readonly line: number; readonly what: string } | undefined;
  /** False: no line has the hash that one has to have. */
  readonly hasExpected: boolean;
}

/**
 * Verifies the files of one process's log, the oldest first. `expected`: hash of a line that has to be there, noted earlier.
 * @throws the system's error where a file cannot be read.
 */
export async function verifySecurityLog(paths: readonly string[], expected?: string): Promise<VerifiedLog> {
  const verifier = createChainVerifier();
  let lines = 0;
  let hasExpected = expected === undefined;
  for (const path of paths) {
    let line = 0;
    for await (const [text, next] of pairsOf(textsIn(path))) {
      lines += 1;
      line += 1;
      const right = verifier.last();
      const what = verifier.findFault(text, { startsFile: line === 1, next });
      if (what !== undefined) return { lines, last: right, fault: { path, line, what }, hasExpected };
      hasExpected ||= verifier.last()?.hash === expected;
    }
  }
  return { lines, last: verifier.last(), fault: undefined, hasExpected };
}

/** The lines of a file; undefined for one that is none. */
export async function* readSecurityLines(path: string): AsyncIterable<SecurityLine | undefined> {
  for await (const text of textsIn(path)) yield readLine(text);
}

/** Lines end with a line feed alone: other line ends may stand in one. */
async function* textsIn(path: string): AsyncIterable<string> {
  let rest = "";
  for await (const chunk of createReadStream(path, "utf8")) {
    const texts = (rest + String(chunk)).split("\n");
    rest = texts.pop() ?? "";
    yield* texts;
  }
  if (rest !== "") yield rest;
}

/** Each with the one behind it. */
async function* pairsOf(texts: AsyncIterable<string>): AsyncIterable<[string, string | undefined]> {
  let before: string | undefined;
  for await (const text of texts) {
    if (before !== undefined) yield [before, text];
    before = text;
  }
  if (before !== undefined) yield [before, undefined];
}

/** Verifies lines of security logs, in the order in which they were written: the first that is not as it was is named. */
import { cutOff, noHash, readLine, type SecurityLine } from "./chain.ts";

interface Place {
  /** True: it is the first line of a file. */
  readonly startsFile: boolean;
  /** The line behind it in its file. */
  readonly next: string | undefined;
}

export interface ChainVerifier {
  /** Takes the next line. Undefined: it is as it was written, and where it was. */
  findFault(text: string, place: Place): string | undefined;
  /** The last line that was taken. */
  last(): SecurityLine | undefined;
}

export function createChainVerifier(): ChainVerifier {
  let last: SecurityLine | undefined;
  let isAtStart = false;
  let isBehindRemainder = false;

  function findFault(text: string, { startsFile, next }: Place): string | undefined {
    if (startsFile) isAtStart = true;
    const line = readLine(text);
    if (line === undefined) {
      // The rest of a write that a process did not live to finish: the next process has found it, and said so.
      if (isBehindRemainder || !tellsOfRemainder(next)) return "changed, or cut off: its hash is not that of its text";
      isBehindRemainder = true;
      return undefined;
    }
    if (isRemainderTold(line) && !isBehindRemainder) return missingBefore(line);
    const fault = isAtStart ? faultOfStart(line, last) : faultOf(line, last);
    isAtStart = false;
    isBehindRemainder = false;
    last = line;
    return fault;
  }

  return { findFault, last: () => last };
}

const isRemainderTold = ({ event, reason }: SecurityLine) => event === "log.opened" && reason === cutOff;

function tellsOfRemainder(text: string | undefined): boolean {
  const line = text === undefined ? undefined : readLine(text);
  return line !== undefined && isRemainderTold(line);
}

const missingBefore = ({ sequence }: SecurityLine) =>
  `behind a gap: lines before it (it is number ${sequence}) are missing`;

function faultOfStart(line: SecurityLine, last: SecurityLine | undefined): string | undefined {
  // A file that was new.
  if (line.event === "log.opened" && line.after === undefined && line.chain !== last?.chain)
    return faultOfOpening(line);
  if (line.event !== "log.continued") return missingBefore(line);
  // Nothing is known of what stood before the first file.
  return last === undefined ? undefined : faultOf(line, last);
}

function faultOf(line: SecurityLine, last: SecurityLine | undefined): string | undefined {
  if (last === undefined) return missingBefore(line);
  if (line.event === "log.opened") return line.after === last.hash ? faultOfOpening(line) : missingBefore(line);
  if (line.chain !== last.chain)
    return "of another chain: lines before it are missing, or two processes write the file";
  const expected = last.sequence + 1;
  if (line.sequence > expected) return `behind a gap: lines ${expected} to ${line.sequence - 1} are missing`;
  if (line.sequence < expected) return `not in its place: it is number ${line.sequence}, and ${expected} comes here`;
  return line.previous === last.hash ? undefined : "behind another line than when it was written";
}

/** A chain has one beginning. */
function faultOfOpening({ sequence, previous }: SecurityLine): string | undefined {
  return sequence === 1 && previous === noHash ? undefined : "not the beginning of a chain";
}

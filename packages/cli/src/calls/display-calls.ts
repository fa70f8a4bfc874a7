/** Calls on the terminal of `titian serve`: lines for a person, or JSON where it is no terminal. */
import { jsonLine } from "../tables/plain.ts";
import type { CallDisplay } from "@titian/sandbox";
import { formatCall, formatSkipped } from "./call-line.ts";
import { createLineWriter, type LineWriter } from "./line-writer.ts";

const perSecond = 40;

export function displayCalls(
  isTerminal = process.stdout.isTTY === true,
  writer: LineWriter = createLineWriter(isTerminal),
): CallDisplay {
  return {
    perSecond,
    onCalls: (calls) => {
      for (const call of calls) {
        const lines = isTerminal ? formatCall(call) : [jsonLine({ event: "call", ...call })];
        for (const line of lines) writer.line(line);
      }
    },
    onSkipped: (calls) => writer.line(isTerminal ? formatSkipped(calls) : jsonLine({ event: "skipped", calls })),
  };
}

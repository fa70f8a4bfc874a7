/** Actions of `titian sandbox clock`. */
import { parseTimestamp } from "@titian/contract";
import { usageError } from "../cli-error.ts";
import type { Answer } from "../control/call-row.ts";
import { type SandboxFlags, sandboxCalls } from "../control/sandbox-calls.ts";
import { readDuration } from "../options/duration.ts";
import { formatJson, note, print } from "../output.ts";

export async function showClock(flags: SandboxFlags): Promise<void> {
  show(await sandboxCalls(flags)("GET /clock"), flags);
}

export async function advanceClock(duration: string, flags: SandboxFlags): Promise<void> {
  const advanceSeconds = readDuration("advance", duration);
  show(await sandboxCalls(flags)("POST /clock", { body: { advanceSeconds } }), flags);
}

export async function moveClock(time: string, flags: SandboxFlags): Promise<void> {
  if (parseTimestamp(time) === undefined) {
    throw usageError(`to ${time} is not a time: write ISO 8601, such as 2026-11-25T10:00:30+07:00.`);
  }
  show(await sandboxCalls(flags)("POST /clock", { body: { set: time } }), flags);
}

function show(clock: Answer<"GET /clock">, { json }: SandboxFlags): void {
  if (json === true) return print(formatJson(clock));
  print(clock.now);
  if (clock.pending > 0) note(`Due work that is left: ${clock.pending}. It goes on.`);
}

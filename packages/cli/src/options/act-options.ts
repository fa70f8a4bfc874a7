/** Options of commands that propose an operator's act. */
import { newSecret } from "@titian/server/admin";
import type { Command } from "commander";
import { CallRejected } from "../control/call-row.ts";
import { note } from "../output.ts";

export interface ActFlags {
  readonly reason?: string;
  readonly ticket?: string;
}

export interface ReferenceFlags extends ActFlags {
  readonly reference?: string;
}

export function withActOptions(command: Command): Command {
  return command
    .option("--reason <text>", "why; needed where operators are in charge (titian operators)")
    .option("--ticket <text>", "number of its case, elsewhere");
}

export function withReference(command: Command): Command {
  return withActOptions(
    command.option(
      "--reference <text>",
      "acts once for each; give it again to repeat a command whose outcome is unknown",
    ),
  );
}

/** The reference is made once for each command: who repeats a command gives it, and the money moves once. */
export async function once<Value>(
  { reference = newReference() }: ReferenceFlags,
  work: (reference: string) => Promise<Value>,
): Promise<Value> {
  try {
    return await work(reference);
  } catch (error) {
    if (!(error instanceof CallRejected))
      note(`With --reference ${reference} the command acts once, however often it runs.`);
    throw error;
  }
}

const newReference = () => `cli-${newSecret(12)}`;

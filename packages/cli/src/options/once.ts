/** Acts that are done once for each reference. */
import { newSecret } from "@titian/server/admin";
import { CallRejected } from "../control/call-row.ts";
import { note } from "../output.ts";
import type { ReferenceFlags } from "./act-options.ts";

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

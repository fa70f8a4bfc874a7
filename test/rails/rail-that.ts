/** Rails that do what a test tells them. */
import type { Rail } from "../../packages/server/src/rails/rail.ts";

/** A rail that does what a test tells it, and counts what was submitted. */
export function railThat(
  name: Rail["name"],
  does: Partial<Pick<Rail, "submit" | "inquire" | "hasUnderOtherNumber" | "results" | "acknowledge">>,
) {
  const submitted: string[] = [];
  const rail: Rail = {
    name,
    submit: async (instruction, signal, commit) => {
      submitted.push(instruction.referenceNo);
      return does.submit ? does.submit(instruction, signal, commit) : { kind: "pending" };
    },
    inquire: async (referenceNo, signal) => does.inquire?.(referenceNo, signal),
    ...(does.hasUnderOtherNumber && { hasUnderOtherNumber: does.hasUnderOtherNumber }),
    inquireBeneficiary: async () => ({ kind: "unknown" }),
    results: async (most) => does.results?.(most) ?? [],
    acknowledge: async (results) => does.acknowledge?.(results),
    waiting: async () => 0,
    close: async () => undefined,
  };
  return { rail, submitted };
}

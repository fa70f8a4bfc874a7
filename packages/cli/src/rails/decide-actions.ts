/** What the commands about directories of `titian rails` run. */
import { decideOnDifference, type DifferenceDecision, type RailName } from "@titian/server/admin";
import { usageError } from "../cli-error.ts";
import { print } from "../output.ts";
import { valueOf, withCore } from "../with-core.ts";

export interface DecideFlags {
  readonly notCarried?: true;
  readonly carried?: true;
  readonly exportAgain?: true;
  readonly reason: string;
}

const reasonMax = 500;

export async function decide(rail: RailName, referenceNo: string, flags: DecideFlags): Promise<void> {
  const decision = decisionOf(flags);
  const reason = flags.reason.trim();
  if (reason === "" || reason.length > reasonMax) throw usageError(`--reason must have 1 to ${reasonMax} characters.`);
  const decided = await withCore(({ adminPool, clock }) =>
    decideOnDifference(adminPool, rail, { referenceNo, decision, reason, at: clock.real() }),
  );
  valueOf(decided);
  print(`Decided: ${decision} of ${referenceNo}.`);
}

function decisionOf({ notCarried, carried, exportAgain }: DecideFlags): DifferenceDecision {
  if (notCarried) return "not_carried";
  if (carried) return "carried";
  if (exportAgain) return "export_again";
  throw usageError("One of --not-carried, --carried and --export-again is required.");
}

/** Reasons why a review stops a rail, with an operator's next step. */
import { railsCommand } from "@titian/server/rails";
import type { Review, ReviewedKind } from "./review.ts";

interface Reason {
  readonly what: string;
  readonly advice: string;
}

/** `command`: `titian rails` for the rail's cell. */
function reasonsOf(command: string) {
  const reconcile = `${command} reconcile lists them`;
  return {
    ahead: {
      what: "lines that the database does not have",
      advice: `the database has forgotten them, as after a restore: ${reconcile}`,
    },
    behind: {
      what: "instructions without their line",
      advice: `this is not the rail's directory, or an older copy of it: give it back its own; else ${reconcile}`,
    },
    edited: { what: "changed lines", advice: "give the file back its lines" },
    foreign: {
      what: "lines of another ledger",
      advice: "another service or cell works in this directory: give each its own",
    },
    earlier: {
      what: "lines of an earlier release",
      advice: `${command} take-over-directory takes them over, once`,
    },
  } as const satisfies Partial<Record<ReviewedKind, Reason>>;
}

/** Undefined: the rail may go on. */
export function reasonToStop({ counts, first, isAhead }: Review, cell: number): string | undefined {
  const command = railsCommand(cell);
  const reasons = reasonsOf(command);
  const said = Object.entries(reasons).flatMap(([kind, { what, advice }]) => {
    const count = counts[kind as keyof typeof reasons];
    if (count === 0) return [];
    return `the directory is ${kind}: ${count} ${what}, the first is ${first[kind as keyof typeof reasons]}; ${advice}`;
  });
  if (said.length === 0 && isAhead) return `the directory was ahead: ${command} reconcile, then ${command} open`;
  return said.join("; ") || undefined;
}

/** Kinds of lines that keep an operator from opening the rail, whatever is decided. */
export const blockingKinds = ["edited", "foreign", "earlier", "unreadable"] as const satisfies readonly ReviewedKind[];

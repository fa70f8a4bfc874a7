/** Outcomes of the commands that mirror a page of entries, read together. */
import type { Outcome } from "../engine/command.ts";
import type { Mirrored } from "./mirror-command.ts";
import type { StopReason } from "./transit-events.ts";

/** `level`: nothing was left. `done`: the page is mirrored. `again`: only its first entries are. */
export type PageEnd = "level" | "done" | "again" | StopReason;

interface PageResult {
  readonly end: PageEnd;
  /** Entries, from the first, that are mirrored. */
  readonly done: number;
  readonly credited: number;
  readonly diverted: number;
  /** Set where the payee's cell could not be asked for all of them. */
  readonly trouble?: unknown;
}

export function readOutcomes(outcomes: readonly Outcome<Mirrored>[]): PageResult {
  let [credited, diverted] = [0, 0];
  for (const [done, outcome] of outcomes.entries()) {
    const so = { done, credited, diverted };
    if (outcome.kind === "effect") {
      if (outcome.payload.isDiverted) diverted += 1;
      else credited += 1;
    } else if (outcome.kind === "rejection") {
      const { kind, field } = outcome.rejection;
      if (kind === "mirrorGap") return { ...so, end: "again" };
      return { ...so, end: field === "account" ? "otherAccount" : "differs" };
    } else if (outcome.kind !== "nothing") {
      const trouble = "error" in outcome ? outcome.error : new Error(`the command is ${outcome.kind}`);
      return { ...so, end: "again", trouble };
    }
  }
  return { end: "done", done: outcomes.length, credited, diverted };
}

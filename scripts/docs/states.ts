/** State machines as the documents draw them: from the tables the code decides by. */
import type { Drawing } from "./drawing.ts";

interface StateRow {
  readonly status: string;
  readonly meaning: string;
  readonly on: Readonly<Record<string, readonly string[] | undefined>>;
}

/** A machine to draw between its marks in the document. */
export interface Machine {
  readonly name: string;
  /** First states by what leads to them. */
  readonly starts: Readonly<Record<string, string>>;
  readonly states: Readonly<Record<string, StateRow>>;
  /** Decision of the code on an event in a state that does not list it. */
  readonly unlisted: Readonly<Record<string, { readonly kind: "effect" | "rejection" | "nothing" }>>;
}

const results = { effect: "takes effect, which the table does not say", rejection: "rejected", nothing: "ignored" };

/** A diagram, and beneath it a table: each state, its status, and what may happen in it. */
export function drawMachine({ name, starts, states, unlisted }: Machine): Drawing {
  const rows = Object.entries(states);
  const arrows = rows.flatMap(([state, { on }]) =>
    Object.entries(on).flatMap(([event, next = []]) => next.map((to) => `  ${state} --> ${to}: ${event}`)),
  );
  const events = [...new Set(rows.flatMap(([, { on }]) => Object.keys(on)))];
  const cells = ({ on }: StateRow) =>
    events.map((event) => on[event]?.join(", ") ?? results[unlisted[event]?.kind ?? "effect"]);
  const lines = [
    "```mermaid",
    "stateDiagram-v2",
    ...Object.entries(starts).map(([event, state]) => `  [*] --> ${state}: ${event}`),
    ...arrows,
    "```",
    "",
    `| State | Status | Meaning | ${events.join(" | ")} |`,
    `| --- | --- | --- | ${events.map(() => "---").join(" | ")} |`,
    ...rows.map(([state, row]) => `| ${[state, row.status, row.meaning, ...cells(row)].join(" | ")} |`),
  ];
  return { name, lines };
}

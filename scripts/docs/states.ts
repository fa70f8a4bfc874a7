/** State machines as the documents draw them: from the tables the code decides by. */
import type { Document, Drift } from "./document.ts";

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
  /** What the code decides on an event in a state that does not list it. */
  readonly unlisted: Readonly<Record<string, { readonly kind: "effect" | "rejection" | "nothing" }>>;
}

const results = { effect: "takes effect, which the table does not say", rejection: "rejected", nothing: "ignored" };

const opening = (name: string) => `<!-- drawn: ${name} -->`;
const closing = "<!-- end -->";

/** A diagram, and beneath it a table: each state, its status, and what may happen in it. */
function drawMachine({ starts, states, unlisted }: Machine): readonly string[] {
  const rows = Object.entries(states);
  const arrows = rows.flatMap(([state, { on }]) =>
    Object.entries(on).flatMap(([event, next = []]) => next.map((to) => `  ${state} --> ${to}: ${event}`)),
  );
  const events = [...new Set(rows.flatMap(([, { on }]) => Object.keys(on)))];
  const cells = ({ on }: StateRow) =>
    events.map((event) => on[event]?.join(", ") ?? results[unlisted[event]?.kind ?? "effect"]);
  return [
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
}

/** The document with every machine drawn anew; undefined when one has no place in it. */
export function redraw(text: string, machines: readonly Machine[]): string | undefined {
  let drawn = text;
  for (const machine of machines) {
    const start = drawn.indexOf(opening(machine.name));
    const end = drawn.indexOf(closing, start);
    if (start === -1 || end === -1) return undefined;
    const lines = [opening(machine.name), "", ...drawMachine(machine), "", ""].join("\n");
    drawn = drawn.slice(0, start) + lines + drawn.slice(end);
  }
  return drawn;
}

/** The document says what the tables say. */
export function checkMachines(document: Document | undefined, machines: readonly Machine[]): Drift[] {
  const text = document?.lines.join("\n");
  if (document && text !== undefined && redraw(text, machines) === text) return [];
  const message = "the drawing is not that of the tables: npm run docs:draw";
  return [{ path: document?.path ?? "docs/reference/states.md", line: 1, message }];
}

/** README's table of operations against the contract's. */
import type { Document, Drift } from "./document.ts";

export interface OperationFacts {
  readonly code: string;
  readonly name: string;
  readonly path: string;
  /** True: it is answered; undefined: ours to send, not to answer. */
  readonly works: boolean | undefined;
}

/** A row is `| 17 | intrabankTransfer | `transfer-intrabank` | works |`, or `to come`, with more words behind. */
const row = /^\| (\d\d) \| (\w+) \| `([^`]+)` \| ([^|]+) \|$/;

export function checkOperations(readme: Document, operations: readonly OperationFacts[]): Drift[] {
  const unseen = new Map(operations.map((operation) => [operation.code, operation]));
  const drifts: Drift[] = [];
  let last = 1;
  for (const [index, line] of readme.lines.entries()) {
    const [, code = "", name, path, state = ""] = row.exec(line) ?? [];
    if (code === "") continue;
    last = index + 1;
    const operation = unseen.get(code);
    unseen.delete(code);
    const message = compare(operation, { name, path, state });
    if (message !== undefined) drifts.push({ path: readme.path, line: last, message });
  }
  const missing = [...unseen.values()].map(({ code, name }) => ({
    path: readme.path,
    line: last,
    message: `operation ${code} (${name}) is missing from the table`,
  }));
  return [...drifts, ...missing];
}

interface Row {
  readonly name: string | undefined;
  readonly path: string | undefined;
  readonly state: string;
}

function compare(operation: OperationFacts | undefined, { name, path, state }: Row): string | undefined {
  if (operation === undefined) return "the contract has no such operation, or the table has it twice";
  if (name !== operation.name || path !== operation.path) {
    return `the contract calls ${operation.code} ${operation.name}, at ${operation.path}`;
  }
  if (operation.works === true && !state.startsWith("works")) return `${name} works by now`;
  if (operation.works === false && !state.startsWith("to come")) return `${name} is still to come`;
  return undefined;
}

/** The form of a decision record: short, and with its three parts. */
import { basename } from "node:path";
import type { Document, Drift } from "./document.ts";

const mostLines = 30;
const parts = ["Context", "Decision", "Consequences"];

export function checkDecisions(documents: readonly Document[]): Drift[] {
  const records = documents.filter(({ path }) => /^docs\/decisions\/\d/.test(path));
  const numbers = records.map(({ path }) => basename(path).slice(0, 4));
  return records.flatMap(({ path, lines }, index) => {
    const at = (message: string): Drift => ({ path, line: 1, message });
    const missing = parts.filter((part) => !lines.some((line) => new RegExp(`^(#+ |\\*\\*)${part}`).test(line)));
    return [
      ...(numbers.indexOf(numbers[index] ?? "") === index ? [] : [at(`its number is taken`)]),
      ...(lines.length - 1 > mostLines ? [at(`a decision record has at most ${mostLines} lines`)] : []),
      ...missing.map((part) => at(`it has no "${part}"`)),
    ];
  });
}

/** Architecture decision records: each has its number for itself, its three parts and at most 30 lines. */
import { basename } from "node:path";
import type { Document, Drift } from "./document.ts";

const maxLines = 30;
const parts = ["Context", "Decision", "Consequences"];

export const isAdr = (path: string) => /^docs\/adr\/\d/.test(path);

export function checkAdrs(documents: readonly Document[]): Drift[] {
  const records = documents.filter(({ path }) => isAdr(path));
  const numbers = records.map(({ path }) => basename(path).slice(0, 4));
  return records.flatMap(({ path, lines }, index) => {
    const at = (message: string): Drift => ({ path, line: 1, message });
    const missing = parts.filter((part) => !lines.some((line) => new RegExp(`^(#+ |\\*\\*)${part}`).test(line)));
    return [
      ...(numbers.indexOf(numbers[index] ?? "") === index ? [] : [at(`its number is taken`)]),
      ...(lines.length - 1 > maxLines ? [at(`an ADR has at most ${maxLines} lines`)] : []),
      ...missing.map((part) => at(`it has no "${part}"`)),
    ];
  });
}

/** Blocks of the documents that a reader pastes into a shell. */
import type { Document, Drift } from "./document.ts";

/**
 * The word behind `sh` on the line that opens a block, which no reader sees:
 * - `placeholder`: it has `<names>` that the reader replaces; tests replace them, too, and run it.
 * - `unrun: reason`: its programs are not run by tests, but stand-ins that record their arguments.
 */
export interface ShellBlock {
  readonly path: string;
  /** Line of its first command, counted from 1. */
  readonly line: number;
  /** Counted from 1 on its page. */
  readonly position: number;
  readonly text: string;
  readonly mark: "placeholder" | "unrun" | undefined;
  readonly reason: string;
}

const opening = /^ *```(?:sh|bash|shell|console|zsh)\b *(\w*)(?:: *(.*))?$/;

export function shellBlocksOf({ path, lines }: Document): ShellBlock[] {
  const blocks: ShellBlock[] = [];
  for (const [index, line] of lines.entries()) {
    const [found, mark, reason = ""] = opening.exec(line) ?? [];
    if (found === undefined) continue;
    const end = lines.findIndex((other, at) => at > index && /^ *```$/.test(other));
    const text = `${lines.slice(index + 1, end).join("\n")}\n`;
    const place = { path, line: index + 2, position: blocks.length + 1, text, reason };
    blocks.push({ ...place, mark: mark === "placeholder" || mark === "unrun" ? mark : undefined });
  }
  return blocks;
}

/** Text that the reader replaces: `<account>`, and what is left out. */
const placeholder = /<[a-z][\w -]*>|…/i;

/** A marked block has what its mark says, and one without a mark has no placeholder. */
export function checkMarks(documents: readonly Document[]): Drift[] {
  return documents.flatMap((document) =>
    shellBlocksOf(document).flatMap(({ path, line, text, mark, reason }) => {
      const hasPlaceholder = placeholder.test(text);
      const opened = document.lines[line - 2]?.trim() ?? "";
      const known = /^```sh(?: placeholder| unrun: .*)?$/.test(opened);
      const found = [
        !known && `a shell block is opened by "sh", "sh placeholder" or "sh unrun: reason", not ${opened}`,
        mark === "placeholder" && !hasPlaceholder && "the block is marked as one with a placeholder, and has none",
        mark === undefined && hasPlaceholder && "the block has a placeholder: open it by ```sh placeholder",
        mark === "unrun" && reason.trim().split(" ").length < 3 && "the mark unrun needs a reason",
      ];
      return found.filter((message) => message !== false).map((message) => ({ path, line, message }));
    }),
  );
}

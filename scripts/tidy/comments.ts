/**
 * Comments begin with their subject. Files of which some do not yet are in `comment-counts.json`, each with their number:
 * it is compared exactly, so that it only falls. `npm run tidy -- --lower` lowers it.
 */
import type { Place, SourceFile, TreeRule } from "./rule.ts";

export const countsPath = "scripts/tidy/comment-counts.json";

type CommentCounts = Readonly<Record<string, number>>;

/** Migrations that have landed are frozen. */
const isCommented = (path: string) => /\.(ts|tsx|cjs|mjs|js|css|sql|sh)$/.test(path) && !path.includes("/migrations/");
const openings = "What|Of|Whether|How|Who|Whose|Whom|Why|Which";
const opening = new RegExp(`(?:^|\\s)(?:/\\*\\*?|//|--|#) (?:${openings})\\b`);
const openingOfBlock = new RegExp(`^\\s*\\* (?:${openings})\\b`);
const lineComment = /^\s*(?:\/\/|--|#) /;

/** Lines, counted from 1, where a comment begins without its subject. */
function findOpenings({ path, lines }: SourceFile): readonly number[] {
  if (!isCommented(path)) return [];
  return lines.flatMap((line, index) => {
    const before = lines[index - 1] ?? "";
    const goesOn = lineComment.test(line) && lineComment.test(before);
    const isOpening = opening.test(line) ? !goesOn : /^\s*\/\*\*?$/.test(before) && openingOfBlock.test(line);
    return isOpening ? [index + 1] : [];
  });
}

function readCounts(files: readonly SourceFile[]): CommentCounts {
  const counts = files.find(({ path }) => path === countsPath);
  return counts === undefined ? {} : (JSON.parse(counts.lines.join("\n")) as CommentCounts);
}

export const commentRules: readonly TreeRule[] = [
  {
    name: "comments-begin-with-a-subject",
    sentence: "A comment begins with its subject, never with What, Of, Whether, How, Who, Whose, Why or Which.",
    find: (files) => {
      const counts = readCounts(files);
      return files.flatMap((file) => {
        const lines = findOpenings(file);
        return lines.length > (counts[file.path] ?? 0) ? lines.map((line) => ({ path: file.path, line })) : [];
      });
    },
  },
  {
    name: "comment-counts-only-fall",
    sentence: "The file has fewer comments without their subject than that: `npm run tidy -- --lower`.",
    find: (files) => {
      const counts = files.find(({ path }) => path === countsPath)?.lines ?? [];
      const lowered = lowerCounts(files);
      return Object.entries(readCounts(files)).flatMap(([path, count]): readonly Place[] =>
        lowered[path] === count
          ? []
          : [{ path: countsPath, line: counts.findIndex((line) => line.includes(`"${path}"`)) + 1 }],
      );
    },
  },
];

/** Counts as they may be lowered to; a file that has none is left out. */
export function lowerCounts(files: readonly SourceFile[]): CommentCounts {
  const found = new Map(files.map((file) => [file.path, findOpenings(file).length]));
  return Object.fromEntries(
    Object.entries(readCounts(files))
      .map(([path, count]) => [path, Math.min(count, found.get(path) ?? 0)] as const)
      .filter(([, count]) => count > 0),
  );
}

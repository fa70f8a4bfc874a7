/** Comments begin with their subject. */
import type { SourceFile, TreeRule } from "./rule.ts";

/** Migrations that have landed are frozen. */
const isCommented = (path: string) => /\.(ts|tsx|cjs|mjs|js|css|sql|sh)$/.test(path) && !path.includes("/migrations/");
const openings = "What|Of|Whether|How|Who|Whose|Whom|Why|Which";
const opening = new RegExp(`(?:^|\\s)(?:/\\*\\*?|//|--|#) (?:${openings})\\b`);
const openingOfBlock = new RegExp(`^\\s*\\* (?:${openings})\\b`);
const lineComment = /^\s*(?:\/\/|--|#) /;

export const subjectFirst: TreeRule = {
  name: "comments-begin-with-a-subject",
  sentence: "A comment begins with its subject, never with What, Of, Whether, How, Who, Whose, Why or Which.",
  find: (files) => files.flatMap((file) => findOpenings(file).map((line) => ({ path: file.path, line }))),
};

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

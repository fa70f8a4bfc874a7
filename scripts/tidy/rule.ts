/** Types of tidy's rules and of their findings. */

export interface SourceFile {
  /** From the root of the repository, with `/`. */
  readonly path: string;
  readonly lines: readonly string[];
}

export interface Place {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
}

export interface Finding extends Place {
  readonly sentence: string;
}

export interface Rule {
  readonly name: string;
  /** Sentence that says what is wrong and what to do, in the words of the design where it has some. */
  readonly sentence: string;
  readonly appliesTo: (path: string) => boolean;
  /** True when this line breaks the rule; comments are left out unless `readsComments`. */
  readonly breaks?: (line: string) => boolean;
  readonly readsComments?: boolean;
  /** For rules about a whole file: the line that breaks it, if one does. */
  readonly findLine?: (file: SourceFile) => number | undefined;
}

/** A rule about many files at once. */
export interface TreeRule {
  readonly name: string;
  readonly sentence: string;
  /** Places that break the rule. */
  readonly find: (files: readonly SourceFile[]) => readonly Place[];
}

export function check(rule: Rule, file: SourceFile): Finding[] {
  if (!rule.appliesTo(file.path)) return [];
  const at = (line: number): Finding => ({ path: file.path, line, sentence: rule.sentence });
  const findings: Finding[] = [];
  const whole = rule.findLine?.(file);
  if (whole !== undefined) findings.push(at(whole));
  for (const [index, line] of file.lines.entries()) {
    if (rule.readsComments !== true && isComment(line)) continue;
    if (rule.breaks?.(line) === true) findings.push(at(index + 1));
  }
  return findings;
}

function isComment(line: string): boolean {
  return /^\s*(\/\/|\/\*|\*|--|#)/.test(line);
}

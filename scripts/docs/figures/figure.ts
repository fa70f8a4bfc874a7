/** Figures that texts say, against the setting, constant or data that owns each: table.ts names both. */
import type { Drift } from "../document.ts";

/** Sentence with figures: `{}` stands for each of them, in their order. */
export interface Figure {
  /** From the root of the repository. */
  readonly path: string;
  readonly says: string;
  readonly figures: readonly (number | string)[];
}

/** A sentence of a page, and its figures. */
export type Row = readonly [says: string, ...figures: (number | string)[]];

export const page = (path: string, rows: readonly Row[]): readonly Figure[] =>
  rows.map(([says, ...figures]) => ({ path, says, figures }));

/** Each sentence stands in its text with the figures of today; line breaks and separators of thousands aside. */
export function checkFigures(figures: readonly Figure[], read: (path: string) => string): Drift[] {
  const texts = new Map<string, string>();
  return figures.flatMap(({ path, says, figures: values }) => {
    const text = texts.get(path) ?? plain(read(path));
    texts.set(path, text);
    const sentence = withFigures(says, values);
    return stands(plain(sentence), text) ? [] : [{ path, line: 1, message: `it does not say "${sentence}"` }];
  });
}

/** Not where its first or last figure is a part of a longer number. */
function stands(sentence: string, text: string): boolean {
  const [isFirst, isLast] = [/^\d/.test(sentence), /\d$/.test(sentence)];
  for (let at = text.indexOf(sentence); at !== -1; at = text.indexOf(sentence, at + 1)) {
    const [before = "", after = ""] = [text[at - 1], text[at + sentence.length]];
    if (!(isFirst && /[\d.]/.test(before)) && !(isLast && /\d/.test(after))) return true;
  }
  return false;
}

function withFigures(says: string, values: readonly (number | string)[]): string {
  const parts = says.split("{}");
  if (parts.length !== values.length + 1) throw new Error(`"${says}" has not as many places as figures`);
  return parts.map((part, index) => `${part}${values[index] ?? ""}`).join("");
}

/** Without line breaks and separators of thousands. */
export function plain(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/(?<=\d),(?=\d{3}\b)/g, "");
}

/** The number, or product of numbers, behind the text in a source: `const holdMs = 2 * 60_000`. @throws when there is none. */
export function numberBehind(source: string, text: string): number {
  const at = source.indexOf(text);
  const [value] = (at === -1 ? null : /^[\d_]+(?: \* [\d_]+)*/.exec(source.slice(at + text.length))) ?? [];
  if (value === undefined) throw new Error(`no number stands behind "${text}"`);
  return value.split(" * ").reduce((product, factor) => product * Number(factor.replaceAll("_", "")), 1);
}

/** A whole number that the environment sets. */
export interface NumberSetting {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Absent where it depends on others. */
  readonly fallback: number | undefined;
}

const wholeSetting = /^ {2}([A-Z][A-Z_]+): (?:whole|optional\(range)\(([\d_]+), ([\d_]+)(?:, ([\d_]+))?, "/gm;

export function numberSettingsIn(config: string): readonly NumberSetting[] {
  const number = (digits: string | undefined) => Number(digits?.replaceAll("_", ""));
  return [...config.matchAll(wholeSetting)].map(([, name = "", min, max, fallback]) => ({
    name,
    min: number(min),
    max: number(max),
    fallback: fallback === undefined ? undefined : number(fallback),
  }));
}

/** Each row of the table of settings begins with its name, its range, and its default. */
export function settingFigures(path: string, settings: readonly NumberSetting[]): readonly Figure[] {
  return settings.map(({ name, min, max, fallback }) =>
    fallback === undefined
      ? { path, says: `| \`${name}\` | {} to {} |`, figures: [min, max] }
      : { path, says: `| \`${name}\` | {} to {} | {} |`, figures: [min, max, fallback] },
  );
}

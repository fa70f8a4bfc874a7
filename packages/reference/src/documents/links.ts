/** Links of a document, led to the pages that show what they name. */
import { posix } from "node:path";
import { addressOf } from "../site.ts";
import type { Language } from "../languages.ts";

export interface LinkPlace {
  /** Path in the repository of the document that has the link. */
  readonly file: string;
  readonly language: Language;
  /** Pages by the file that they show. */
  readonly pathOf: (file: string) => string | undefined;
}

/** The address a link leads to; undefined: what it names is shown by no page. */
export function resolveLink(href: string, { file, language, pathOf }: LinkPlace): string | undefined {
  if (/^(?:https?:\/)?\//.test(href) || href.startsWith("#")) return href;
  const [target = "", anchor] = href.split("#", 2);
  const path = pathOf(posix.join(posix.dirname(file), target));
  return path === undefined ? undefined : addressOf(path, language, anchor);
}

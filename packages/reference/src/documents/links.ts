/** Links of a document, led to the pages that show what they name. */
import { posix } from "node:path";
import { addressOf } from "../site.ts";
import type { Language } from "../languages.ts";
import type { ShownDocument } from "./documents.ts";

/** A page, and the document that it shows in each language. */
export type DocumentPlace = Pick<ShownDocument, "path" | "file" | "translation">;

export interface LinkPlace {
  /** Path in the repository of the document that has the link. */
  readonly file: string;
  readonly language: Language;
  /** Pages by a file that they show. */
  readonly placeOf: (file: string) => DocumentPlace | undefined;
}

/** The address a link leads to; undefined: what it names is shown by no page. */
export function resolveLink(href: string, { file, language, placeOf }: LinkPlace): string | undefined {
  if (/^(?:https?:\/)?\//.test(href) || href.startsWith("#")) return href;
  const [link = "", anchor] = href.split("#", 2);
  const target = posix.join(posix.dirname(file), link);
  const place = placeOf(target);
  if (place === undefined) return undefined;
  const { path, translation } = place;
  if (target === translation) return addressOf(path, "id", anchor);
  // A translation has other anchors, and names its original where that says more.
  const meansOriginal = translation !== undefined && (anchor !== undefined || file === translation);
  return addressOf(path, meansOriginal ? "en" : language, anchor);
}

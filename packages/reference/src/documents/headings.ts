/** Headings of a document and their anchors, as links between documents name them. */
import { lexer, type Token, type Tokens } from "marked";

export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly depth: number;
}

/** Anchors are unique within a document: a repeated one gets a number, as on code hosts. */
export function createAnchors(): (text: string) => string {
  const seen = new Map<string, number>();
  return (text) => {
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replace(/\s/g, "-");
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === "heading";

export const plainText = (markdown: string): string =>
  markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "");

export function headingsOf(markdown: string): readonly Heading[] {
  const anchorOf = createAnchors();
  return lexer(markdown)
    .filter(isHeading)
    .map(({ text, depth }) => ({ id: anchorOf(plainText(text)), text: plainText(text), depth }));
}

/**
 * Markdown as HTML. HTML in it is shown as text. Links lead to pages of the reference; one that names what no page shows
 * is left as its text.
 */
import { Marked, type RendererObject } from "marked";
import { createAnchors, plainText } from "../documents/headings.ts";
import { escapeHtml } from "./escape.ts";

export interface MarkdownOptions {
  readonly linkTo: (href: string) => string | undefined;
}

/** A drawing for code hosts. The table behind it says the same. */
const isDrawing = (language: string | undefined): boolean => language === "mermaid";

export function markdownToHtml(markdown: string, { linkTo }: MarkdownOptions): string {
  return new Marked({ renderer: rendererOf(linkTo), async: false }).parse(markdown) as string;
}

/** One paragraph's content. */
export function inlineToHtml(markdown: string, { linkTo }: MarkdownOptions): string {
  return new Marked({ renderer: rendererOf(linkTo), async: false }).parseInline(markdown) as string;
}

function rendererOf(linkTo: MarkdownOptions["linkTo"]): RendererObject {
  const anchorOf = createAnchors();
  return {
    html: ({ text }) => (/^\s*<!--/.test(text) ? "" : escapeHtml(text)),
    heading({ tokens, depth, text }) {
      const id = anchorOf(plainText(text));
      // The page has the first heading, as its title.
      if (depth === 1) return "";
      return `<h${depth} id="${escapeHtml(id)}">${this.parser.parseInline(tokens)}${anchorLink(id)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const address = linkTo(href);
      return address === undefined ? text : `<a href="${escapeHtml(address)}">${text}</a>`;
    },
    image: ({ text }) => escapeHtml(text),
    code: ({ text, lang }) =>
      isDrawing(lang) ? "" : `<pre class="code" tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
    table({ header, rows }) {
      const cells = (row: typeof header, tag: "td" | "th") =>
        row
          // An empty cell heads nothing.
          .map(({ tokens, text }) => ({ tokens, tag: text.trim() === "" ? "td" : tag }))
          .map((cell) => `<${cell.tag}>${this.parser.parseInline(cell.tokens)}</${cell.tag}>`)
          .join("");
      const isBare = header.every(({ text }) => text.trim() === "");
      const head = isBare ? "" : `<thead><tr>${cells(header, "th")}</tr></thead>`;
      const body = rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n");
      return `<div class="table" tabindex="0"><table>${head}<tbody>${body}</tbody></table></div>\n`;
    },
  };
}

export const anchorLink = (id: string): string =>
  `<a class="anchor" href="#${escapeHtml(id)}" aria-hidden="true" tabindex="-1">#</a>`;

/** A page as Markdown, and the list of all pages for programs that read them. */
import { blockToMarkdown, type MarkdownLinks } from "../blocks/to-markdown.ts";
import type { Language } from "../languages.ts";
import { groupNames, markdownAddressOf, type SitePage } from "../site.ts";
import { groupTitles } from "./texts.ts";

export function writeMarkdown(page: SitePage, language: Language, links: MarkdownLinks): string {
  const badge = page.badge === undefined ? "" : `${page.badge} `;
  const parts = page
    .sections(language)
    .flatMap(({ heading, blocks, aside = [] }) => [
      heading === undefined ? "" : `## ${heading.text}`,
      ...[...blocks, ...aside].map((block) => blockToMarkdown(block, links)),
    ]);
  return `${[`# ${badge}${page.title[language]}`, ...parts].filter((part) => part !== "").join("\n\n")}\n`;
}

/** In English, as the text of most pages is. */
export function writeList(pages: readonly SitePage[]): string {
  const line = ({ path, title, note }: SitePage) => `- [${title.en}](${markdownAddressOf(path, "en")}): ${note.en}`;
  const groups = groupNames.flatMap((group) => {
    const own = pages.filter((page) => page.group === group);
    return own.length === 0 ? [] : [`## ${groupTitles[group].en}\n\n${own.map(line).join("\n")}`];
  });
  const summary = [
    "# Titian",
    "> Payments and transfers by Indonesia's SNAP BI interface: operations, fields, response codes and guides, each page as Markdown.",
    `- [OpenAPI 3.1](/openapi.json)\n${pages
      .filter(({ group }) => group === undefined)
      .map(line)
      .join("\n")}`,
  ];
  return `${[...summary, ...groups].join("\n\n")}\n`;
}

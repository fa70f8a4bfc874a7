/** The document around a page's content: head, search, navigation, switch of language. */
import { blockToHtml, type HtmlOptions } from "../blocks/to-html.ts";
import { anchorLink } from "../blocks/markdown-to-html.ts";
import { escapeHtml } from "../blocks/escape.ts";
import type { Language } from "../languages.ts";
import { addressOf, groupNames, markdownAddressOf, type Section, type SitePage } from "../site.ts";
import { groupTitles, texts } from "./texts.ts";

export interface FrameOptions {
  /** All pages, for the navigation. */
  readonly pages: readonly SitePage[];
  /** Address of the console's form behind which an operation's name follows; undefined outside the sandbox. */
  readonly tryAddress: string | undefined;
  readonly consoleAddress: string | undefined;
  /** Documents to link to, by title. */
  readonly documents: readonly { readonly title: string; readonly address: string }[];
  /** Address of an asset of a name. */
  readonly assetAddress: (name: string) => string;
  readonly linkTo: HtmlOptions["linkTo"];
}

const styles = ["tokens.css", "reference.css", "search.css", "content.css", "parts.css"];

/** The whole page in HTML. */
export function writePage(page: SitePage, language: Language, options: FrameOptions): string {
  const title = page.title[language];
  const other: Language = language === "en" ? "id" : "en";
  const asset = (name: string) => escapeHtml(options.assetAddress(name));
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Titian</title>
<meta name="description" content="${escapeHtml(page.note[language])}">
<link rel="icon" href="${asset("icon.svg")}" type="image/svg+xml">
${styles.map((name) => `<link rel="stylesheet" href="${asset(name)}">`).join("\n")}
<link rel="alternate" type="text/markdown" href="${escapeHtml(markdownAddressOf(page.path, language))}">
<link rel="alternate" hreflang="${other}" href="${escapeHtml(addressOf(page.path, other))}">
<script src="${asset("page.mjs")}" defer></script>
</head>
<body>
<a class="skip" href="#page-main">${escapeHtml(texts.skip[language])}</a>
${header(page, language, options)}
<div class="shell">
${navigation(page, language, options)}
<main id="page-main" tabindex="-1" data-copy="${escapeHtml(texts.copy[language])}" data-copied="${escapeHtml(texts.copied[language])}">
<article>
${heading(page, language, options)}
${page
  .sections(language)
  .map((section) => sectionToHtml(section, page, language, options))
  .join("\n")}
</article>
${footer(page, language, options)}
</main>
</div>
</body>
</html>
`;
}

function header(page: SitePage, language: Language, { consoleAddress, assetAddress }: FrameOptions): string {
  const say = (name: keyof typeof texts) => escapeHtml(texts[name][language]);
  const other: Language = language === "en" ? "id" : "en";
  const otherName = other === "en" ? "English" : "Indonesia";
  const data = escapeHtml(assetAddress(`search-${language}.json`));
  return `<header class="top">
<button class="menu" type="button" popovertarget="page-navigation">${say("menu")}</button>
<a class="brand" href="${escapeHtml(addressOf("", language))}"><img src="${escapeHtml(assetAddress("icon.svg"))}" alt="" width="26" height="26"><span>Titian</span><small>${say("brand")}</small></a>
<search class="search" data-index="${data}" data-none="${say("noResult")}" hidden>
<input type="search" role="combobox" aria-expanded="false" aria-controls="page-results" aria-autocomplete="list" aria-label="${say("search")}" placeholder="${say("searchHint")}" autocomplete="off" spellcheck="false"><kbd aria-hidden="true">/</kbd>
<div id="page-results" role="listbox" aria-label="${say("search")}" hidden></div>
</search>
<div class="switches">${consoleAddress === undefined ? "" : `<a href="${escapeHtml(consoleAddress)}">${say("console")}</a>`}<a href="${escapeHtml(addressOf(page.path, other))}" hreflang="${other}" lang="${other}">${otherName}</a></div>
</header>`;
}

function navigation(page: SitePage, language: Language, { pages }: FrameOptions): string {
  const link = ({ path, title, badge }: SitePage) => {
    const current = path === page.path ? ' aria-current="page"' : "";
    const mark = badge === undefined ? "" : `<span class="badge">${escapeHtml(badge)}</span>`;
    return `<li><a href="${escapeHtml(addressOf(path, language))}"${current}><span>${escapeHtml(title[language])}</span>${mark}</a></li>`;
  };
  const groups = groupNames.flatMap((group) => {
    const own = pages.filter((one) => one.group === group);
    if (own.length === 0) return [];
    return [`<h2>${escapeHtml(groupTitles[group][language])}</h2><ul>${own.map(link).join("")}</ul>`];
  });
  const first = pages.filter(({ group }) => group === undefined).map((one) => link({ ...one, title: texts.overview }));
  return `<nav class="side" id="page-navigation" popover aria-label="${escapeHtml(texts.navigation[language])}">
<ul>${first.join("")}</ul>
${groups.join("\n")}
</nav>`;
}

function heading(page: SitePage, language: Language, { tryAddress }: FrameOptions): string {
  const badge = page.badge === undefined ? "" : `<span class="badge">${escapeHtml(page.badge)}</span> `;
  const note =
    page.isEnglish === true && language !== "en" ? `<p class="muted">${escapeHtml(texts.inEnglish[language])}</p>` : "";
  const tries =
    page.tries === undefined || tryAddress === undefined
      ? ""
      : `<p class="action"><a class="button" href="${escapeHtml(`${tryAddress}${page.tries}`)}">${escapeHtml(texts.tryIt[language])}</a> <span>${escapeHtml(texts.tryNote[language])}</span></p>`;
  return `<div class="heading"><h1>${badge}${escapeHtml(page.title[language])}</h1>${note}${tries}</div>`;
}

function sectionToHtml(section: Section, page: SitePage, language: Language, options: FrameOptions): string {
  const own = { linkTo: options.linkTo, marksEnglish: language !== "en" };
  const write = (blocks: Section["blocks"]) => blocks.map((block) => blockToHtml(block, own)).join("\n");
  const { heading: title, blocks, aside } = section;
  const head =
    title === undefined
      ? ""
      : `<h2 id="${escapeHtml(title.id)}">${escapeHtml(title.text)}${anchorLink(title.id)}</h2>\n`;
  const beside = aside === undefined ? "" : `\n<div class="aside">${write(aside)}</div>`;
  const kind = page.isDocument === true ? " reading" : "";
  return `<section class="part${aside === undefined ? "" : " split"}${kind}"><div class="text">${head}${write(blocks)}</div>${beside}</section>`;
}

function footer(page: SitePage, language: Language, { documents }: FrameOptions): string {
  const links = [
    { title: texts.asMarkdown[language], address: markdownAddressOf(page.path, language) },
    ...documents,
    { title: "llms.txt", address: "/llms.txt" },
  ];
  return `<footer>${links.map(({ title, address }) => `<a href="${escapeHtml(address)}">${escapeHtml(title)}</a>`).join("")}</footer>`;
}

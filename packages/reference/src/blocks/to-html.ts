/** Blocks as HTML. */
import type { Block, CardEntry, CaseEntry, FieldEntry } from "./block.ts";
import { escapeHtml } from "./escape.ts";
import { inlineToHtml, markdownToHtml, type MarkdownOptions } from "./markdown-to-html.ts";

export interface HtmlOptions {
  /** Address of a link in a document at a path of the repository, or of a link of a page's own. */
  readonly linkTo: (href: string, file?: string) => string | undefined;
  /** False where the page's language is English, so that nothing has to say so. */
  readonly marksEnglish: boolean;
}

export function blockToHtml(block: Block, options: HtmlOptions): string {
  const own: MarkdownOptions = { linkTo: (href) => options.linkTo(href) };
  switch (block.kind) {
    case "prose": {
      const mark = block.isEnglish === true && options.marksEnglish ? ' lang="en"' : "";
      return `<div class="prose"${mark}>${markdownToHtml(block.markdown, own)}</div>`;
    }
    case "document": {
      const mark = block.isEnglish && options.marksEnglish ? ' lang="en"' : "";
      const html = markdownToHtml(block.markdown, { linkTo: (href) => options.linkTo(href, block.path) });
      return `<div class="prose document"${mark}>${html}</div>`;
    }
    case "endpoint":
      return `<p class="endpoint"><span class="method">${block.method}</span> <code>${breakable(block.path)}</code></p>`;
    case "fields":
      return fieldsToHtml(block.entries, block.example, options);
    case "cases":
      return `<div class="cases">${block.entries.map((entry) => caseToHtml(entry, block.words, options)).join("")}</div>`;
    case "code":
      return codeToHtml(block);
    case "cards":
      return `<ul class="cards">${block.entries.map(cardToHtml).join("")}</ul>`;
    case "contents": {
      const items = block.entries.map(
        ({ id, text }) => `<li><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`,
      );
      return `<nav class="contents" aria-label="${escapeHtml(block.title)}"><h2>${escapeHtml(block.title)}</h2><ul>${items.join("")}</ul></nav>`;
    }
    case "action":
      return `<p class="action"><a class="button" href="${escapeHtml(block.href)}">${escapeHtml(block.text)}</a> <span>${escapeHtml(block.note)}</span></p>`;
  }
}

/** A long path may break behind its slashes. */
const breakable = (path: string): string => escapeHtml(path).replaceAll("/", "/<wbr>");

function fieldsToHtml(entries: readonly FieldEntry[], example: string, options: HtmlOptions): string {
  const lang = options.marksEnglish ? ' lang="en"' : "";
  const rows = entries.map(
    (field) => `<div class="field" id="${escapeHtml(field.id)}">
<p class="field-head"><code>${escapeHtml(field.name)}</code> <span class="type">${escapeHtml(field.type)}</span> <span class="presence${field.isMandatory ? " mandatory" : ""}">${escapeHtml(field.presence)}</span></p>
${field.description === "" ? "" : `<p${lang}>${inlineToHtml(field.description, { linkTo: (href) => options.linkTo(href) })}</p>`}${
  field.example === undefined
    ? ""
    : `\n<p class="example">${escapeHtml(example)} <code>${escapeHtml(field.example)}</code></p>`
}${field.children.length === 0 ? "" : fieldsToHtml(field.children, example, options)}
</div>`,
  );
  return `<div class="fields">${rows.join("\n")}</div>`;
}

interface CaseWords {
  readonly cause: string;
  readonly cure: string;
  readonly example: string;
}

function caseToHtml(entry: CaseEntry, words: CaseWords, options: HtmlOptions): string {
  const inline = (text: string) => inlineToHtml(text, { linkTo: (href) => options.linkTo(href) });
  const reasons = entry.reasons.map(
    ({ reason, meaning }) => `<dt><code>[${escapeHtml(reason)}]</code></dt><dd>${inline(meaning)}</dd>`,
  );
  return `<div class="case" id="${escapeHtml(entry.id)}">
<h3><span class="status s${entry.code.charAt(0)}">${escapeHtml(entry.code)}</span> <span lang="en">${escapeHtml(entry.message)}</span></h3>
<p><b>${escapeHtml(words.cause)}</b> ${inline(entry.cause)}</p>
<p><b>${escapeHtml(words.cure)}</b> ${inline(entry.cure)}</p>${
    reasons.length === 0 ? "" : `\n<dl class="reasons">${reasons.join("")}</dl>`
  }${
    entry.example === ""
      ? ""
      : `\n<details><summary>${escapeHtml(words.example)}</summary><pre class="code" tabindex="0"><code>${jsonToHtml(entry.example)}</code></pre></details>`
  }
</div>`;
}

function codeToHtml({ title, language, text }: Extract<Block, { kind: "code" }>): string {
  const content = language === "json" ? jsonToHtml(text) : escapeHtml(text);
  const wraps = language === "text" ? " wraps" : "";
  return `<figure class="sample"><figcaption>${escapeHtml(title)}</figcaption><pre class="code${wraps}" tabindex="0"><code>${content}</code></pre></figure>`;
}

const jsonToken = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null|-?\d+(?:\.\d+)?)\b/g;

/** JSON with its names and values marked. */
function jsonToHtml(json: string): string {
  let html = "";
  let end = 0;
  for (const match of json.matchAll(jsonToken)) {
    const [whole, string, colon, word] = match;
    html += escapeHtml(json.slice(end, match.index));
    end = match.index + whole.length;
    const mark = colon === undefined ? (word === undefined ? "string" : "word") : "name";
    html += `<span class="j-${mark}">${escapeHtml(string ?? word ?? "")}</span>${colon ?? ""}`;
  }
  return html + escapeHtml(json.slice(end));
}

function cardToHtml({ href, title, note, badge }: CardEntry): string {
  const mark = badge === undefined ? "" : `<span class="badge">${escapeHtml(badge)}</span>`;
  return `<li><a href="${escapeHtml(href)}">${mark}<span><strong>${escapeHtml(title)}</strong><small>${escapeHtml(note)}</small></span></a></li>`;
}

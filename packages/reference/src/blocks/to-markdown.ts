/** Blocks as Markdown, for programs that read text. */
import type { Block, FieldEntry } from "./block.ts";

export interface MarkdownLinks {
  readonly linkTo: (href: string, file?: string) => string | undefined;
}

export function blockToMarkdown(block: Block, links: MarkdownLinks): string {
  switch (block.kind) {
    case "prose":
      return withLinks(block.markdown, (href) => links.linkTo(href));
    case "document":
      return withLinks(block.markdown.replace(/^# .*\n+/, ""), (href) => links.linkTo(href, block.path)).trim();
    case "endpoint":
      return `\`${block.method} ${block.path}\``;
    case "fields":
      return fieldLines(block.entries, block.example, "").join("\n");
    case "cases":
      return block.entries
        .map(({ code, message, cause, cure, reasons }) =>
          [
            `- **${code} ${message}**`,
            `  ${block.words.cause}: ${cause}`,
            `  ${block.words.cure}: ${cure}`,
            ...reasons.map(({ reason, meaning }) => `  - \`[${reason}]\` ${meaning}`),
          ].join("\n"),
        )
        .join("\n");
    case "code":
      return `${block.title}:\n\n\`\`\`${block.language}\n${block.text}\n\`\`\``;
    case "cards":
      return block.entries
        .map(
          ({ href, title, note, badge }) => `- ${badge === undefined ? "" : `${badge} `}[${title}](${href}): ${note}`,
        )
        .join("\n");
    case "action":
      return `[${block.text}](${block.href}): ${block.note}`;
    case "contents":
      return "";
  }
}

function fieldLines(entries: readonly FieldEntry[], example: string, indent: string): readonly string[] {
  return entries.flatMap((field) => {
    const shown = field.example === undefined ? "" : ` ${example}: \`${field.example}\``;
    const line = `${indent}- \`${field.name}\` (${field.type}; ${field.presence})${field.description === "" ? "" : `: ${field.description}`}${shown}`;
    return [line, ...fieldLines(field.children, example, `${indent}  `)];
  });
}

/** Links that lead to pages, outside code blocks; others are left as their text. */
function withLinks(markdown: string, linkTo: (href: string) => string | undefined): string {
  return markdown
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) =>
      part.startsWith("```")
        ? part
        : part.replace(link, (_whole, text: string, href: string) => {
            const address = linkTo(href);
            return address === undefined ? text : `[${text}](${address})`;
          }),
    )
    .join("");
}

const link = /\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g;

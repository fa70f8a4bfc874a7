/** Parts that a page is made of before it is written as HTML or Markdown. */
import type { Block } from "./blocks/block.ts";
import type { Language, Text } from "./languages.ts";

/** Groups of the navigation, in its order: tasks of a partner first. */
export const groupNames = ["tokens", "pay", "send", "ask", "told", "errors", "sandbox", "operate"] as const;
export type GroupName = (typeof groupNames)[number];

export interface Section {
  /** Absent: the section has no heading. */
  readonly heading?: { readonly id: string; readonly text: string };
  readonly blocks: readonly Block[];
  /** Shown beside the blocks where there is room: examples, contents. */
  readonly aside?: readonly Block[];
}

export interface SitePage {
  /** Path behind `/docs/`; empty for the first page. */
  readonly path: string;
  readonly title: Text;
  /** One line for lists of pages. */
  readonly note: Text;
  readonly group: GroupName | undefined;
  /** Service code, or nothing. */
  readonly badge?: string;
  /** It shows a document of the repository. */
  readonly isDocument?: boolean;
  /** English alone: the frame around it has the reader's language. */
  readonly isEnglish?: boolean;
  /** Operation that the console can try, in the sandbox. */
  readonly tries?: string;
  readonly sections: (language: Language) => readonly Section[];
}

/** Address of a page in a language. Links keep the language, so that a reader's choice goes with them. */
export function addressOf(path: string, language: Language, anchor?: string): string {
  const page = path === "" ? "/docs" : `/docs/${path}`;
  return `${page}?lang=${language}${anchor === undefined || anchor === "" ? "" : `#${anchor}`}`;
}

/** Address of a page in Markdown. */
export const markdownAddressOf = (path: string, language: Language): string =>
  `/docs/${path === "" ? "index" : path}.md?lang=${language}`;

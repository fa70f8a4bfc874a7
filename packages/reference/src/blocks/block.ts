/** Blocks of a page's content, written as HTML and as Markdown. `markdown` is one or more paragraphs, of our own making. */

export interface FieldEntry {
  readonly id: string;
  readonly name: string;
  /** Such as "text, 1 to 64 characters". */
  readonly type: string;
  readonly presence: string;
  readonly isMandatory: boolean;
  /** In English. */
  readonly description: string;
  readonly example: string | undefined;
  readonly children: readonly FieldEntry[];
}

export interface CaseEntry {
  readonly id: string;
  readonly code: string;
  readonly message: string;
  readonly cause: string;
  readonly cure: string;
  readonly reasons: readonly { readonly reason: string; readonly meaning: string }[];
  /** JSON. */
  readonly example: string;
}

export interface CardEntry {
  readonly href: string;
  readonly title: string;
  readonly note: string;
  readonly badge?: string | undefined;
}

export type Block =
  | { readonly kind: "prose"; readonly markdown: string; readonly isEnglish?: boolean }
  /** A whole document of the repository, whose links lead from its path. */
  | { readonly kind: "document"; readonly markdown: string; readonly path: string; readonly isEnglish: boolean }
  | { readonly kind: "endpoint"; readonly method: string; readonly path: string }
  | { readonly kind: "fields"; readonly entries: readonly FieldEntry[]; readonly example: string }
  | {
      readonly kind: "cases";
      readonly entries: readonly CaseEntry[];
      readonly words: { readonly cause: string; readonly cure: string; readonly example: string };
    }
  | { readonly kind: "code"; readonly title: string; readonly language: "json" | "text"; readonly text: string }
  | { readonly kind: "cards"; readonly entries: readonly CardEntry[] }
  | { readonly kind: "contents"; readonly title: string; readonly entries: readonly { id: string; text: string }[] }
  | { readonly kind: "action"; readonly href: string; readonly text: string; readonly note: string };

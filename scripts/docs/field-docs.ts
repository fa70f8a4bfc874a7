/** The descriptions of the contract as TypeScript's own documentation, so that an editor shows them. */
import type { OperationRow } from "@titian/contract";
import type { Drift } from "./document.ts";

export const fieldDocsPath = "packages/contract/src/fields/field-docs.ts";

type Texts = Readonly<Record<string, string>>;

/** The source of `field-docs.ts`. */
export function drawFieldDocs(descriptions: Texts, rows: readonly OperationRow[]): string {
  const operations = rows.map(
    ({ name, code, title, description }) => [name, `${title} (${code}). ${description}`] as const,
  );
  return [
    "/** Drawn from descriptions.ts and the rows by `npm run docs:draw`: an editor shows what stands above a member. */",
    "",
    ...interfaceOf("FieldDocs", descriptions),
    "",
    ...interfaceOf("OperationDocs", Object.fromEntries(operations)),
    "",
  ].join("\n");
}

function interfaceOf(name: string, texts: Texts): readonly string[] {
  const members = Object.entries(texts).flatMap(([member, text]) => [
    `  /** ${text} */`,
    `  readonly ${member}: unknown;`,
  ]);
  return [`export interface ${name} {`, ...members, "}"];
}

export function checkFieldDocs(source: string, drawn: string): Drift[] {
  if (source === drawn) return [];
  return [
    { path: fieldDocsPath, line: 1, message: "the descriptions are not those of the contract: npm run docs:draw" },
  ];
}

/** The statements of a migration, which run one by one: a distributed engine sends the text of a query to its workers as it came. */

/** Comments, quoted texts and names, bodies in dollars, and what is between them. */
const tokens = /--.*|\/\*[\s\S]*?\*\/|'[^']*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|[^-/'"$;]+|[\s\S]/g;

/** A text with escapes, a comment within a comment, a body without dollars: each may hide where a statement ends. */
const unknown = /\be\x27|\/\*(?:(?!\*\/)[\s\S])*\/\*|\bbegin\s+atomic\b/i;

/** Without comments, but for those in the bodies of functions. @throws where it cannot tell where a statement ends. */
export function splitStatements(sql: string): readonly string[] {
  const [found] = unknown.exec(sql) ?? [];
  if (found !== undefined)
    throw new Error(`a migration cannot have ${found.slice(0, 20)}: its statements cannot be told apart`);
  const statements = [""];
  for (const [text] of sql.matchAll(tokens)) {
    if (text === ";") statements.push("");
    else if (!/^(?:--|\/\*)/.test(text)) statements[statements.length - 1] += text;
  }
  return statements.map((text) => text.trim()).filter((text) => text !== "");
}

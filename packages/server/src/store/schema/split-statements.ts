/** The statements of a migration, which run one by one: a distributed engine sends the text of a query to its workers as it came. */

/** Comments, quoted texts and names, bodies in dollars, and what is between them. */
const tokens = /--.*|\/\*[\s\S]*?\*\/|'[^']*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|[^-/'"$;]+|[\s\S]/g;

/** Without comments, but for those in the bodies of functions. A body in `begin atomic` is none: write it in dollars. */
export function splitStatements(sql: string): readonly string[] {
  const statements = [""];
  for (const [text] of sql.matchAll(tokens)) {
    if (text === ";") statements.push("");
    else if (!/^(?:--|\/\*)/.test(text)) statements[statements.length - 1] += text;
  }
  return statements.map((text) => text.trim()).filter((text) => text !== "");
}

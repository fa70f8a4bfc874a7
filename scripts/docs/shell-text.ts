/** Shell text by lines, without what stands in quotes. */

type Place = "code" | "single" | "double" | "substitution";

/** Same lines; a quoted character is `_`, one of a document behind `<<` a space. Substitutions in quotes are code. */
export function withoutQuoted(text: string): string {
  const places: Place[] = ["code"];
  let bare = "";
  let ends: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const place = places.at(-1);
    const [char = "", next = ""] = [text[at], text[at + 1]];
    if (char === "\n") {
      bare += char;
      const skipped = place === "code" || place === "substitution" ? lengthOfDocuments(text, at + 1, ends) : 0;
      if (skipped > 0) ends = [];
      bare += text.slice(at + 1, at + 1 + skipped).replaceAll(/[^\n]/g, " ");
      at += skipped;
    } else if (place === "single") {
      bare += "_";
      if (char === "'") places.pop();
    } else if (char === "\\") {
      bare += next === "\n" ? "\\" : "__";
      if (next !== "\n") at += 1;
    } else if (char === "$" && next === "(") {
      places.push("substitution");
      bare += "$(";
      at += 1;
    } else if (place === "double") {
      bare += char === "$" || char === "!" ? char : "_";
      if (char === '"') places.pop();
    } else if (char === "'" || char === '"') {
      places.push(char === "'" ? "single" : "double");
      bare += "_";
    } else {
      if (char === ")" && place === "substitution") places.pop();
      const [start, word] = /^<<-?\s*['"]?(\w+)/.exec(text.slice(at, at + 80)) ?? [];
      if (start !== undefined && word !== undefined) ends.push(word);
      bare += char;
    }
  }
  return bare;
}

/** The length of the documents that begin at this place, which end by lines with these words. */
function lengthOfDocuments(text: string, from: number, ends: readonly string[]): number {
  let at = from;
  for (const end of ends) {
    const found = new RegExp(`^\\s*${end}$`, "m").exec(text.slice(at));
    at = found === null ? text.length : at + found.index + found[0].length;
  }
  return at - from;
}

/** Suggestions for misspelt names. */

/** The name with the smallest edit distance, at most a third of the text's length. */
export function nearest(text: string, names: readonly string[]): string | undefined {
  const given = text.toLowerCase();
  const maxChanges = Math.max(1, Math.floor(given.length / 3));
  let best: { readonly name: string; readonly changes: number } | undefined;
  for (const name of names) {
    const known = name.toLowerCase();
    // A prefix counts as a match.
    const changes = given.length >= 4 && known.startsWith(given) ? 0 : countChanges(given, known);
    if (changes <= maxChanges && (best === undefined || changes < best.changes)) best = { name, changes };
  }
  return best?.name;
}

/** `. Did you mean …?`, or a full stop when nothing is near. */
export function suggest(text: string, names: readonly string[]): string {
  const name = nearest(text, names);
  return name === undefined ? "." : `. Did you mean ${name}?`;
}

/** Edit distance: letters to insert, remove, replace or transpose. */
function countChanges(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const replaced = at(last, column - 1) + (isSame ? 0 : 1);
      let fewest = Math.min(replaced, at(last, column) + 1, at(line, column - 1) + 1);
      if (from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        fewest = Math.min(fewest, at(beforeLast, column - 2) + 1);
      }
      line.push(fewest);
    }
    beforeLast = last;
    last = line;
  }
  return at(last, to.length);
}

function at(line: readonly number[], index: number): number {
  return line[index] ?? Number.POSITIVE_INFINITY;
}

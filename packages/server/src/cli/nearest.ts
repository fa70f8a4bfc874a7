/** What somebody probably meant: the nearest of the known names, if any is near. */

/** The name that needs the fewest changed letters, at most a third of the given text; undefined when none is so near. */
export function nearest(text: string, names: readonly string[]): string | undefined {
  const given = text.toLowerCase();
  const farthest = Math.max(1, Math.floor(given.length / 3));
  let best: { readonly name: string; readonly changes: number } | undefined;
  for (const name of names) {
    const known = name.toLowerCase();
    // What somebody typed the beginning of is nearer than its missing letters say.
    const changes = given.length >= 4 && known.startsWith(given) ? 0 : countChanges(given, known);
    if (changes <= farthest && (best === undefined || changes < best.changes)) best = { name, changes };
  }
  return best?.name;
}

/** `. Did you mean …?`, or a full stop when nothing is near. */
export function suggest(text: string, names: readonly string[]): string {
  const name = nearest(text, names);
  return name === undefined ? "." : `. Did you mean ${name}?`;
}

/** Letters to insert, remove, replace or swap with their neighbour to make one text of the other. */
function countChanges(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const replaced = at(last, column - 1) + (isSame ? 0 : 1);
      let least = Math.min(replaced, at(last, column) + 1, at(line, column - 1) + 1);
      if (from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        least = Math.min(least, at(beforeLast, column - 2) + 1);
      }
      line.push(least);
    }
    beforeLast = last;
    last = line;
  }
  return at(last, to.length);
}

function at(line: readonly number[], index: number): number {
  return line[index] ?? Number.POSITIVE_INFINITY;
}

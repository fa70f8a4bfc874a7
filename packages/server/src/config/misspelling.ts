/** Variables that were meant to be a setting: a slip of the keyboard stops a start instead of being ignored. */

/** Changes of one letter that a slip makes of a name; more is another name. */
const slipMax = 2;

/** One sentence for each of the variables that is nearly a setting. */
export function findMisspelt(variables: readonly string[], settings: readonly string[]): readonly string[] {
  return variables.flatMap((name) => {
    const meant = nearestName(name, settings);
    return meant === undefined ? [] : [`${name} is not a setting; did you mean ${meant}?`];
  });
}

function nearestName(name: string, names: readonly string[]): string | undefined {
  const near = names.map((known) => ({ known, changes: countChanges(letters(name), letters(known)) }));
  const [nearest] = near.toSorted((one, other) => one.changes - other.changes);
  return nearest !== undefined && nearest.changes <= slipMax ? nearest.known : undefined;
}

/** Underscores are left out, added and put elsewhere without a thought. */
const letters = (name: string) => name.replaceAll("_", "").toUpperCase();

/** Letters that are added, left out, other ones, or in the place of their neighbour (the distance of Damerau, restricted). */
function countChanges(one: string, other: string): number {
  let before: readonly number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const at = (line: readonly number[], place: number) => line[place] ?? Number.POSITIVE_INFINITY;
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        at(above, column) + 1,
        at(current, column - 1) + 1,
        at(above, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, above] = [above, current];
  }
  return above[other.length] ?? 0;
}

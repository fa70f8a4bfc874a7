/** Slices of a list, in its order, each of so many items at most: what one statement takes. */
export function* slicesOf<Item>(all: readonly Item[], most: number): Generator<readonly Item[]> {
  for (let from = 0; from < all.length; from += most) yield all.slice(from, from + most);
}

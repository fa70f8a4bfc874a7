/** Choices that are the same for the same seed. */
import { randomNumbers } from "../torture/random-numbers.ts";

export interface Random {
  /** A whole number from 0 to one less than `below`. */
  int(below: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  bytes(count: number): Buffer;
}

export function createRandom(seed: number): Random {
  const next = randomNumbers(seed);
  const int = (below: number) => Math.floor(next() * below);
  return {
    int,
    chance: (probability) => next() < probability,
    pick: (items) => items[int(items.length)] as (typeof items)[number],
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => int(256))),
  };
}

/** Durations on the command line: whole days, hours, minutes or seconds, as `7d`, `12h`, `45m`, `90s`. */
import { usageError } from "../cli-error.ts";

/** Largest first. */
const units: readonly (readonly [string, number])[] = [
  ["d", 86_400],
  ["h", 3_600],
  ["m", 60],
  ["s", 1],
];

/** In seconds. @throws CliError that names the option when the text is not a duration. */
export function readDuration(option: string, text: string): number {
  const [, count, letter] = /^(\d{1,9})([dhms])$/.exec(text) ?? [];
  const seconds = units.find(([name]) => name === letter)?.[1];
  if (seconds !== undefined) return Number(count) * seconds;
  throw usageError(`${option} ${text} is not a duration: write days, hours, minutes or seconds, as 7d, 12h, 45m, 90s.`);
}

/** In the largest unit that gives a whole number. */
export function showDuration(seconds: number): string {
  const [letter, size] = units.find(([, length]) => seconds % length === 0) ?? ["s", 1];
  return `${seconds / size}${letter}`;
}

/**
 * Cells beside home: databases with accounts of their own (`TITIAN_CELLS`, `TITIAN_ADMIN_CELLS`). A file with one line a cell:
 * its number, its address, and its ranges of account numbers. Every number that is in no range is home's.
 */
import { optional, string } from "@titian/contract";
import type { CellAddress } from "../../basics/cell-address.ts";
import { doOverlap, readRange, writeRanges } from "../../basics/number-ranges.ts";

const file = { description: "a file with a line for each cell: number, address, ranges" };

export const cellVariables = {
  TITIAN_CELLS: optional(string(file)),
  TITIAN_ADMIN_CELLS: optional(string(file)),
};

type Settings = { readonly [Name in keyof typeof cellVariables]?: string };

const cellsMax = 7;
const numberMax = 255;

interface ReadOptions {
  /** Administration's file comes first. */
  readonly isCommand: boolean;
  /** Its control calls administer: it reads both files. */
  readonly isSandbox?: boolean;
  readonly readText: (path: string) => string;
}

/** Every fault is added, with its line. */
export function readCells(
  settings: Settings,
  { isCommand, isSandbox = false, readText }: ReadOptions,
  faults: string[],
): readonly CellAddress[] {
  const name = isCommand && settings.TITIAN_ADMIN_CELLS !== undefined ? "TITIAN_ADMIN_CELLS" : "TITIAN_CELLS";
  const cells = readOne(settings, name, readText, faults);
  if (!isSandbox || isCommand || cells.length === 0 || settings.TITIAN_ADMIN_CELLS === undefined) return cells;
  const administered = readOne(settings, "TITIAN_ADMIN_CELLS", readText, faults);
  return cells.map((cell) => {
    const found = administered.find(({ number }) => number === cell.number);
    if (found) return { ...cell, administrationUrl: found.url };
    faults.push(`TITIAN_ADMIN_CELLS: ${settings.TITIAN_ADMIN_CELLS} has no line for cell ${cell.number}`);
    return cell;
  });
}

function readOne(
  settings: Settings,
  name: keyof Settings,
  readText: ReadOptions["readText"],
  faults: string[],
): readonly CellAddress[] {
  const path = settings[name];
  if (path === undefined) return [];
  const found: string[] = [];
  const text = readFile(path, readText, found);
  const cells = text.split("\n").flatMap((line, index) => readLine(line, `${path}, line ${index + 1}`, found));
  if (text !== "" && cells.length === 0 && found.length === 0) found.push(`${path} names no cell`);
  if (cells.length > cellsMax)
    found.push(`${path} has ${cells.length} cells: a node serves at most ${cellsMax} beside home`);
  found.push(...findShared(cells));
  faults.push(...found.map((fault) => `${name}: ${fault}`));
  return cells.toSorted((one, other) => one.number - other.number);
}

function readFile(path: string, readText: (path: string) => string, faults: string[]): string {
  try {
    return readText(path);
  } catch (error) {
    faults.push(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    return "";
  }
}

function readLine(line: string, place: string, faults: string[]): readonly CellAddress[] {
  const [first = "", url = "", ...words] = line
    .replace(/(^|\s)#.*/, "")
    .trim()
    .split(/\s+/);
  if (first === "") return [];
  const fault = (text: string) => {
    faults.push(`${place}: ${text}`);
    return [];
  };
  const number = /^\d{1,3}$/.test(first) ? Number(first) : 0;
  if (number < 1 || number > numberMax)
    return fault(`${quote(first)} is no number of a cell: 1 to ${numberMax}; 0 is home, the database of DATABASE_URL`);
  if (!/^postgres(ql)?:\/\//.test(url)) return fault("the second word is to be the cell's address, postgres://…");
  if (words.length === 0)
    return fault("a cell has at least one range of account numbers, such as 5000000000-5999999999");
  const wrong = words.find((word) => readRange(word) === undefined);
  if (wrong !== undefined)
    return fault(
      `${quote(wrong)} is no range: two account numbers of the same length, the lower one first, with a - between`,
    );
  return [{ number, url, ranges: words.flatMap((word) => readRange(word) ?? []), place }];
}

/** An address has a password. */
const quote = (word: string) => (word.includes("://") ? "an address" : `"${word}"`);

/** Numbers, addresses and account numbers that two lines claim. */
function findShared(cells: readonly CellAddress[]): readonly string[] {
  const claims = cells.flatMap((cell) => cell.ranges.map((range) => ({ cell, range })));
  return [
    ...claimedTwice(
      cells,
      (one, other) => one.number === other.number,
      (cell) => `${cell.place}: there is another line for cell ${cell.number}`,
    ),
    ...claimedTwice(
      cells,
      (one, other) => one.url === other.url,
      (cell) => `${cell.place}: another cell has the same address`,
    ),
    ...claimedTwice(
      claims,
      (one, other) => doOverlap(one.range, other.range),
      ({ cell, range }) => `${cell.place}: ${writeRanges([range])} overlaps another range`,
    ),
  ];
}

function claimedTwice<One>(
  all: readonly One[],
  isSame: (one: One, other: One) => boolean,
  describe: (one: One) => string,
) {
  return all.filter((one, index) => all.slice(0, index).some((earlier) => isSame(earlier, one))).map(describe);
}

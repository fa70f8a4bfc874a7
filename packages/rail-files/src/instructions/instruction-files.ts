/**
 * The files that instructions are written to: one a day. What is remembered is bounded: the numbers and keys of the
 * newest files, and of those before them the ones whose transfers are not known to have ended. An ended transfer is never handed over again,
 * by its state; in a database that was restored it has none, and the keys of the newest files guard it.
 */
import { type FileHandle, readdir } from "node:fs/promises";
import { join } from "node:path";
import { openToAppend } from "../files/durable-files.ts";
import { readInstruction, readInstructions, type Remembered } from "./instruction-line.ts";
import { openAfter, openInstructionsIn, toOpenInstructions } from "./open-instructions.ts";
import { openWriteAhead, type WriteAhead } from "./write-ahead.ts";

export interface InstructionFilesDeps {
  readonly directory: string;
  /** The day in Jakarta, as `2026-11-21`. */
  readonly today: () => string;
  /** Which of these reference numbers are not known as those of ended transfers. */
  readonly openAmong: (referenceNos: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Told when what has ended could not be forgotten: it is tried again the next day, or at the next start. */
  readonly onKept: (error: unknown) => void;
}

export interface InstructionFiles {
  readonly ahead: WriteAhead;
  find(referenceNo: string): Remembered | undefined;
  /** The number that the key came with first. */
  numberOf(key: string): string | undefined;
  /** Remembers what was written to the newest file, before another one is asked for. */
  remember(referenceNo: string, instruction: Remembered): void;
  /** The newest file; the day's is made when it is not there yet. */
  target(): Promise<{ readonly name: string; readonly file: FileHandle }>;
  close(): Promise<void>;
}

/** Files behind the newest one of which everything is remembered: a restored database goes back by less. */
const keptFiles = 3;

interface InstructionFile {
  readonly name: string;
  readonly file: FileHandle;
  readonly known: Map<string, Remembered>;
}

/** @throws when a line of a file cannot be read. */
export async function openInstructionFiles(deps: InstructionFilesDeps): Promise<InstructionFiles> {
  const { directory, today, openAmong, onKept } = deps;
  const openInstructions = openInstructionsIn(join(directory, "open-instructions.json"));
  const forgotten = openInstructions.read();
  await using opened = new AsyncDisposableStack();
  const ahead = await openWriteAhead(join(directory, ".write-ahead"));
  opened.defer(() => ahead.close());
  /** Of all files up to the last that is forgotten. */
  const older = new Map(openAfter(forgotten));
  /** Those behind it, the newest last: the only one that is open. */
  const files: InstructionFile[] = [];
  const numbers = new Map<string, string>();
  const index = (known: Iterable<[string, Remembered]>) => {
    for (const [referenceNo, { key }] of known)
      if (key !== undefined && !numbers.has(key)) numbers.set(key, referenceNo);
  };
  index(older);

  /** Of what is in earlier files only the open is kept; the files are not needed any more then. */
  const forgetEnded = async (last: string) => {
    const known = [...older];
    const isOpen = await openAmong(known.map(([referenceNo]) => referenceNo));
    const isKept = ([referenceNo]: readonly [string, Remembered]) => isOpen.has(referenceNo);
    await openInstructions.write(toOpenInstructions(last, known.filter(isKept)));
    for (const [referenceNo, { key = "" }] of known.filter((one) => !isKept(one))) {
      older.delete(referenceNo);
      if (numbers.get(key) === referenceNo) numbers.delete(key);
    }
  };
  let forgetting = Promise.resolve();
  const setNewest = async (next: InstructionFile) => {
    const last = files.at(-1);
    files.push(next);
    index(next.known);
    await last?.file.close();
    if (files.length <= 1 + keptFiles) return;
    const [{ name, known }] = files.splice(0, 1) as [InstructionFile];
    for (const [referenceNo, one] of known) older.set(referenceNo, one);
    forgetting = forgetting.then(() => forgetEnded(name)).catch(onKept);
  };
  opened.defer(async () => {
    await forgetting;
    await files.at(-1)?.file.close();
  });

  for (const name of await listFiles(directory, forgotten.upTo))
    await setNewest(await openFile(directory, name, ahead));
  await forgetting;
  const owned = opened.move();
  return {
    ahead,
    find: (referenceNo) =>
      files.findLast(({ known }) => known.has(referenceNo))?.known.get(referenceNo) ?? older.get(referenceNo),
    numberOf: (key) => numbers.get(key),
    remember: (referenceNo, instruction) => {
      files.at(-1)?.known.set(referenceNo, instruction);
      index([[referenceNo, instruction]]);
    },
    target: async () => {
      const name = nameOf(today());
      // Time may have gone back: a newer file stays the newest.
      const newest = files.at(-1);
      if (newest !== undefined && placeOf(newest.name) >= placeOf(name)) return newest;
      const made = { name, file: await openToAppend(join(directory, name)), known: new Map() };
      await setNewest(made);
      return made;
    },
    close: () => owned.disposeAsync(),
  };
}

/** Before there was one a day. */
const undated = "instructions.jsonl";

function nameOf(day: string): string {
  return `instructions-${day}.jsonl`;
}

/** What sorts the files: the undated one comes first. */
function placeOf(name: string): string {
  return name === undated ? "" : name;
}

/** The files behind the given one, the oldest first. */
async function listFiles(directory: string, upTo: string): Promise<readonly string[]> {
  const names = (await readdir(directory)).filter((name) => /^instructions(-\d{4}-\d\d-\d\d)?\.jsonl$/.test(name));
  const isBehind = (name: string) => upTo === "" || placeOf(name) > placeOf(upTo);
  return names.filter(isBehind).toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

/** Opens it as it was written: what a crash cut off is cut away, and appended again if it was durable by then. */
async function openFile(directory: string, name: string, { last }: WriteAhead): Promise<InstructionFile> {
  const path = join(directory, name);
  const file = await openToAppend(path);
  try {
    const { known, end } = await readInstructions(file, path);
    await file.truncate(end);
    const lines = last?.name === name ? last.text.split("\n").slice(0, -1) : [];
    const lost = lines.filter((line) => !known.has(readInstruction(line)?.referenceNo ?? ""));
    if (lost.length > 0) await file.appendFile(lost.map((line) => `${line}\n`).join(""));
    await file.sync();
    return lost.length > 0 ? { name, file, known: (await readInstructions(file, path)).known } : { name, file, known };
  } catch (error) {
    await file.close();
    throw error;
  }
}

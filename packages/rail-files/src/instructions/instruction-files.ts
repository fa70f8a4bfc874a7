/**
 * The files that instructions are written to: one a day. What is remembered is bounded: the numbers of the newest file,
 * and of those before it the ones whose transfers are open. An ended transfer is never handed over again, by its state.
 */
import { type FileHandle, readdir } from "node:fs/promises";
import { join } from "node:path";
import { openToAppend } from "../files/durable-files.ts";
import { readInstruction, readInstructions, type Remembered } from "./instruction-line.ts";
import { openInstructionsIn } from "./open-instructions.ts";
import { openWriteAhead, type WriteAhead } from "./write-ahead.ts";

export interface InstructionFilesDeps {
  readonly directory: string;
  /** The day in Jakarta, as `2026-11-21`. */
  readonly today: () => string;
  /** Which of these reference numbers are of transfers that have not ended. */
  readonly openAmong: (referenceNos: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Told when what has ended could not be forgotten: it is tried again the next day, or at the next start. */
  readonly onKept: (error: unknown) => void;
}

export interface InstructionFiles {
  readonly ahead: WriteAhead;
  find(referenceNo: string): Remembered | undefined;
  /** Remembers what was written to the newest file, before another one is asked for. */
  remember(referenceNo: string, content: string): void;
  /** The newest file; the day's is made when it is not there yet. */
  target(): Promise<{ readonly name: string; readonly file: FileHandle }>;
  close(): Promise<void>;
}

interface Newest {
  readonly name: string;
  readonly file: FileHandle;
  readonly known: Map<string, Remembered>;
}

/** @throws when a line of a file cannot be read. */
export async function openInstructionFiles(deps: InstructionFilesDeps): Promise<InstructionFiles> {
  const { directory, today, openAmong, onKept } = deps;
  const openInstructions = openInstructionsIn(join(directory, "open-instructions.json"));
  const { upTo, open } = openInstructions.read();
  await using opened = new AsyncDisposableStack();
  const ahead = await openWriteAhead(join(directory, ".write-ahead"));
  opened.defer(() => ahead.close());
  const older = new Map<string, Remembered>(Object.entries(open).map(([no, content]) => [no, { content }]));
  let newest: Newest | undefined;

  /** Of what is in earlier files only the open is kept; the files are not needed any more then. */
  const forgetEnded = async (last: string) => {
    const known = [...older];
    const isOpen = await openAmong(known.map(([referenceNo]) => referenceNo));
    const kept: Record<string, string> = {};
    for (const [referenceNo, { content }] of known) if (isOpen.has(referenceNo)) kept[referenceNo] = content;
    await openInstructions.write({ upTo: last, open: kept });
    for (const [referenceNo] of known) if (!isOpen.has(referenceNo)) older.delete(referenceNo);
  };
  let forgetting = Promise.resolve();
  const setNewest = async (next: Newest | undefined) => {
    if (newest === undefined) return void (newest = next);
    const last = newest;
    for (const [referenceNo, one] of last.known) older.set(referenceNo, one);
    newest = next;
    await last.file.close();
    forgetting = forgetting.then(() => forgetEnded(last.name)).catch(onKept);
  };
  opened.defer(async () => {
    await forgetting;
    await newest?.file.close();
  });

  for (const name of await listFiles(directory, upTo)) await setNewest(await openFile(directory, name, ahead));
  await forgetting;
  const owned = opened.move();
  return {
    ahead,
    find: (referenceNo) => newest?.known.get(referenceNo) ?? older.get(referenceNo),
    remember: (referenceNo, content) => void newest?.known.set(referenceNo, { content }),
    target: async () => {
      const name = nameOf(today());
      // Time may have gone back: a newer file stays the newest.
      if (newest === undefined || placeOf(newest.name) < placeOf(name)) {
        await setNewest({ name, file: await openToAppend(join(directory, name)), known: new Map() });
      }
      return newest as Newest;
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
async function openFile(directory: string, name: string, { last }: WriteAhead): Promise<Newest> {
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

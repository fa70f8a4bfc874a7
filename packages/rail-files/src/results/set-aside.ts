/** Invalid lines of results: kept in a file of their own, each once, for an operator. */
import { escapeControls } from "@titian/server/rails";
import { openToAppend } from "../files/durable-files.ts";
import { readLines } from "../files/json-lines.ts";

export interface BadLine {
  /** Name of the file of results. */
  readonly file: string;
  readonly line: number;
  readonly fault: string;
  readonly text: string;
}

export interface SetAside {
  has(file: string, line: number): boolean;
  /** Resolves when it is durable. */
  add(bad: BadLine): Promise<void>;
  close(): Promise<void>;
}

export async function openSetAside(path: string): Promise<SetAside> {
  const file = await openToAppend(path);
  const known = new Set<string>();
  let end = 0;
  for await (const line of readLines(file, 0)) {
    end = line.end;
    const place = readPlace(line.bytes);
    if (place !== undefined) known.add(place);
  }
  // Cut off by a crash: its line comes again.
  await file.truncate(end);
  return {
    has: (name, line) => known.has(placeOf(name, line)),
    add: async (bad) => {
      await file.appendFile(`${escapeControls(JSON.stringify(bad))}\n`);
      await file.datasync();
      known.add(placeOf(bad.file, bad.line));
    },
    close: () => file.close(),
  };
}

const placeOf = (file: string, line: number) => `${line} ${file}`;

/** An operator may have edited the file: what cannot be read there is passed over. A long text is cut off in reading. */
function readPlace(bytes: Buffer): string | undefined {
  const [, file, line] = /^\{"file":("(?:[^"\\]|\\.)*"),"line":(\d+),/.exec(bytes.toString("utf8")) ?? [];
  const name: unknown = file === undefined ? undefined : JSON.parse(file);
  return typeof name === "string" ? placeOf(name, Number(line)) : undefined;
}

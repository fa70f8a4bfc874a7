/** Every program that the console shows: each language with each operation, for a partner of each way of signing. */
import type { CodeLanguage, OperationView } from "../../packages/sandbox/src/types.ts";
import { makeProgramDirectory, whyNot } from "../support/shown-programs/run-program.ts";
import { findPrograms, pasteOperation, programsOf } from "./console-programs.ts";
import { openSession } from "./session.ts";
import { shellNames } from "./terminal.ts";
import { openRails, type World } from "./world.ts";

/** Mode 1 and mode 2. */
const partners = ["alpha", "gamma"] as const;

export interface MatrixRow {
  readonly name: string;
  readonly programs: number;
  readonly faults: readonly string[];
}

/** curl, pasted into each shell. */
export async function pastePrograms(world: World): Promise<readonly MatrixRow[]> {
  const rows: MatrixRow[] = [];
  for (const shell of shellNames) {
    const faults: string[] = [];
    let count = 0;
    await using session = await openSession({ shell, dataDir: world.dataDir });
    for (const [partnerId, operation] of await calls(world)) {
      const { answered, leftBehind } = await pasteOperation(world, session, operation, partnerId);
      count += 1;
      if (answered !== true) faults.push(`${partnerId} ${operation.name}: ${answered}`);
      faults.push(...leftBehind.map((what) => `${partnerId} ${operation.name} left behind ${what}`));
    }
    rows.push({ name: `curl programs, pasted into ${shell}`, programs: count, faults });
  }
  return rows;
}

/** One language, each program as a file. */
export async function runPrograms(world: World, language: CodeLanguage): Promise<MatrixRow> {
  const name = `${language} programs`;
  const missing = await whyNot(language);
  if (missing !== undefined) return { name, programs: 0, faults: [missing] };
  using directory = makeProgramDirectory();
  const faults: string[] = [];
  let count = 0;
  for (const [partnerId, operation] of await calls(world)) {
    const code = (await programsOf(world, operation, partnerId))[language];
    const answer = await directory.run(language, code).catch((error: unknown) => ({ responseCode: String(error) }));
    count += 1;
    const found = String(answer["responseCode"]);
    if (!new RegExp(`^20[02]${operation.code}00$`).test(found)) faults.push(`${partnerId} ${operation.name}: ${found}`);
  }
  return { name, programs: count, faults };
}

async function calls(world: World): Promise<readonly (readonly [partnerId: string, operation: OperationView])[]> {
  await openRails(world);
  const operations = await findPrograms(world);
  return partners.flatMap((partnerId) => operations.map((operation) => [partnerId, operation] as const));
}

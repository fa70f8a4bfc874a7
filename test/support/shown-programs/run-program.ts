/** The console's programs, and those of examples/calls, each run as a file by its language. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { CodeLanguage } from "../../../packages/sandbox/src/types.ts";
import type { Json } from "../black-box/caller.ts";

interface Program {
  readonly file: string;
  readonly command: readonly string[];
  /** Command that this machine can run where it has the language. */
  readonly probe: readonly string[];
}

const programs: Readonly<Record<CodeLanguage, Program>> = {
  curl: { file: "call.sh", command: ["sh"], probe: ["curl", "--version"] },
  sdk: { file: "call.mjs", command: [process.execPath, "--conditions=source"], probe: [process.execPath, "-v"] },
  python: { file: "call.py", command: ["python3"], probe: ["python3", "-c", "import cryptography"] },
  java: {
    file: "Call.java",
    command: ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"],
    probe: ["javac", "-version"],
  },
  go: { file: "call.go", command: ["go", "run"], probe: ["go", "version"] },
  php: { file: "call.php", command: ["php"], probe: ["php", "-m"] },
};

const run = promisify(execFile);

/**
 * Reason why this machine cannot run programs of the language; undefined where it can. With RECEIVER_LANGUAGES=all a missing
 * language fails instead.
 */
export async function whyNot(language: CodeLanguage): Promise<string | undefined> {
  if (process.env["RECEIVER_LANGUAGES"] === "all") return undefined;
  const [command = "", ...args] = programs[language].probe;
  return run(command, args).then(
    () => undefined,
    () => `${programs[language].probe.join(" ")} does not run here`,
  );
}

/** Runs a program of examples/calls against the sandbox of the data directory. */
export async function runExample(language: CodeLanguage, path: string, dataDir: string): Promise<Json> {
  const [program = "", ...args] = programs[language].command;
  const env = { ...process.env, TITIAN_DATA_DIR: dataDir };
  return answerIn(language, (await run(program, [...args, path], { env })).stdout);
}

function answerIn(language: CodeLanguage, stdout: string): Json {
  if (language !== "sdk") return JSON.parse(stdout) as Json;
  return {
    responseCode: /responseCode: '(\d+)'/.exec(stdout)?.[1] ?? /"responseCode":"(\d+)"/.exec(stdout)?.[1],
    stdout,
  };
}

/** End of a program that says why it has no success to print. */
interface Failed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramDirectory extends Disposable {
  /** The response; of the client's program its code, and what was printed. */
  run(language: CodeLanguage, code: string): Promise<Json>;
  /** @throws when it succeeds. */
  fail(language: CodeLanguage, code: string): Promise<Failed>;
}

/** Our packages can be imported there. */
export function makeProgramDirectory(): ProgramDirectory {
  const directory = mkdtempSync(join(tmpdir(), "titian-code-"));
  symlinkSync(resolve(import.meta.dirname, "../../../node_modules"), join(directory, "node_modules"));
  const start = (language: CodeLanguage, code: string) => {
    const { file: name, command } = programs[language];
    const path = join(directory, name);
    writeFileSync(path, code);
    const [program = "", ...args] = command;
    return run(program, [...args, path], { cwd: directory });
  };
  return {
    run: async (language, code) => answerIn(language, (await start(language, code)).stdout),
    fail: (language, code) =>
      start(language, code).then(
        ({ stdout }) => Promise.reject(new Error(`succeeded: ${stdout}`)),
        (failed: Failed) => failed,
      ),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true }),
  };
}

/** A user's session: a shell at the root of a checkout, a home without files, and what a pasted block leaves behind. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { makePrograms, type ProgramsOptions } from "./programs.ts";
import { openTerminal, type ShellName, type Terminal } from "./terminal.ts";
import { type HostOptions, startTitianHost } from "./titian-host.ts";

const root = resolve(import.meta.dirname, "../..");
/** Files that commands of the repository use of it. */
const linked = ["package.json", "packages", "scripts", "examples", "node_modules"];

export interface Pasted {
  readonly output: string;
  /** Exit code of the last command. */
  readonly exitCode: number;
  /** Runs of programs: name, number of arguments, exit code. Sorted: the programs of a pipe end in any order. */
  readonly runs: readonly string[];
  /** Response codes in what was shown, and errors of control calls. */
  readonly codes: readonly string[];
  /** Changes that the block made in the shell or left in the checkout. */
  readonly leftBehind: readonly string[];
}

export interface Session extends AsyncDisposable {
  readonly shell: ShellName;
  /** The checkout. */
  readonly cwd: string;
  readonly home: string;
  paste(text: string, options?: PasteOptions): Promise<Pasted>;
  /** Pastes a command that goes on, until the session ends. */
  start(text: string, shown: RegExp): Promise<string>;
}

export interface PasteOptions {
  /** The command goes on until Ctrl-C, which is given once this is shown. */
  readonly until?: RegExp;
  readonly limitMs?: number;
}

export interface SessionOptions {
  readonly shell: ShellName;
  /** Data directory of the running sandbox; absent: there is none. */
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly programs?: Pick<ProgramsOptions, "standIns" | "busybox" | "withoutServices">;
  /** Absent: `titian` is run in each shell. */
  readonly host?: Omit<HostOptions, "directory">;
}

/** Files that the checkout ignores, and what Node keeps of compiled sources in the temporary directory. */
const ignored = /(?:^|\/)(?:\.titian|node-compile-cache)(?:\/|$)|\.log$/;

export async function openSession(options: SessionOptions): Promise<Session> {
  const { shell, dataDir, env = {}, programs = {}, host } = options;
  await using stack = new AsyncDisposableStack();
  const directory = mkdtempSync(join(tmpdir(), "titian-sh-"));
  stack.defer(() => rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const [cwd, home, temporary] = ["titian", "home", "tmp"].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  for (const made of [cwd, home, temporary]) mkdirSync(made);
  for (const name of linked) symlinkSync(join(root, name), join(cwd, name));
  if (dataDir !== undefined) symlinkSync(dataDir, join(cwd, ".titian"));
  const log = join(directory, "runs");
  const state = join(directory, "state");
  const noted = join(directory, "note-state");
  writeFileSync(noted, noteState(state));
  const asked = host && stack.use(await startTitianHost({ ...host, directory }));
  const path = makePrograms({ directory: join(directory, "bin"), log, socket: asked?.socket, ...programs });
  const terminal = stack.use(
    await openTerminal({
      shell,
      cwd,
      confirms: asked === undefined,
      env: { PATH: path, HOME: home, TMPDIR: temporary, LC_ALL: "C.UTF-8", PORT: "0", ...env },
    }),
  );
  const owned = stack.move();
  const look = async () => {
    await terminal.paste(`. ${noted}`);
    return { state: parseState(readFileSync(state, "utf8")), files: [...listFiles(cwd), ...listFiles(temporary)] };
  };
  return {
    shell,
    cwd,
    home,
    start: async (text, shown) => {
      const output = await terminal.start(text, shown);
      owned.defer(async () => void (await terminal.interrupt()));
      return output;
    },
    paste: (text, pasteOptions) => pasteInto({ terminal, look, log, directory }, text, pasteOptions),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

interface Open {
  readonly terminal: Terminal;
  readonly log: string;
  readonly directory: string;
  look(): Promise<{ readonly state: State; readonly files: readonly string[] }>;
}

async function pasteInto(
  { terminal, look, log, directory }: Open,
  text: string,
  { until, limitMs }: PasteOptions = {},
): Promise<Pasted> {
  const before = await look();
  rmSync(log, { force: true });
  const output =
    until === undefined
      ? await terminal.paste(text, limitMs)
      : (await terminal.start(text, until, limitMs)) + (await terminal.interrupt(limitMs));
  const runs = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
  const after = await look();
  const made = after.files.filter((file) => !before.files.includes(file) && !ignored.test(file));
  const keys = made.filter((file) => holdsKey(file));
  return {
    output: output.slice(0, -"READY> ".length),
    exitCode: Number(after.state["exit"]),
    runs: runs.filter((line) => line !== "").toSorted(),
    codes: [...output.matchAll(/"responseCode": ?"(\d{7})"|"error": ?\{"code": ?"(\w+)"/g)].map(
      ([, code, error]) => code ?? error ?? "",
    ),
    leftBehind: [
      ...compareStates(before.state, after.state),
      ...made.map((file) => `the file ${file.slice(directory.length + 1)}`),
      ...keys.map((file) => `a private key in ${file.slice(directory.length + 1)}`),
    ],
  };
}

type State = Readonly<Record<string, string>>;

const separator = "====";

/** State of a shell in its own words: read by `.`, it sees the session's own. */
function noteState(file: string): string {
  return `{
printf 'exit %s\\n${separator}\\n' "$?"
printf 'umask '; umask; printf '${separator}\\n'
printf 'directory %s\\n${separator}\\n' "$PWD"
printf 'options '; set -o; printf '${separator}\\n'
printf 'traps '; trap; printf '${separator}\\n'
printf 'PATH %s\\n${separator}\\n' "$PATH"
printf 'IFS %s\\n${separator}\\n' "$IFS"
printf 'environment '; export -p; printf '${separator}\\n'
} >| '${file}'
`;
}

function parseState(text: string): State {
  const parts = text.split(`${separator}\n`).map((part) => /^(\w+) ?(.*)$/s.exec(part.trimEnd()) ?? []);
  return Object.fromEntries(parts.filter(([, name]) => name !== undefined).map(([, name, value]) => [name, value]));
}

/** Differences by name; new variables of the environment are what a block is for. */
function compareStates(before: State, after: State): readonly string[] {
  const changed = Object.keys(before)
    .filter((name) => !["exit", "environment"].includes(name) && before[name] !== after[name])
    .map((name) => `${name}: ${after[name]}`);
  const [old, now] = [before, after].map((state) => exportedBy(state["environment"] ?? ""));
  const lost = [...(old ?? [])]
    .filter(([name, value]) => now?.get(name) !== value)
    .map(([name]) => `${name} was changed`);
  return [...changed, ...lost];
}

function exportedBy(text: string): ReadonlyMap<string, string> {
  const entries = text.split("\n").map((line) => /^(?:declare -x|export|typeset -x) (\w+)=(.*)$/.exec(line));
  const found = entries.filter((entry) => entry !== null).map(([, name = "", value = ""]) => [name, value] as const);
  return new Map(found.filter(([name]) => !["OLDPWD", "_", "SHLVL"].includes(name)));
}

/** Without what is linked. */
function listFiles(directory: string): readonly string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? listFiles(path) : entry.isFile() ? [path] : [];
  });
}

function holdsKey(file: string): boolean {
  return readFileSync(file, "latin1").includes("PRIVATE KEY");
}

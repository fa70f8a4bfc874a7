/** Programs that the pasted blocks start, and those that stand before them in PATH. */
import { accessSync, chmodSync, constants, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Debian's package of each program that a run needs. */
const packages = {
  bash: "bash",
  zsh: "zsh",
  dash: "dash",
  busybox: "busybox",
  script: "bsdutils",
  setpriv: "util-linux",
  curl: "curl",
  openssl: "openssl",
  php: "php-cli php-curl",
  java: "default-jdk-headless",
} as const;

export function findProgram(name: string): string | undefined {
  const directories = (process.env["PATH"] ?? "").split(delimiter);
  return directories.map((directory) => join(directory, name)).find((file) => isProgram(file));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @throws with the command that installs what is missing. */
export function requirePrograms(names: readonly (keyof typeof packages)[]): void {
  const missing = names.filter((name) => findProgram(name) === undefined);
  if (missing.length === 0) return;
  const command = `apt-get install ${missing.map((name) => packages[name]).join(" ")}`;
  throw new Error(`This run starts programs that are not here: ${missing.join(", ")}. Install them: ${command}`);
}

/** Run as they are; a line in the log tells each run's name, number of arguments and exit code. */
const witnessed = ["curl", "openssl", "node", "date", "sed", "cut", "cp", "pg_dump", "tee", "cat", "mktemp", "base64"];
/** Programs that macOS has in another form than Linux; openssl and curl are programs of their own on both. */
const applets = [
  "date",
  "base64",
  "sed",
  "cut",
  "cp",
  "cat",
  "tee",
  "mktemp",
  "readlink",
  "grep",
  "stat",
  "head",
  "tail",
].concat(["tr", "sort", "sha256sum", "xargs", "find", "awk", "rm", "mkdir", "ls", "wc", "env", "printf"]);

export interface ProgramsOptions {
  readonly directory: string;
  readonly log: string;
  /** Where `titian` is asked for; absent: it is run. */
  readonly socket: string | undefined;
  /** Names that record their arguments, and of programs no other. */
  readonly standIns?: readonly string[];
  readonly busybox?: boolean;
  /** Commands that go on are not started either. */
  readonly withoutServices?: boolean;
}

/** Makes a directory of programs; what PATH is to be. */
export function makePrograms({
  directory,
  log,
  socket,
  standIns,
  busybox = false,
  withoutServices,
}: ProgramsOptions): string {
  mkdirSync(directory, { recursive: true });
  const write = (name: string, ...lines: readonly string[]) => {
    const file = join(directory, name);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, ["#!/bin/sh", ...lines, ""].join("\n"));
    chmodSync(file, 0o755);
  };
  const note = (name: string) => `printf '%s\\n' "${name} $# $code" >> '${log}'`;
  const ask = (name: string) => askLines(name, socket ?? "", note(name));
  if (standIns !== undefined) {
    for (const name of standIns) write(name, ...ask(name));
    return directory;
  }
  const applet = busybox ? makeApplets(join(directory, "busybox")) : undefined;
  for (const name of witnessed) {
    const file = busybox && applets.includes(name) ? join(directory, "busybox", name) : findProgram(name);
    // npm is a program of node's: what is noted is what the block runs.
    const ofNpm = name === "node" ? [`case "$1" in */npm) exec '${file}' "$@" ;; esac`] : [];
    if (file !== undefined) write(name, ...ofNpm, `'${file}' "$@"`, "code=$?", note(name), "exit $code");
  }
  const npm = findProgram("npm") ?? "npm";
  const asTitian = `[ "$1 $2 $3 $4" = "run -s titian --" ] && shift 4 && exec titian "$@"`;
  if (socket === undefined) {
    write("titian", `'${npm}' run -s titian -- "$@"`, "code=$?", note("titian"), "exit $code");
    write("npm", asTitian, `exec '${npm}' "$@"`);
  } else {
    const goesOn = withoutServices
      ? "echo 'Ctrl-C ends this stand-in'; exec sleep 600"
      : `exec '${npm}' run -s titian -- "$@"`;
    write("titian", `case "$1 $*" in listen*|serve*|*--follow*) ${goesOn} ;; esac`, ...ask("titian"));
    const service = `[ "$1" = start ] && echo "Titian is ready: a stand-in" && exec sleep 600`;
    write("npm", asTitian, service, `exec '${npm}' "$@"`);
  }
  return [directory, applet, process.env["PATH"]].filter((part) => part !== undefined).join(delimiter);
}

function makeApplets(directory: string): string {
  mkdirSync(directory, { recursive: true });
  for (const name of applets) {
    const file = join(directory, name);
    if (!existsSync(file)) symlinkSync(findProgram("busybox") ?? "busybox", file);
  }
  return directory;
}

/** Sends name, directory, environment and arguments, and shows the response: files of output, and the exit code. */
function askLines(name: string, socket: string, note: string): readonly string[] {
  return [
    "count=$# index=0 input=",
    `for word in "$@"; do [ "$word" = - ] && input=input@-; done`,
    'while [ "$index" -lt "$count" ]; do',
    '  word=$1; shift; set -- "$@" --data-urlencode "arg=$word"; index=$((index + 1))',
    "done",
    '[ -n "$input" ] && set -- "$@" --data-urlencode "$input"',
    `answer=$('${findProgram("curl")}' -sS --unix-socket '${socket}' --data-urlencode 'name=${name}' \\`,
    `  --data-urlencode "cwd=$PWD" --data-urlencode "env=$(/usr/bin/env)" "$@" http://localhost/) || exit 125`,
    "set -- $answer",
    '/bin/cat "$1.out"',
    '/bin/cat "$1.err" >&2',
    "code=$2",
    'while [ "$index" -gt 0 ]; do set -- "$@" x; index=$((index - 1)); done',
    "shift 2",
    note,
    "exit $code",
  ];
}

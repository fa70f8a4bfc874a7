/** Rules for text that is pasted into somebody's shell, whichever it is: bash, zsh or dash, on Linux or macOS. */
import type { Document, Drift } from "./document.ts";
import { shellBlocksOf } from "./shell-blocks.ts";
import { withoutQuoted } from "./shell-text.ts";

interface Rule {
  /** Looked for in each line without its quoted parts. */
  readonly found: RegExp;
  readonly message: string;
  /** Harmless in a subshell. */
  readonly isOfTheShell?: true;
}

/** Parameters that zsh ties to others, sets or protects. */
const special = [
  "path|fpath|cdpath|manpath|mailpath|module_path|fignore|psvar|watch|status|signals|argv|pipestatus|prompt|histchars",
  "PATH|IFS|UID|EUID|GID|EGID|USERNAME|HOME|PWD|SHELL|RANDOM|SECONDS|LINENO|TTY|PS1|PS2|ENV",
].join("|");

/** Where a command may begin. */
const start = String.raw`(?:^|[;&|({\n]|\b(?:then|do|else)\b)\s*`;
const command = (text: string) => new RegExp(`${start}${text}`);

const inTheShell: readonly Rule[] = [
  {
    found: /(?:^|\s)#/,
    message: "a comment: zsh takes its words as arguments, or # as a command. Say it beside the block",
  },
  {
    found: new RegExp(
      String.raw`(?:^|[\s;&|({])(?!IFS=\S* read )(?:${special})=|\b(?:read|for|local|typeset)\b.* (?:${special})\b`,
    ),
    message: "this variable is the shell's own (zsh ties path to PATH): choose another name",
  },
  {
    found: command(String.raw`(?:set\s+[-+]|setopt|unsetopt|shopt)`),
    message: "it changes options of the user's shell",
    isOfTheShell: true,
  },
  { found: command("trap\\b"), message: "it leaves a trap in the user's shell", isOfTheShell: true },
  { found: command("umask\\b"), message: "it changes the umask of the user's shell", isOfTheShell: true },
  { found: command("(?:exit|exec|return)\\b"), message: "it ends the user's shell", isOfTheShell: true },
  { found: /[^\s$]\?|(?:^|\s)\?/, message: "an unquoted ? is a pattern: zsh looks for a file" },
  { found: /\w\[\w*\]/, message: "unquoted brackets are a pattern: zsh looks for a file" },
  { found: /(?:^|\s)=\w/, message: "zsh takes an unquoted = at the start of a word as a command's path" },
  { found: /![^\s=)]/, message: "bash and zsh take ! as a line of their history: put it in single quotes" },
  { found: />\s*\S*\.(?:pem|key)\b/, message: "it writes a key into the checkout" },
];

const gnu = (text: string, instead: string): Rule => ({
  found: new RegExp(String.raw`\b${text}`),
  message: `macOS has another one: ${instead}`,
});

const onLinuxAlone: readonly Rule[] = [
  gnu(String.raw`date\b.*%(?:\d*N|:+z)`, "date -u +%Y-%m-%dT%H:%M:%SZ, and openssl rand -hex 16 for a number"),
  gnu(String.raw`date\s+(?:-d|--date|-I|--iso)`, "give the format with +"),
  gnu(String.raw`base64\s+(?:-w|--wrap)`, "openssl base64 -A"),
  gnu(String.raw`base64\s+(?:-d\b|--decode)`, "openssl base64 -d -A"),
  gnu(String.raw`sed\s+(?:-[a-zA-Z]+\s+)*(?:-i|--in-place|-r\b)`, "write to another file, and -E instead of -r"),
  gnu(String.raw`readlink\s+-f`, "cd and pwd -P"),
  gnu(String.raw`(?:sha\d+sum|md5sum)\b`, "openssl dgst -sha256 -r"),
  gnu(String.raw`grep\s+-\w*P`, "grep -E"),
  gnu(String.raw`(?:tac|timeout|nproc|setsid|numfmt|shuf)\s`, "it has none of that name"),
  gnu(
    String.raw`(?:stat\s+-c|xargs\s+-r|sort\s+-V|cp\s+--|mktemp\s+--|find\b.*-printf|head\s+-n\s*-)`,
    "that option is GNU's",
  ),
  gnu(String.raw`echo\s+-[en]\b`, "printf"),
  { found: /\b(?:pbpaste|pbcopy|xclip|xdg-open)\b/, message: "not every system has it" },
];

/** Formats stand in quotes now and then: these rules see the whole line. */
const whole = new Set(onLinuxAlone);
const rules = [...inTheShell, ...onLinuxAlone];

/** Finds what a text breaks when it is pasted, by its lines, counted from 0. */
export function checkShellText(text: string): readonly { readonly line: number; readonly message: string }[] {
  const lines = text.split("\n");
  const isSubshell = /^\(\n[^]*\n\)\n*$/.test(text);
  const kept = rules.filter(({ isOfTheShell }) => !(isSubshell && isOfTheShell));
  return withoutQuoted(text)
    .split("\n")
    .flatMap((bare, line) =>
      kept
        .filter((rule) => rule.found.test(whole.has(rule) ? (lines[line] ?? "") : bare))
        .map(({ message }) => ({ line, message })),
    );
}

export function checkShellBlocks(documents: readonly Document[]): Drift[] {
  return documents
    .flatMap(shellBlocksOf)
    .flatMap(({ path, line: first, text }) =>
      checkShellText(text).map(({ line, message }) => ({ path, line: first + line, message })),
    );
}

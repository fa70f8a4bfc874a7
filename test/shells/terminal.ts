/** A shell in a pseudo-terminal, into which blocks are pasted as a terminal does: bracketed where the shell asks for it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { stripVTControlCharacters } from "node:util";
import { findProgram } from "./programs.ts";

export type ShellName = "bash" | "zsh" | "dash";
export const shellNames: readonly ShellName[] = ["bash", "zsh", "dash"];

export interface Terminal extends AsyncDisposable {
  /** Pastes the text and waits for the next prompt; what was shown meanwhile. */
  paste(text: string, limitMs?: number): Promise<string>;
  /** Pastes a command that goes on, and waits until it shows this. */
  start(text: string, shown: RegExp, limitMs?: number): Promise<string>;
  /** Ctrl-C, and waits for the next prompt. */
  interrupt(limitMs?: number): Promise<string>;
}

const prompt = "READY> ";
/** A prompt that waits for input, as it is sent to the terminal: while text is edited, it may be drawn again. */
const readyForInput: Readonly<Record<ShellName, string>> = {
  bash: `\u001B[?2004h${prompt}`,
  zsh: `${prompt}\u001B[K\u001B[?2004h`,
  dash: prompt,
};
/** Prompt of the second and later lines of a command, where the shell reads by lines. */
const more = "MORE> ";
const question = "[y/N] ";
const ctrlC = "\u0003";

/** Without the files of a user or of the system: what they hold differs from one machine to the next. */
const options: Readonly<Record<ShellName, string>> = {
  bash: "--norc --noprofile -i",
  zsh: "-f -i -o no_prompt_sp",
  dash: "-i",
};

/** Ends with the tests, however these end; then the terminal hangs up on what runs in it. */
const withParent = ["--pdeathsig", "KILL"];

const usualLimitMs = 60_000;

export interface TerminalOptions {
  readonly shell: ShellName;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Questions for a confirmation are answered with yes. */
  readonly confirms: boolean;
}

export async function openTerminal({ shell, cwd, env, confirms }: TerminalOptions): Promise<Terminal> {
  // The programs that stand before others are for the shell alone.
  const { PATH = "", ...others } = env;
  const start = `stty rows 50 cols 200; exec env -u SHELL_PATH "PATH=$SHELL_PATH" PS1='${prompt}' PS2='${more}' ${findProgram(shell)} ${options[shell]}`;
  const child = spawn("setpriv", [...withParent, "script", "-qfec", start, "/dev/null"], {
    cwd,
    env: { ...others, PATH: process.env["PATH"] ?? "", SHELL_PATH: PATH, SHELL: "/bin/sh", TERM: "xterm" },
  });
  const screen = watchScreen(child, shell, confirms);
  const atPrompt = () => screen.raw().endsWith(readyForInput[shell]);
  const isBracketed = shell !== "dash";
  await screen.until(atPrompt, usualLimitMs);

  const send = async (text: string, isDone: () => boolean, limitMs: number) => {
    const from = screen.length();
    screen.clear();
    if (isBracketed) child.stdin?.write(`\u001B[200~${text.trimEnd()}\u001B[201~\r`);
    else await sendLines(text);
    await screen.until(isDone, limitMs);
    return screen.text(from);
  };
  /** A shell without line editing reads what was pasted by lines, each after the prompt for it. */
  const sendLines = async (text: string) => {
    for (const [index, line] of text.trimEnd().split("\n").entries()) {
      if (index > 0) await screen.until(() => atPrompt() || screen.tail().endsWith(more), usualLimitMs);
      screen.clear();
      child.stdin?.write(`${line}\r`);
    }
  };

  return {
    paste: (text, limitMs = usualLimitMs) => send(text, atPrompt, limitMs),
    start: (text, shown, limitMs = usualLimitMs) => send(text, () => shown.test(screen.tail()), limitMs),
    interrupt: async (limitMs = usualLimitMs) => {
      const from = screen.length();
      screen.clear();
      child.stdin?.write(ctrlC);
      await screen.until(atPrompt, limitMs);
      return screen.text(from);
    },
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null) return;
      const exited = once(child, "exit");
      child.stdin?.end("\u0015exit\r");
      const overdue = setTimeout(() => child.kill("SIGKILL"), 5_000);
      await exited;
      clearTimeout(overdue);
    },
  };
}

function watchScreen(child: ChildProcess, shell: ShellName, confirms: boolean) {
  let all = "";
  let recent = "";
  let changed = Promise.withResolvers<void>();
  const tell = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  child.stdin?.on("error", tell);
  child.once("error", tell);
  child.once("exit", tell);
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    all += text;
    recent += text;
    if (confirms && plain(recent).endsWith(question)) {
      recent = "";
      child.stdin?.write("y\r");
    }
    tell();
  });
  return {
    length: () => all.length,
    clear: () => void (recent = ""),
    raw: () => recent,
    tail: () => plain(recent),
    text: (from: number) => plain(all.slice(from)),
    until: async (isDone: () => boolean, limitMs: number) => {
      const limit = AbortSignal.timeout(limitMs);
      const over = once(limit, "abort");
      while (!isDone()) {
        if (child.exitCode !== null) throw new Error(`${shell} ended; it had shown:\n${plain(all)}`);
        if (limit.aborted)
          throw new Error(`${shell}: no prompt within ${limitMs / 1_000} s; it shows:\n${plain(recent)}`);
        await Promise.race([changed.promise, over]);
      }
    },
  };
}

function plain(text: string): string {
  return stripVTControlCharacters(text).replaceAll("\r", "");
}

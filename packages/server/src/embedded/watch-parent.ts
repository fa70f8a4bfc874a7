/** npm killed outright leaves its script running with nobody to stop it: the script looks after its parents itself. */
import { nameOf, parentOf } from "./process-identity.ts";

export interface WatchParentOptions {
  /** Whether npm runs this process (`npm_lifecycle_event` is set). Otherwise losing a parent means nothing: nohup. */
  readonly isStartedByNpm: boolean;
  /** Called once when npm is gone. */
  readonly onGone: () => void;
}

const everyMs = 1_000;
const shells = ["sh", "dash", "bash", "ash", "zsh"];

/**
 * Looks each second whether npm still lives; answers how to stop looking. Keeps nothing alive by itself.
 * Between npm and us may stand the shell npm started, which outlives it: on Linux its parent is watched too.
 */
export function watchParent({ isStartedByNpm, onGone }: WatchParentOptions): () => void {
  if (!isStartedByNpm) return () => {};
  const parent = process.ppid;
  const shellsParent = shells.includes(nameOf(parent) ?? "") ? parentOf(parent) : undefined;
  const timer = setInterval(() => {
    const isShellKept = shellsParent === undefined || parentOf(parent) === shellsParent;
    if (process.ppid === parent && isShellKept) return;
    clearInterval(timer);
    onGone();
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

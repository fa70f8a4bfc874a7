/** npm killed outright leaves its script running with nobody to stop it: the script looks after its parents itself. */
import { nameOf, parentOf } from "./process-identity.ts";

export interface WatchParentOptions {
  /**
   * The npm that runs this process. Without one, losing a parent means nothing: nohup. Its process id, where it is
   * known, tells that npm was gone before this process looked for the first time.
   */
  readonly npm: { readonly pid?: number } | undefined;
  /** Called once when npm is gone. */
  readonly onGone: () => void;
}

const everyMs = 1_000;
const shells = ["sh", "dash", "bash", "ash", "zsh"];

/**
 * Looks each second whether npm still lives; answers how to stop looking. Keeps nothing alive by itself.
 * Between npm and us may stand the shell npm started, which outlives it: on Linux its parent is watched too.
 */
export function watchParent({ npm, onGone }: WatchParentOptions): () => void {
  if (npm === undefined) return () => {};
  const parent = npm.pid ?? process.ppid;
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

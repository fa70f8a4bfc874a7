/** Messages between the runner and a worker process. */
import type { Seen, Window } from "../subject.ts";

/** `Settings` is what the worker needs once, before its first window. */
export type ToWorker<Settings> =
  | { readonly kind: "start"; readonly settings: Settings }
  /** Everything that belongs to a window but is not to be measured. */
  | { readonly kind: "prepare"; readonly window: Window }
  | { readonly kind: "run" };

export type FromWorker =
  | { readonly kind: "ready" }
  | { readonly kind: "seen"; readonly seen: Seen }
  | { readonly kind: "failed"; readonly message: string };

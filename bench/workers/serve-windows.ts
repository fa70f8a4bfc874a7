/** The worker's side: starts once, then prepares and runs windows until the runner goes away. */
import type { Seen, Window } from "../subject.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

/** Gets a window ready; what it returns runs it. */
export type PrepareWindow = (window: Window) => Promise<() => Promise<Seen>>;

export function serveWindows<Settings>(start: (settings: Settings) => Promise<PrepareWindow>): void {
  let prepare: PrepareWindow | undefined;
  let run: (() => Promise<Seen>) | undefined;

  async function handle(message: ToWorker<Settings>): Promise<FromWorker> {
    switch (message.kind) {
      case "start":
        prepare = await start(message.settings);
        return { kind: "ready" };
      case "prepare":
        run = await prepare?.(message.window);
        // Garbage of the window before is not this one's to collect.
        globalThis.gc?.();
        return { kind: "ready" };
      case "run":
        if (!run) return { kind: "failed", message: "No window was prepared." };
        return { kind: "seen", seen: await run() };
    }
  }

  process.on("message", (message) => {
    // Both sides are this program.
    handle(message as ToWorker<Settings>).then(
      (answer) => process.send?.(answer),
      (error: unknown) =>
        process.send?.({
          kind: "failed",
          message: error instanceof Error ? (error.stack ?? error.message) : String(error),
        }),
    );
  });
  process.on("disconnect", () => process.exit());
  process.send?.("listening");
}

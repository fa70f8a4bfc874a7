/** The sandbox around the real service, and what a command of the command line needs of a running one. */
import type { Service } from "@titian/server";
import type { SandboxDeps } from "./start-sandbox.ts";

export type { CallDetails, CallView, CountView, MinuteView, SkippedView } from "@titian/control/types";
export type { CallDisplay } from "./display-calls.ts";
export { openSandboxKeys } from "./keys.ts";
export { followMovedClock } from "./moved-clock.ts";
export { replacePrivateFile } from "./private-file.ts";
export type { SandboxDeps } from "./start-sandbox.ts";

/**
 * The service with the sandbox around it, on embedded PostgreSQL unless the settings name another. The rails that the
 * program does not pass itself are simulated. Loaded when it starts: a command needs none of it.
 */
export async function startSandbox(deps: SandboxDeps): Promise<Service> {
  const sandbox = await import("./start-sandbox.ts");
  return sandbox.startSandbox(deps);
}

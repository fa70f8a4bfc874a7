/** The service as `titian serve` runs it: with embedded PostgreSQL unless another is given, and a sandbox, or rails of files and a console. */
import { startEmbeddedPostgres } from "@titian/embedded-postgres";
import { startService, type Service, type ServiceDeps } from "@titian/server";
import { startSandbox } from "@titian/sandbox";
import { displayCalls } from "../calls/display-calls.ts";

/** @throws as `startService` does. */
export async function startTitian(deps: Omit<ServiceDeps, "extension" | "startDatabase">): Promise<Service> {
  const { sandbox, railDirectory, console: consoleSettings } = deps.config;
  if (sandbox) return startSandbox({ ...deps, callDisplay: displayCalls() });
  // Loaded where they are used: a sandbox needs neither.
  const rails =
    railDirectory === undefined ? undefined : (await import("@titian/rail-files")).connectFileRails(railDirectory);
  const pages =
    consoleSettings === undefined ? undefined : (await import("@titian/control")).productionConsole(consoleSettings);
  return startService({
    ...deps,
    startDatabase: startEmbeddedPostgres,
    extension: { isSandbox: false, ...rails, ...pages },
  });
}

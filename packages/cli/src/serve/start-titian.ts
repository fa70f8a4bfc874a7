/** The service as `titian serve` runs it: with embedded PostgreSQL unless another is given, and a sandbox, or rails of files and a console. */
import { productionConsole } from "@titian/control";
import { startEmbeddedPostgres } from "@titian/embedded-postgres";
import { startService, type Service, type ServiceDeps } from "@titian/server";
import { connectFileRails } from "@titian/rail-files";
import { startSandbox } from "@titian/sandbox";
import { displayCalls } from "../calls/display-calls.ts";

/** @throws as `startService` does. */
export async function startTitian(deps: Omit<ServiceDeps, "extension" | "startDatabase">): Promise<Service> {
  const { sandbox, railDirectory, console: consoleSettings } = deps.config;
  if (sandbox) return startSandbox({ ...deps, callDisplay: displayCalls() });
  return startService({
    ...deps,
    startDatabase: startEmbeddedPostgres,
    extension: {
      isSandbox: false,
      ...(railDirectory !== undefined && connectFileRails(railDirectory)),
      ...(consoleSettings !== undefined && productionConsole(consoleSettings)),
    },
  });
}

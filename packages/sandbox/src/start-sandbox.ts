/** The sandbox around the real server: its keys, simulated rails, seed data, movable clock and control API. Never in production. */
import { startEmbeddedPostgres } from "@titian/embedded-postgres";
import { startService, type Extension, type Service, type ServiceDeps } from "@titian/server";
import { createSimulatedRails, type SimulatedRails } from "./rails/simulated-rails.ts";
import type { CallDisplay } from "./display-calls.ts";
import { openSandboxKeys } from "./keys.ts";
import { openSandboxFile } from "./sandbox-file.ts";
import type { Opened } from "./start-control.ts";

export interface SandboxDeps extends Omit<ServiceDeps, "extension"> {
  /** Shows calls to a person: a tenth of a second after they were answered, so many of each second. */
  readonly callDisplay?: CallDisplay;
}

/**
 * The service with the sandbox around it, on embedded PostgreSQL unless the settings name another. The rails that the
 * program does not pass itself are simulated.
 * @throws as `startService` does, and when the settings are production's.
 */
export function startSandbox(deps: SandboxDeps): Promise<Service> {
  return startService({ startDatabase: startEmbeddedPostgres, ...deps, extension: sandboxOf(deps) });
}

function sandboxOf({ config, onProgress, rails: ownRails = {}, callDisplay }: SandboxDeps): Extension {
  let opened: Opened | undefined;
  let simulated: SimulatedRails | undefined;
  const loadControl = () => import("./start-control.ts");
  return {
    isSandbox: true,
    open: async () => {
      const keys = await openSandboxKeys(config.dataDir, onProgress);
      const file = await openSandboxFile(config.dataDir);
      opened = { keys, file };
      const administrationUrl = file.administrationUrlOf(config.databaseUrl);
      const masterKeys = { current: Buffer.from(keys.masterKey, "base64") };
      // A failed start puts back the file of a node that still runs on this data directory.
      const providerKey = keys.provider.privateKey;
      return { masterKeys, providerKey, administrationUrl, [Symbol.asyncDispose]: async () => file.restore() };
    },
    load: loadControl,
    connectSharedRails: async ({ adminPool: database, pool: reads, clock, reference }) => {
      simulated = createSimulatedRails({ database, reads, clock, data: () => reference.current().rails });
      return { rails: simulated.rails, [Symbol.asyncDispose]: async () => undefined };
    },
    start: async (parts) => {
      if (!opened || !simulated) throw new Error("The sandbox is started before its keys and rails are there.");
      const { startControl } = await loadControl();
      return startControl(parts, opened, { ownRails, callDisplay, control: simulated.control });
    },
  };
}

/** The sandbox around the real server: its keys, seed data, movable clock and control API. Never in production. */
import type { FastifyPluginAsync } from "fastify";
import { createSandboxRoutes } from "../sandbox/control/sandbox-routes.ts";
import type { MasterKeys } from "../secrets.ts";
import { openSandboxKeys, type SandboxKeys } from "../sandbox/keys.ts";
import { followMovedClock } from "../sandbox/moved-clock.ts";
import { isFileTaken, writeSandboxFile } from "../sandbox/sandbox-file.ts";
import { seedSandbox } from "../sandbox/seed.ts";
import type { Core } from "./core.ts";

export interface Sandbox extends AsyncDisposable {
  /** The control API, to be mounted under `/sandbox`. */
  readonly routes: FastifyPluginAsync;
  /** Tells where the sandbox is, unless another node of its data directory has. */
  publish(baseUrl: string): void;
}

export interface SandboxSecrets {
  readonly keys: SandboxKeys;
  readonly masterKeys: MasterKeys;
  /** Another node of this data directory is up; its `sandbox.json` stays. */
  readonly isFileTaken: boolean;
}

/** What has to be there before the database is opened. */
export async function openSandbox(dataDir: string, onProgress: (text: string) => void): Promise<SandboxSecrets> {
  const taken = await isFileTaken(dataDir);
  const keys = await openSandboxKeys(dataDir, onProgress);
  return { keys, masterKeys: { current: Buffer.from(keys.masterKey, "base64") }, isFileTaken: taken };
}

export async function startSandbox(core: Core, { keys, isFileTaken: taken }: SandboxSecrets): Promise<Sandbox> {
  const { config, clock, log, secrets, engine, pool, adminPool, reference, onProgress } = core;
  const database = adminPool;
  const movedClock = await followMovedClock({ clock, reads: pool, database, log });
  const refresh = () => reference.refresh();
  const admin = { engine, clock, secrets, database, reads: pool, refresh };
  await seedSandbox({ ...admin, keys, onProgress });
  return {
    routes: createSandboxRoutes({
      ...admin,
      movedClock,
      log,
      controlToken: keys.controlToken,
      databaseUrl: core.database.url,
      byPartnerId: (partnerId) => reference.byPartnerId(partnerId),
    }),
    publish: (baseUrl) => {
      if (taken) return;
      const { pathPrefix, bankCode, versions } = config;
      const version = versions[0] as string;
      writeSandboxFile(
        config.dataDir,
        { baseUrl, pathPrefix, version, bankCode, databaseUrl: core.database.url },
        keys,
      );
    },
    [Symbol.asyncDispose]: () => movedClock.close(),
  };
}

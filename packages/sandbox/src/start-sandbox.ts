/** The sandbox around the real server: its keys, seed data, movable clock and control API. Never in production. */
import { startEmbeddedPostgres } from "@titian/embedded-postgres";
import {
  startService,
  type Extension,
  type Service,
  type ServiceDeps,
  type ServiceParts,
  type StartedExtension,
} from "@titian/server";
import { AdminError, ResolutionUnknown, resolveTransfer, type Dispatcher } from "@titian/server/admin";
import type { RailName } from "@titian/server/rails";
import { listScenarios } from "./rails/scenarios.ts";
import { createSimulatedRails, type SimulatedControl, type SimulatedRails } from "./rails/simulated-rails.ts";
import type { DueWork } from "./control/clock-calls.ts";
import type { RailCallsDeps } from "./control/rail-calls.ts";
import { createSandboxRoutes } from "./control/sandbox-routes.ts";
import { openSandboxKeys, type SandboxKeys } from "./keys.ts";
import { followMovedClock } from "./moved-clock.ts";
import { openSandboxFile, type SandboxFile } from "./sandbox-file.ts";
import { seedSandbox } from "./seed.ts";
import { createDueWork } from "./due-work.ts";

export async function startSandbox(deps: Omit<ServiceDeps, "extension">): Promise<Service> {
  const { file, ...extension } = await openSandbox(deps);
  try {
    return await startService({ startDatabase: startEmbeddedPostgres, ...deps, extension });
  } catch (error) {
    // A start that fails leaves the file of the node it failed beside.
    file.restore();
    throw error;
  }
}

interface OpenedSandbox extends Extension {
  readonly file: SandboxFile;
}

/** Reads or makes what has to be there before the database is opened. */
async function openSandbox({ config, onProgress, rails: ownRails = {} }: ServiceDeps): Promise<OpenedSandbox> {
  const file = await openSandboxFile(config.dataDir);
  const keys = await openSandboxKeys(config.dataDir, onProgress);
  let simulated: SimulatedRails | undefined;
  const controlOf = (rail: RailName) => (ownRails[rail] === undefined ? simulated?.control : undefined);
  return {
    file,
    masterKeys: { current: Buffer.from(keys.masterKey, "base64") },
    connectRails: async ({ adminPool: database, pool: reads, clock, reference }) => {
      simulated = createSimulatedRails({ database, reads, clock, data: () => reference.current().rails });
      return { rails: simulated.rails, [Symbol.asyncDispose]: async () => undefined };
    },
    start: async (parts) => {
      const heldBack = async () => (await simulated?.control.heldBack()) ?? new Set<string>();
      const due = createDueWork({ ...parts, clock: parts.core.clock, heldBack });
      return startControl(parts, { keys, file }, { due, controlOf });
    },
  };
}

interface Steered {
  readonly due: DueWork;
  /** Undefined for a rail that is not simulated. */
  controlOf(rail: RailName): SimulatedControl | undefined;
}

async function startControl(
  { core, dispatcher }: ServiceParts,
  { keys, file }: { readonly keys: SandboxKeys; readonly file: SandboxFile },
  { due, controlOf }: Steered,
): Promise<StartedExtension> {
  const { config, clock, log, secrets, engine, pool, adminPool, reference, onProgress } = core;
  const database = adminPool;
  const movedClock = await followMovedClock({ clock, reads: pool, database, log });
  const refresh = () => reference.refresh();
  const admin = { engine, clock, secrets, database, reads: pool, refresh };
  await seedSandbox({ ...admin, keys, onProgress });
  const routes = createSandboxRoutes({
    ...admin,
    movedClock,
    due,
    rails: railControls(dispatcher, { due, controlOf }),
    transfers: {
      decide: async (referenceNo, decision) => {
        try {
          return await resolveTransfer({ engine, clock, reads: pool }, referenceNo, decision);
        } catch (error) {
          throw error instanceof ResolutionUnknown ? new AdminError(error.message, { cause: error }) : error;
        }
      },
    },
    log,
    controlToken: keys.controlToken,
    databaseUrl: core.database.url,
    byPartnerId: (partnerId) => reference.byPartnerId(partnerId),
  });
  return {
    routes: { "/sandbox": routes },
    onListening: (baseUrl) => {
      const {
        pathPrefixes: [pathPrefix = ""],
        bankCode,
        versions,
      } = config;
      const version = versions[0] as string;
      const { url: databaseUrl } = core.database;
      const terms = reference.current().rails.rails;
      // They tell what an interbank transfer (18) is answered: of a rail that is not simulated nobody knows.
      const scenarios = controlOf("interbank") ? listScenarios() : [];
      const clientKeyOf = (partnerId: string) => reference.byPartnerId(partnerId)?.clientKey;
      const place = { baseUrl, pathPrefix, version, bankCode, databaseUrl, clientKeyOf, rails: terms, scenarios };
      file.publish(place, keys);
    },
    [Symbol.asyncDispose]: () => movedClock.close(),
  };
}

/** Steering a rail has taken effect on this node, and what it made due is recorded, when the call is answered. */
function railControls(dispatcher: Dispatcher, { due, controlOf }: Steered): RailCallsDeps["rails"] {
  return (rail) => {
    const control = controlOf(rail);
    if (!control) return undefined;
    return {
      mode: () => control.mode(rail),
      setMode: async (mode) => {
        await control.setMode(rail, mode);
        if (mode === "limbo" || mode === "down") return;
        await dispatcher.wake(rail);
        if (mode === "normal") await due.settle();
      },
      settle: async () => {
        const settled = await control.settle(rail);
        await due.settle();
        return settled;
      },
    };
  };
}

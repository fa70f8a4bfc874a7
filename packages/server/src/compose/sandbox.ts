/** The sandbox around the real server: its keys, seed data, movable clock and control API. Never in production. */
import type { FastifyPluginAsync } from "fastify";
import { AdminError } from "../admin/result.ts";
import { DecisionUnanswered, decideTransfer } from "../rails/resolve-transfer.ts";
import { listScenarios } from "../rails/simulated/scenarios.ts";
import type { DueWork } from "../sandbox/control/clock-calls.ts";
import type { RailCallsDeps } from "../sandbox/control/rail-calls.ts";
import { createSandboxRoutes } from "../sandbox/control/sandbox-routes.ts";
import type { MasterKeys } from "../secrets.ts";
import { openSandboxKeys, type SandboxKeys } from "../sandbox/keys.ts";
import { followMovedClock } from "../sandbox/moved-clock.ts";
import { openSandboxFile, type SandboxFile } from "../sandbox/sandbox-file.ts";
import { seedSandbox } from "../sandbox/seed.ts";
import type { Core } from "./core.ts";
import type { Rails } from "./rails.ts";

export interface Sandbox extends AsyncDisposable {
  /** The control API, to be mounted under `/sandbox`. */
  readonly routes: FastifyPluginAsync;
  /** Tells where the sandbox is, unless another node of its data directory has. */
  publish(baseUrl: string): void;
}

export interface OpenedSandbox {
  readonly keys: SandboxKeys;
  readonly masterKeys: MasterKeys;
  readonly file: SandboxFile;
}

/** What has to be there before the database is opened. */
export async function openSandbox(dataDir: string, onProgress: (text: string) => void): Promise<OpenedSandbox> {
  const file = await openSandboxFile(dataDir);
  const keys = await openSandboxKeys(dataDir, onProgress);
  return { keys, masterKeys: { current: Buffer.from(keys.masterKey, "base64") }, file };
}

/** What the sandbox steers beside the ledger. */
interface Beside {
  readonly due: DueWork;
  readonly rails: Rails;
}

export async function startSandbox(
  core: Core,
  { keys, file }: OpenedSandbox,
  { due, rails }: Beside,
): Promise<Sandbox> {
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
      due,
      rails: railControls(rails, due),
      transfers: {
        decide: async (referenceNo, decision) => {
          try {
            return await decideTransfer({ engine, clock, reads: pool }, referenceNo, decision);
          } catch (error) {
            throw error instanceof DecisionUnanswered ? new AdminError(error.message, { cause: error }) : error;
          }
        },
      },
      log,
      controlToken: keys.controlToken,
      databaseUrl: core.database.url,
      byPartnerId: (partnerId) => reference.byPartnerId(partnerId),
    }),
    publish: (baseUrl) => {
      const {
        pathPrefixes: [pathPrefix = ""],
        bankCode,
        versions,
      } = config;
      const version = versions[0] as string;
      const { url: databaseUrl } = core.database;
      const terms = reference.current().rails.rails;
      // All that they tell is what 18 answers: of a rail that is not simulated nobody knows.
      const scenarios = rails.simulated("interbank") ? listScenarios() : [];
      const clientKeyOf = (partnerId: string) => reference.byPartnerId(partnerId)?.clientKey;
      const place = { baseUrl, pathPrefix, version, bankCode, databaseUrl, clientKeyOf, rails: terms, scenarios };
      file.publish(place, keys);
    },
    [Symbol.asyncDispose]: () => movedClock.close(),
  };
}

/** Steering a rail has taken effect on this node, and what it made due is recorded, when the call is answered. */
function railControls({ dispatcher, simulated }: Rails, due: DueWork): RailCallsDeps["rails"] {
  return (rail) => {
    const control = simulated(rail);
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

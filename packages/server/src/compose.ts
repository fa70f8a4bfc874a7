/** The only place that wires everything: from a configuration to a service that listens. */
import { startPolling } from "./admin/polling.ts";
import { createClock } from "./clock.ts";
import { type Core, startCore } from "./compose/core.ts";
import { createReadiness } from "./compose/readiness.ts";
import { openSandbox, startSandbox } from "./compose/sandbox.ts";
import type { Config } from "./config.ts";
import { pruneRefusals } from "./duties/prune-refusals.ts";
import { createEdge } from "./edge/create-edge.ts";
import { createTokens } from "./edge/tokens.ts";
import type { Log } from "./log.ts";
import { createHandlers } from "./operations/handlers.ts";
import { createSecrets, type MasterKeys } from "./secrets.ts";

export interface ServiceDeps {
  readonly config: Config;
  readonly log: Log;
  /** Told what takes long at a first start. */
  readonly onProgress: (text: string) => void;
}

export interface Service {
  readonly baseUrl: string;
  /** Takes no new call, finishes those it took, ends the database if it is ours. Further calls wait for the same end. */
  close(): Promise<void>;
  /** Resolves when the service can no longer work and should be ended; never otherwise. */
  readonly failed: Promise<Error>;
}

const pruneEveryMs = 3_600_000;

/** @throws when a setting, the database, or the address to listen on cannot be used. */
export async function startService({ config, log, onProgress }: ServiceDeps): Promise<Service> {
  await using stack = new AsyncDisposableStack();
  const failed = Promise.withResolvers<Error>();
  const clock = createClock();
  const opened = config.sandbox ? await openSandbox(config.dataDir, onProgress) : undefined;
  // A start that fails leaves the file of the node it failed beside.
  stack.defer(() => opened?.file.restore());
  const secrets = createSecrets(masterKeysOf(config, opened?.masterKeys));
  const core = stack.use(
    await startCore({ config, clock, log, secrets, onProgress, onDatabaseFailure: failed.resolve }),
  );
  const sandbox = opened && stack.use(await startSandbox(core, opened));
  startDuties(core, stack);

  let stopping = false;
  const edge = await createEdge({
    settings: config,
    clock,
    log,
    metrics: core.metrics,
    partners: core.reference,
    tokens: createTokens({ keys: secrets.derive("access tokens"), clock }),
    handlers: createHandlers({ engine: core.engine, clock, reads: core.reads, readTurns: core.readTurns }),
    hasRoom: (partner) => core.engine.hasRoom(partner),
    readiness: createReadiness(core, () => stopping),
  });
  stack.defer(() => edge.close());
  if (sandbox) edge.mount("/sandbox", sandbox.routes);
  const baseUrl = await edge.listen(config.port, config.host);
  sandbox?.publish(baseUrl);
  onProgress("Ready");

  const owned = stack.move();
  let closed: Promise<void> | undefined;
  const close = () => {
    stopping = true;
    closed ??= owned.disposeAsync();
    return closed;
  };
  return { baseUrl, close, failed: failed.promise };
}

function masterKeysOf(config: Config, sandboxKeys: MasterKeys | undefined): MasterKeys {
  const keys = config.masterKeys ?? sandboxKeys;
  if (!keys) throw new Error("TITIAN_MASTER_KEY is required outside the sandbox.");
  return keys;
}

/** What nobody calls. Every node runs it; each finds by itself what is due. */
function startDuties({ adminPool, clock, log }: Core, stack: AsyncDisposableStack): void {
  const pruning = startPolling({
    everyMs: pruneEveryMs,
    work: async () => void (await pruneRefusals({ pool: adminPool, clock })),
    onError: (error) => log.warn("Old refusals could not be deleted.", { error, duty: "prune-refusals" }),
  });
  stack.defer(() => pruning.close());
}

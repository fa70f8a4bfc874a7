/** The core of a service on a database of the test's own, without partners or rails. */
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { type Core, startCore } from "../../packages/server/src/compose/core.ts";
import { readConfig } from "../../packages/server/src/config/config.ts";
import type { Command } from "../../packages/server/src/engine/command.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { newInternalAccount } from "../../packages/server/src/ledger/accounts/internal-accounts.ts";
import { createLog } from "../../packages/server/src/observability/log.ts";
import { createSecrets } from "../../packages/server/src/basics/secrets.ts";
import type { Environment } from "../../packages/server/src/store/reference/environment.ts";
import { transferCommand } from "../engine/transfers.ts";
import { masterKeys } from "./administration.ts";

interface PlainCoreOptions {
  /** Gets the warnings and errors that were logged. */
  readonly lines?: string[];
  readonly environment?: Environment;
  /** Settings beside the database. */
  readonly env?: Readonly<Record<string, string>>;
}

export function startPlainCore(url: string, { lines = [], environment, env }: PlainCoreOptions = {}): Promise<Core> {
  const sandbox = environment === "sandbox" ? "1" : "0";
  return startCore({
    config: readConfig({ DATABASE_URL: url, TITIAN_SANDBOX: sandbox, ...env }, { needsSecrets: false }),
    ...(environment !== undefined && { environment }),
    clock: createClock(),
    log: createLog({ level: "warn", destination: { write: (line) => void lines.push(line) } }),
    secrets: createSecrets(masterKeys),
    onProgress: () => undefined,
    onDatabaseFailure: () => undefined,
  });
}

/** Opens an account of ours in a currency of its own, which is also its external id. */
export function opening(currency: string, commandTimeoutMs: number): Command<unknown> {
  const account = newInternalAccount(newId(), "funding", currency);
  return {
    ...transferCommand({ from: "1", to: "2", amount: 1n, externalId: currency, commandTimeoutMs }),
    locks: {},
    decide: () => ({ kind: "effect", effect: { payload: null, newAccounts: [account] } }),
  };
}

/** Database, reference data and engine for a command: a short-lived node. */
import {
  createClock,
  createLog,
  createSecrets,
  findCellRecord,
  openKeys,
  startCellCore,
  startCore,
  type AdminResult,
  type Core,
  type Secrets,
  unknownSecret,
} from "@titian/server/admin";
import { type Config, loadConfig } from "@titian/server/config";
import { CliError, exitCodes, usageError } from "./cli-error.ts";
import { chosenCell } from "./chosen-cell.ts";
import { findAdministrationUrl } from "./database-url.ts";
import { note } from "./output.ts";
import "./program-name.ts";

/** Not needed on a production database. */
const sandboxPackage = () => import("@titian/sandbox");

/**
 * Runs the work on the database as administration: of TITIAN_ADMIN_DATABASE_URL, DATABASE_URL, or the running sandbox. `cellOf`:
 * the cell that the command's own input leads to; absent: the chosen one.
 */
export async function withCore<Value>(
  work: (core: Core) => Promise<Value>,
  cellOf: (home: Core) => number = chosenCell,
): Promise<Value> {
  const config = await openKeys(loadConfig({ needsSecrets: false }));
  const { url, source } = findAdministrationUrl();
  note(`Database of ${source}`);
  await using home = await startCore({
    // Commands never migrate the database.
    config: { ...config, databaseUrl: url, sandbox: false },
    clock: createClock(),
    log: createLog({ level: "warn", destination: process.stderr }),
    secrets: await secretsOf(config),
    onProgress: note,
    onDatabaseFailure: () => undefined,
    // A command authorizes no payment and reads the merchants it needs.
    merchants: false,
  });
  await rejectCellAsHome(home);
  const number = cellOf(home);
  await using cell = number === 0 ? undefined : await startCellCore(home, findCell(home, number));
  if (cell) note(`Cell ${number}: its accounts and payments; partners are home's`);
  const core = cell ?? home;
  // Rows of a sandbox carry its moved time.
  const { clock, pool: reads, adminPool, log } = core;
  const moved = config.sandbox
    ? await (await sandboxPackage()).followMovedClock({ clock, reads, database: adminPool, log })
    : undefined;
  try {
    return await work(core);
  } finally {
    await moved?.close();
  }
}

/** @throws CliError when the address is a further cell's: what is done there as on home is found by no call. */
async function rejectCellAsHome({ adminPool }: Core): Promise<void> {
  const record = await findCellRecord(adminPool);
  if (record === undefined || record.number === 0) return;
  throw usageError(
    `This is the database of cell ${record.number}: name home's instead, and the cell by --cell ${record.number} with TITIAN_ADMIN_CELLS.`,
  );
}

/** @throws CliError when the file of cells has no such line. */
export function findCell({ config: { cells } }: Core, number: number) {
  const found = cells.find((cell) => cell.number === number);
  if (found) return found;
  throw usageError(
    `The file of TITIAN_ADMIN_CELLS, or else TITIAN_CELLS, has no line for cell ${number}: titian cells list.`,
  );
}

/** The value of a successful administration command. @throws CliError with the message of its rejection, or that it waits for approval. */
export function valueOf<Value>(result: AdminResult<Value, string>): Value {
  if (result.ok) return result.value;
  const { kind, message, field } = result.rejection;
  const exitCode = kind === "waitsForApproval" ? exitCodes.waits : exitCodes.failed;
  throw new CliError(field === undefined ? message : `${message} (${field})`, exitCode);
}

/** @throws CliError when there is no such partner. */
export function partnerOf({ reference }: Core, partnerId: string) {
  const partner = reference.byPartnerId(partnerId);
  if (partner) return partner;
  throw new CliError(`There is no partner ${partnerId}: titian partner list.`);
}

export interface FoundProviderKey {
  /** In PEM: the private key, or the public one of what `keys` signs with. */
  readonly providerKey: string;
  readonly keys?: Config["keys"] | undefined;
}

/** The key that notifications and records of partitions are signed with. @throws CliError when this process has none. */
export async function findProviderKey(): Promise<FoundProviderKey> {
  const { providerKey, sandbox, dataDir, keys } = await openKeys(loadConfig({ needsSecrets: false }));
  if (providerKey !== undefined) return { providerKey, keys };
  if (sandbox)
    return { providerKey: (await (await sandboxPackage()).openSandboxKeys(dataDir, note)).provider.privateKey };
  throw usageError(
    "TITIAN_PROVIDER_KEY is not set. Use the service's key: notifications and records of partitions are signed with it.",
  );
}

async function secretsOf({ masterKeys, sandbox, dataDir }: Config): Promise<Secrets> {
  if (masterKeys !== undefined) return createSecrets(masterKeys);
  if (!sandbox) return withoutMasterKey;
  const { masterKey } = await (await sandboxPackage()).openSandboxKeys(dataDir, note);
  return createSecrets({ current: Buffer.from(masterKey, "base64") });
}

/** No person needs the service's key: client secrets are sealed with its public half. */
const withoutMasterKey: Secrets = {
  seal: () => needMasterKey(),
  derive: () => needMasterKey(),
  open: () => "",
  openClientSecret: async () => unknownSecret,
  sealingKeys: [],
  isStale: () => false,
};

function needMasterKey(): never {
  throw usageError("TITIAN_MASTER_KEY is not set. Use the service's key: what is asked for is made with it.");
}

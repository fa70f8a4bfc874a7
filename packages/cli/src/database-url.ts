/** The database a command works on. */
import { findEmbeddedUrl } from "@titian/embedded-postgres";
import { type Config, loadConfig } from "@titian/server/config";
import { usageError } from "./cli-error.ts";
import { requireOneDatabase } from "./chosen-cell.ts";
import { readSandboxFile, sandboxFilePath } from "./sandbox/sandbox-file.ts";

/** `DATABASE_URL`. @throws CliError with the reason when it is not set. */
export function requireDatabaseUrl(reason: string): string {
  requireOneDatabase();
  const { databaseUrl } = loadConfig({ needsSecrets: false });
  if (databaseUrl !== undefined) return databaseUrl;
  throw usageError(`DATABASE_URL is not set. ${reason}`);
}

export interface FoundDatabase {
  readonly url: string;
  /** Where the URL was found, for the user. */
  readonly source: string;
  /** That records of it are signed with, public or private, in PEM; undefined: this process has none. */
  readonly providerKey: string | undefined;
}

/** The sandbox file if one is named, else `DATABASE_URL`, else the running sandbox's. @throws CliError */
export function findDatabaseUrl(sandboxFile: string | undefined): FoundDatabase {
  requireOneDatabase();
  if (sandboxFile === undefined) {
    const config = loadConfig({ needsSecrets: false });
    const { databaseUrl, administrationUrl, providerKey } = config;
    if (databaseUrl !== undefined) return { url: databaseUrl, source: "DATABASE_URL", providerKey };
    if (administrationUrl !== undefined)
      return { url: administrationUrl, source: "TITIAN_ADMIN_DATABASE_URL", providerKey };
    const embedded = findProductionEmbedded(config);
    if (embedded !== undefined) return { ...embedded, providerKey };
  }
  const path = sandboxFilePath(sandboxFile);
  const { databaseUrl, provider } = readSandboxFile(path);
  return { url: databaseUrl, source: path, providerKey: provider?.publicKey };
}

/** As administration: `TITIAN_ADMIN_DATABASE_URL`, else `DATABASE_URL`, else the running sandbox's. @throws CliError */
export function findAdministrationUrl(): Omit<FoundDatabase, "providerKey"> {
  const config = loadConfig({ needsSecrets: false });
  const { databaseUrl, administrationUrl } = config;
  if (administrationUrl !== undefined) return { url: administrationUrl, source: "TITIAN_ADMIN_DATABASE_URL" };
  if (databaseUrl !== undefined) return { url: databaseUrl, source: "DATABASE_URL" };
  const embedded = findProductionEmbedded(config);
  if (embedded !== undefined) return embedded;
  const path = sandboxFilePath(undefined);
  const file = readSandboxFile(path);
  return { url: file.administrationUrl ?? file.databaseUrl, source: path };
}

/** Embedded database of a service for production without `DATABASE_URL` (`TITIAN_ALLOW_EMBEDDED_DATABASE=1`). @throws CliError before its first start. */
function findProductionEmbedded({ sandbox, dataDir }: Config): Omit<FoundDatabase, "providerKey"> | undefined {
  if (sandbox) return undefined;
  const source = `${dataDir} (embedded)`;
  const url = findEmbeddedUrl(dataDir);
  if (url === undefined) throw usageError(`There is no embedded database in ${dataDir} yet: titian serve makes it.`);
  return { url, source };
}

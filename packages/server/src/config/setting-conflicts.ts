/** Settings that cannot be used together, and those that need one another. */

const neededInProduction = ["TITIAN_MASTER_KEY", "TITIAN_PROVIDER_KEY", "TITIAN_BANK_CODE"] as const;

interface RelatedSettings {
  readonly DATABASE_URL?: string;
  readonly TITIAN_ADMIN_DATABASE_URL?: string;
  readonly TITIAN_URL?: string;
  readonly TITIAN_TOKEN?: string;
  readonly TITIAN_KEYS?: string;
  readonly TITIAN_CELLS?: string;
  readonly TITIAN_ADMIN_CELLS?: string;
  readonly TITIAN_ALLOW_EMBEDDED_DATABASE: boolean;
  readonly TITIAN_WORKERS: number;
}

/** One sentence for each setting that production lacks; `describe` says in words which values a setting takes. */
export function findMissing(
  settings: { readonly DATABASE_URL?: string; readonly TITIAN_SANDBOX?: boolean } & {
    readonly [Name in (typeof neededInProduction)[number]]?: string;
  },
  describe: (name: string) => string,
): readonly string[] {
  const missing = neededInProduction.filter((name) => settings[name] === undefined);
  const faults = missing.map((name) => `${name} is required outside the sandbox: ${describe(name)}`);
  const mayMeanSandbox = settings.DATABASE_URL !== undefined && settings.TITIAN_SANDBOX === undefined;
  if (!mayMeanSandbox || missing.length < neededInProduction.length) return faults;
  return [
    "DATABASE_URL alone is a start for production; TITIAN_SANDBOX=1 makes it the sandbox on that database",
    ...faults,
  ];
}

/** One sentence for each conflict, for the operator. */
export function findConflicts(settings: RelatedSettings, sandbox: boolean, isCommand: boolean): readonly string[] {
  const hasDatabase =
    settings.DATABASE_URL !== undefined || (isCommand && settings.TITIAN_ADMIN_DATABASE_URL !== undefined);
  const { TITIAN_WORKERS: workers } = settings;
  const conflicts: string[] = [];
  for (const name of ["DATABASE_URL", "TITIAN_ADMIN_DATABASE_URL"] as const) {
    if (namesSeveralHosts(settings[name] ?? "")) {
      conflicts.push(
        `${name} names several hosts, and connections lead to one: name an address that follows the primary, such as a ` +
          "DNS name, a virtual IP address or a TCP proxy",
      );
    }
  }
  if (!sandbox && !hasDatabase && !settings.TITIAN_ALLOW_EMBEDDED_DATABASE) {
    conflicts.push(
      "DATABASE_URL is required outside the sandbox; TITIAN_ALLOW_EMBEDDED_DATABASE=1 takes the embedded PostgreSQL " +
        "instead, which has no standby and no backup of its own",
    );
  }
  const cells = settings.TITIAN_CELLS ?? settings.TITIAN_ADMIN_CELLS;
  // A command finds the database of a running sandbox by itself.
  if (cells !== undefined && !hasDatabase && !isCommand) {
    conflicts.push("TITIAN_CELLS needs DATABASE_URL: the database of home, which the others stand beside");
  }
  if (settings.TITIAN_URL === undefined && settings.TITIAN_TOKEN !== undefined) {
    conflicts.push("TITIAN_TOKEN needs TITIAN_URL: where commands make operators' calls with that token");
  }
  if (sandbox && !isCommand && settings.TITIAN_KEYS !== undefined) {
    conflicts.push("TITIAN_KEYS is for production: a sandbox makes keys of its own");
  }
  if (workers > 1 && sandbox) {
    conflicts.push(
      `TITIAN_WORKERS must be 1 in the sandbox, not ${workers}: its record of calls is in the memory of one process`,
    );
  }
  return conflicts;
}

/** As `postgres://one,other/titian`, or in the parameter `host`. */
function namesSeveralHosts(url: string): boolean {
  const [, host = ""] = /^[^:]+:\/\/(?:[^/?#]*@)?([^/?#]*)/.exec(url) ?? [];
  return host.includes(",") || /[?&]host=[^&#]*(?:,|%2c)/i.test(url);
}

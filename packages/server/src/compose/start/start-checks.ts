/** Conditions of a start, a row each: where one does not hold, production refuses to start and a sandbox warns (ADR 0073). */
import { isLoopbackName } from "../../basics/host-names.ts";
import type { Config } from "../../config/config.ts";
import type { DatabaseAddress, LoginRole } from "../../store/schema/database-login.ts";
import { findOpenDirectories } from "./open-directories.ts";

export interface StartFacts {
  readonly config: Config;
  /** Place that `DATABASE_URL` leads to; absent: the database is one that this program starts. */
  readonly database?: DatabaseAddress;
  /** The same of `TITIAN_CONSOLE_DATABASE_URL`; absent: there is no console. */
  readonly consoleDatabase?: DatabaseAddress | undefined;
  /** Absent: it was not asked. */
  readonly role?: LoginRole;
}

export interface StartCheck {
  readonly id: string;
  /** A sentence for each fault: what is wrong, where, and what to do. Empty: the condition holds, or does not apply. */
  readonly faults: (facts: StartFacts) => readonly string[];
}

export const startChecks: readonly StartCheck[] = [
  {
    id: "database-role",
    faults: ({ role }) =>
      ruledBy(role).map(
        (why) =>
          `DATABASE_URL logs in as ${role?.name}, ${why}: it could change what is booked, and let callers in. Serve as a ` +
          "role that owns nothing: the owner gives it its rights by titian migrate --application-role <role>",
      ),
  },
  {
    id: "listener-without-tls",
    faults: ({ config: { host, tls, behindProxy } }) =>
      tls || behindProxy || isLoopbackName(host.toLowerCase())
        ? []
        : [
            `HOST is ${host}, and calls would come there without TLS. Set TITIAN_TLS_CERT and TITIAN_TLS_KEY, or ` +
              "TITIAN_BEHIND_PROXY=1 where a proxy with TLS stands before this listener, or HOST=127.0.0.1",
          ],
  },
  {
    id: "database-connection",
    faults: ({ database, consoleDatabase }) => [
      ...(isTrusted(database)
        ? []
        : [
            `DATABASE_URL leads to ${database?.host} without sslmode=verify-full: whoever is on the way could read and ` +
              "change what is booked. Add sslmode=verify-full, and sslrootcert=<file> for a CA of your own",
          ]),
      ...(isTrusted(consoleDatabase)
        ? []
        : [
            `TITIAN_CONSOLE_DATABASE_URL leads to ${consoleDatabase?.host} without sslmode=verify-full: a program on the way ` +
              "could act as any operator. Add sslmode=verify-full, and sslrootcert=<file> for a CA of your own",
          ]),
    ],
  },
  {
    id: "console-without-tls",
    faults: ({ config: { management, tls, behindProxy, console } }) =>
      console === undefined || management === undefined || tls || behindProxy || isLoopbackName(management.host)
        ? []
        : [
            `TITIAN_MANAGEMENT_HOST is ${management.host}, and operators would log in there without TLS. Set TITIAN_TLS_CERT ` +
              "and TITIAN_TLS_KEY, or TITIAN_BEHIND_PROXY=1 where a proxy with TLS stands before it",
          ],
  },
  {
    id: "master-key",
    faults: ({ config: { masterKeys } }) =>
      patternsOf(masterKeys?.current).map(
        (pattern) =>
          `TITIAN_MASTER_KEY is not random: ${pattern}. Make one by openssl rand -base64 32; what this one sealed still ` +
          "opens where it is TITIAN_MASTER_KEY_PREVIOUS",
      ),
  },
  {
    id: "open-directory",
    faults: ({ config }) =>
      findOpenDirectories(config).map(
        ({ setting, path, why, cure }) => `${setting}: the directory ${path} ${why}. Close it by ${cure}`,
      ),
  },
];

/** True where nobody is between this machine and its database, or what is between can change nothing. */
export function isTrusted(database: DatabaseAddress | undefined): boolean {
  if (database === undefined || database.isVerified) return true;
  // A path is the directory of a Unix socket.
  return database.host.startsWith("/") || isLoopbackName(database.host.toLowerCase());
}

function ruledBy(role: LoginRole | undefined): readonly string[] {
  if (role === undefined) return [];
  if (role.isSuperuser) return ["a superuser"];
  const [owner] = role.owners;
  if (owner === undefined) return [];
  return [
    role.owners.includes(role.name) ? "the owner of its tables or their schema" : `a member of the owner ${owner}`,
  ];
}

/** Least number of different bytes: 32 random ones have 30, and one key of eight million million has fewer than 18. */
const differentBytesMin = 18;

function patternsOf(key: Buffer | undefined): readonly string[] {
  if (key === undefined) return [];
  const steps = new Set(Array.from(key.subarray(1), (byte, index) => (byte - (key[index] ?? 0)) & 0xff));
  const different = new Set(key).size;
  if (different === 1) return ["all its bytes are the same"];
  if (steps.size === 1) return ["its bytes are a series"];
  return different < differentBytesMin ? [`it has only ${different} different bytes`] : [];
}

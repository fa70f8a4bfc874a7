/**
 * PostgreSQL rejects to run as root: under root it runs as an account of the cluster's own. That is a number which no
 * user and no service has, so that nobody else's process can read the ledger's files, or stop the server.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

/** Numbers that Debian and systemd leave free, and that exist in containers with 65,536 of them. */
const range = { first: 50_000, count: 9_000 };

/** The account for a new cluster in `home`, or undefined when this process is not root and PostgreSQL simply runs as it. */
export function chooseServerAccount(home: string): ServerAccount | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const taken = new Set([...readIds("/etc/passwd"), ...readIds("/etc/group")].map(([, id]) => id));
  const start = createHash("sha256").update(home).digest().readUInt32BE(0) % range.count;
  for (let step = 0; step < range.count; step += 1) {
    const id = range.first + ((start + step) % range.count);
    if (!taken.has(id)) return { uid: id, gid: id };
  }
  throw new Error(`Every number from ${range.first} on has a user: run as one of them, or set DATABASE_URL.`);
}

/** The user that services share which have no account of their own; clusters of earlier releases belong to it. */
export function sharedUid(): number | undefined {
  return new Map(readIds("/etc/passwd")).get("nobody");
}

/** Accounts with a name, without which initdb does not run. */
const named = ["nobody", "postgres", "daemon"];

/** The account that makes a cluster: a named user, in the group that only the cluster has. */
export function makerOf(account: ServerAccount): ServerAccount {
  const users = new Map(readIds("/etc/passwd"));
  const uid = named.map((name) => users.get(name)).find((id) => id !== undefined && id !== 0);
  if (uid !== undefined) return { uid, gid: account.gid };
  throw new Error(
    `PostgreSQL is not made as root, and /etc/passwd has no account for it (${named.join(", ")}). ` +
      "Run as another user, or set DATABASE_URL to a PostgreSQL of your own.",
  );
}

/** Names and numbers of a file like /etc/passwd; of one that is not there, none. */
function readIds(path: string): readonly (readonly [string, number])[] {
  try {
    return readFileSync(path, "utf8")
      .split("\n")
      .map((line) => line.split(":"))
      .flatMap(([name, , id]) => (name && id ? [[name, Number(id)] as const] : []));
  } catch {
    return [];
  }
}

/** PostgreSQL refuses to run as root: under root it runs as an account that owns nothing else. */
import { readFileSync } from "node:fs";

export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

/** `nobody` exists on practically every system; initdb asks for the account's name, so a bare number will not do. */
const candidates = ["nobody", "postgres", "daemon"];

/** The account PostgreSQL runs under, or undefined when this process is not root and PostgreSQL simply runs as it. */
export function findServerAccount(): ServerAccount | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = new Map<string, ServerAccount>();
  for (const line of readFileSync("/etc/passwd", "utf8").split("\n")) {
    const [name, , uid, gid] = line.split(":");
    if (name !== undefined && uid !== undefined && gid !== undefined) {
      accounts.set(name, { uid: Number(uid), gid: Number(gid) });
    }
  }
  for (const name of candidates) {
    const account = accounts.get(name);
    if (account !== undefined && account.uid !== 0) return account;
  }
  throw new Error(
    `PostgreSQL does not run as root, and /etc/passwd has no account for it (${candidates.join(", ")}). ` +
      "Run as another user, or set DATABASE_URL to a PostgreSQL of your own.",
  );
}
